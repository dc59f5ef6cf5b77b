/// What sites of several apps need beside their pages.
extension Site {
  /// What a page permits; a server says it once more.
  public static var policy: String { PageFrame.policy }
  /// Of a picture that is a file of its own.
  public static var picturePolicy: String { Style.picturePolicy }

  /// Groups of fewer devices are withheld where nothing else is said: `--min-cell` of every question that pages ask.
  public static let smallestGroup = 5

  /// So many of the releases that were published last have pages, where nothing else is said: `--newest` of `uptake report`, `--report-newest` of `uptake serve`.
  public static let newestReleases = 100

  /// A name for an app's folder that no other app's has.
  public static func folder(of app: String) -> String { Name(app).fileName }

  /// Where a release's page on one channel lies in a site; `release/LABEL.html` is the page of its lead channel.
  static func path(release: String, channel: String) -> String {
    "release/\(Name(release).fileName)/\(Name(channel).fileName).html"
  }

  /// Where files of a site may lie whose path was made of names as they are: parts that are no file names have one with a digest.
  public static func paths(naming segments: [String]) -> [[String]] {
    guard let folder = segments.firstIndex(of: "release"), segments.count > folder + 1, let last = segments.last else {
      return []
    }
    let page = last.hasSuffix(".html") ? Name(String(last.dropLast(5))).fileName + ".html" : last
    guard segments.count > folder + 2 else { return [segments.dropLast() + [page]] }
    let before = segments[...folder] + [Name(segments[folder + 1]).fileName]
    return [page, last].map { before + [$0] }
  }

  /// The page that leads to each app's own.
  public static func list(_ apps: [String]) -> SiteFile {
    let items = apps.map { app -> HTML in
      "<li><a href=\"\(folder(of: app))/index.html\">\(Name(app).html(atMost: 80))</a>"
    }
    let body: HTML =
      apps.isEmpty
      ? note("No event has come and no release was published yet; pages appear soon after the first.")
      : "<ul>\(items)</ul>"
    return alone("Apps", "Releases over the air, app by app", body)
  }

  /// Before there are any: a browser that shows it asks again by itself.
  public static var beingMade: SiteFile {
    alone(
      "Pages are being made", "Nothing is wrong",
      note("The first pages come in a moment, and this one makes way for them."))
  }

  private static func alone(_ title: String, _ meta: HTML, _ body: HTML) -> SiteFile {
    let frame = PageFrame(
      title: "\(title) · uptake", heading: "<h1>\(title)</h1>", root: "", meta: meta, footer: "", hasPages: false)
    return SiteFile(path: "index.html", text: frame.document([body]))
  }
}
