import Console
import HTTP
import Lifecycle

import Testing

@testable import Report
@testable import Server

struct ServedPageTests {
  private let monday = Timestamp(rawValue: 1_741_000_000_000)
  private let later = Timestamp(rawValue: 1_741_000_600_000)

  private func file(_ path: String, _ text: String) -> SiteFile { SiteFile(path: path, text: text) }
  private func request(_ headers: (String, String)..., to target: String = "/") throws -> Request {
    Request(method: "GET", target: try #require(Target(target)), headers: Headers(headers))
  }
  private let long = String(repeating: "The same again. ", count: 100)

  @Test func isPackedForWhoTakesIt() throws {
    let served = ServedFile(file("index.html", long), now: monday, before: nil)
    for (accepts, isPacked) in [
      ("gzip", true), ("br, gzip;q=0.5", true), ("*", true), ("x-gzip", true), ("gzip;q=0", false), ("br", false),
      ("", false),
    ] {
      let response = served.response(to: try request(("accept-encoding", accepts)))
      #expect(response.headers.contains { $0 == ("Content-Encoding", "gzip") } == isPacked, "\(accepts)")
      #expect(isPacked ? response.body.count < 200 : response.body == Array(long.utf8), "\(accepts)")
    }
  }

  @Test func isNotSentAgainToWhoHasIt() throws {
    let served = ServedFile(file("index.html", long), now: monday, before: nil)
    let tag = "\"\(served.tag)\""
    for (name, value, status) in [
      ("if-none-match", tag, 304), ("if-none-match", "W/\(tag)", 304), ("if-none-match", "\"a\", \(tag)", 304),
      ("if-none-match", "*", 304), ("if-none-match", "\"a\"", 200), ("if-modified-since", HTTPDate.text(monday), 304),
      ("if-modified-since", HTTPDate.text(Timestamp(rawValue: monday.rawValue - 1000)), 200),
      ("if-modified-since", "yesterday", 200),
    ] {
      #expect(served.response(to: try request((name, value))).status == status, "\(name): \(value)")
    }
    let both = try request(("if-none-match", "\"a\""), ("if-modified-since", HTTPDate.text(later)))
    #expect(served.response(to: both).status == 200, "a tag decides alone")
  }

  /// A clock that was ahead and was set right must not keep an old page on somebody's screen: only the instant that was
  /// sent is one that the client has seen.
  @Test func aPageFromAClockThatWasAheadIsOld() throws {
    let ahead = ServedFile(file("a.html", "one"), now: later, before: nil)
    let now = ServedFile(file("a.html", "two"), now: monday, before: ahead)
    let seen = try request(("if-modified-since", HTTPDate.text(later)))
    #expect(now.response(to: seen).status == 200 && ahead.response(to: seen).status == 304)
  }

  /// The same bytes keep their age, others begin anew.
  @Test func ageIsThatOfTheBytes() {
    let first = ServedFile(file("a.html", "one"), now: monday, before: nil)
    #expect(ServedFile(file("a.html", "one"), now: later, before: first).since == monday)
    #expect(ServedFile(file("a.html", "two"), now: later, before: first).since == later)
  }

  @Test func everyAnswerKeepsABrowserFromDoingMore() throws {
    let response = ServedFile(file("a.html", "one"), now: monday, before: nil).response(to: try request())
    for (name, value) in ServedFile.guards { #expect(response.headers.contains { $0 == (name, value) }, "\(name)") }
    #expect(response.headers.contains { $0 == ("Content-Type", "text/html; charset=utf-8") })
  }

  /// What a browser is told again takes the place of what it was told first.
  @Test(arguments: ["a.html", "a.b.svg", "data.json"])
  func whoHasItIsToldTheSame(_ path: String) throws {
    let served = ServedFile(file(path, "one"), now: monday, before: nil)
    let whole = served.response(to: try request()).headers.filter { $0.0 != "Content-Type" }
    let same = served.response(to: try request(("if-none-match", "\"\(served.tag)\"")))
    #expect(same.status == 304)
    for (name, value) in whole { #expect(same.headers.contains { $0 == (name, value) }, "\(name)") }
  }

  /// A picture may use its own style and nothing else; neither it nor a table loads itself again.
  @Test func panelsAreServedAsWhatTheyAre() throws {
    for (path, type, policy) in [
      ("a.b.svg", "image/svg+xml", Site.picturePolicy),
      ("a.b.csv", "text/csv; charset=utf-8; header=present", Site.policy),
      ("data.json", "application/json", Site.policy),
    ] {
      let file = ServedFile(file(path, "one"), now: monday, every: Console.Duration(rawValue: 600_000), before: nil)
      let headers = file.response(to: try request()).headers
      #expect(headers.contains { $0 == ("Content-Type", type) }, "\(path)")
      #expect(headers.contains { $0.0 == "Content-Security-Policy" && $0.1.hasPrefix(policy) }, "\(path)")
      #expect(!headers.contains { $0.0 == "Refresh" }, "\(path)")
    }
    #expect(Site.picturePolicy.contains("'sha256-") && Site.picturePolicy != Site.policy)
  }

  @Test func aPageLoadsItselfAgain() throws {
    func header(_ name: String, _ seconds: Double) throws -> String? {
      let every = Console.Duration(rawValue: Int64(seconds * 1000))
      let response = ServedFile(file(name, "one"), now: monday, every: every, before: nil).response(to: try request())
      return response.headers.first { $0.0 == "Refresh" }?.1
    }
    #expect(try header("a.html", 300) == "300")
    #expect(try header("a.html", 2) == "60", "nobody could read it")
    #expect(try header("data.json", 300) == nil)
  }

  /// Whoever stops it has a page that stays as it is, and that leads to others that do; a script runs as it is, for its digest.
  @Test func reloadingCanBeStopped() throws {
    let text = """
      <header><nav><a href="index.html">All</a> <a href="../push.html#hours">Push</a></nav></header>
      <main id=main><a href="#here">Here</a> <a href="a.csv">a.csv</a></main><script>'<a href="b.html">'</script>
      """
    let served = ServedFile(file("a.html", text), now: monday, every: Console.Duration(rawValue: 300_000), before: nil)
    let usual = served.response(to: try request(to: "/a.html?reload=on"))
    let shown = String(decoding: usual.body, as: UTF8.self)
    let note =
      #"<p class="meta noprint">This page loads itself again every 5m. <a href="?reload=off">Stop reloading</a></p>"#
    #expect(shown == text.replacing("</header>", with: note + "</header>"))

    let still = served.response(to: try request(to: "/a.html?reload=off"))
    #expect(!still.headers.contains { $0.0 == "Refresh" })
    #expect(still.headers.first { $0.0 == "ETag" }?.1 != usual.headers.first { $0.0 == "ETag" }?.1)
    #expect(
      String(decoding: still.body, as: UTF8.self) == """
        <header><nav><a href="index.html?reload=off">All</a> <a href="../push.html?reload=off#hours">Push</a></nav>\
        <p class="meta noprint">This page does not load itself again. <a href="?reload=on">Reload again</a></p></header>
        <main id=main><a href="#here">Here</a> <a href="a.csv">a.csv</a></main><script>'<a href="b.html">'</script>
        """)
    let tag = try #require(still.headers.first { $0.0 == "ETag" }?.1)
    let known = try request(("if-none-match", tag), to: "/a.html?reload=off")
    #expect(served.response(to: known).status == 304)
  }

  /// Of one app, and below a folder of each of several.
  @Test(arguments: ["index.html", "release/2.0.0.html", "release/2.0.0/production.html"])
  func everyPageHasARoute(_ path: String) throws {
    let table = RouteTable(pageRoutes)
    for path in [path, "app/" + path] {
      guard case .route = table.find("GET", path.split(separator: "/").map(String.init)) else {
        Issue.record("no route leads to \(path)")
        continue
      }
    }
  }

  /// A release's own name leads to the file with a digest; names of nothing lead nowhere, and none to another host.
  @Test(
    arguments: [
      (["release", "1.5.0 (210)", "production.html"], "../1.5.0--210--ae0c07fd/production.html"),
      (["release", "1.5.0 (210)", "production.adoption.svg"], "../1.5.0--210--ae0c07fd/production.adoption.svg"),
      (["release", "1.5.0 (210).html"], "1.5.0--210--ae0c07fd.html"),
      (["release", "1.5.0--210--ae0c07fd", "production.html"], nil),
      (["release", "1.5.0 (211)", "production.html"], nil),
      (["release", "1.5.0 (210)", "beta.html"], nil), (["release", "https://example.com", "production.html"], nil),
      (["release", "1.5.0 (210)"], nil), (["release"], nil), (["1.5.0 (210)", "production.html"], nil),
    ] as [([String], String?)]) func aReleaseByItsOwnNameIsFound(_ segments: [String], _ location: String?)
  {
    let folder = "release/1.5.0--210--ae0c07fd"
    let files = ["index.html", folder + ".html", folder + "/production.html", folder + "/production.adoption.svg"]
    var sites = ServedSites(now: monday, before: nil)
    sites.put(files.map { file($0, "A") }, app: "a", before: nil)
    sites.put([file("index.html", "B")], app: "b", before: nil)
    func lead(_ segments: [String], _ app: String?) -> String? {
      sites.redirect(from: segments, app: app)?.headers.first { $0.name == "Location" }?.value
    }
    #expect(lead(segments, "a") == location)
    #expect(lead(["a"] + segments, nil) == location)
    #expect(lead(segments, "b") == nil)
  }

  @Test func aKeySeesItsAppAndNobodyElses() {
    var sites = ServedSites(now: monday, before: nil)
    sites.put([file("index.html", "A"), file("data/x.json", "{}")], app: "a", before: nil)
    #expect(sites.file(at: [], app: nil)?.tag == sites.apps["a"]?["index.html"]?.tag, "of the only app")
    sites.put([file("index.html", "B")], app: "b", before: nil)
    let (a, b) = (sites.apps["a"]?["index.html"]?.tag, sites.apps["b"]?["index.html"]?.tag)
    #expect(sites.file(at: [], app: "a")?.tag == a && sites.file(at: ["index.html"], app: "b")?.tag == b)
    #expect(sites.file(at: [], app: "c") == nil && sites.file(at: ["data", "x.json"], app: "b") == nil)
    #expect(sites.file(at: [], app: nil)?.tag == sites.list.tag, "who may see all gets the list")
    #expect(sites.file(at: [Site.folder(of: "b"), ""], app: nil)?.tag == b)
    #expect(sites.file(at: ["..", "x.db"], app: nil) == nil && sites.pages == 3)
  }

  @Test func pagesThatCannotBeMadeAnewStay() {
    var before = ServedSites(now: monday, before: nil)
    before.put([file("index.html", "A")], app: "a", before: nil)
    var after = ServedSites(now: later, before: before)
    after.keep(app: "a", of: before)
    #expect(after.apps["a"]?["index.html"]?.since == monday && after.now == later)
  }
}
