internal import Answers
internal import Console
internal import Glibc
internal import Query
internal import Server
internal import Report

private extension Option {
  static let out = Option(
    "out", .text, value: "DIR", completion: "files", help: "The folder to write to; made where missing")
  static let release = Option(
    "release", .text, arity: .list, completion: "releases", help: "Only these releases, and not those of --newest")
  static let newestPages = Option(
    "newest", .integer(0...1_000_000), fallback: "\(Site.newestReleases)",
    help: "Pages of the newest N releases, of each channel's newest three, and of what 1% of devices run; 0: of all")
  static let explorer = Option(
    "explorer", help: "Write explorer.html as well: one file with a script in which readers choose and compare")
  static let timings = Option("timings", help: "Tell how much processor time the questions and the pages took")
}

extension Option {
  /// Pages are shown around: unlike questions they withhold small groups unless told otherwise.
  static let smallestGroup = Option.minCell.with(fallback: "\(Site.smallestGroup)").under("OPTIONS")
  static let pageBands = Option.bands.under("OPTIONS")
  static let pages = Option(
    "pages", .text, value: "DIR", completion: "files", help: "A folder with own pages, *.json; see dashboards/README.md"
  )
}

extension Command {
  static let writeReport = Command(
    "report", group: "DATA", purpose: "Write pages that show how releases fare",
    discussion: """
      Pages need no server, no script and no network: each is one file that opens by a double click. The same data and \
      the same --now give the same bytes. With --explorer there is one page more, on which readers choose channel, \
      platform and app version and compare up to four releases; its script loads nothing and computes nothing.

      Of many releases the newest have pages (--newest), with each channel's newest three and those that at least one in \
      a hundred devices in contact runs; the first page says how many have none. What an earlier run left in the folder \
      stays, and each page of a release that is not made anew says so.
      """,
    options: [
      .database, .out, .release, .newestPages, .pages, .explorer, .app, .smallestGroup, .pageBands, .timings, .now,
    ]
      + Option.objective,
    examples: [
      .init("Pages of everything about an app", "uptake report --db uptake.db --out site"),
      .init("Where the database has several apps", "uptake report --db uptake.db --app com.example.shop --out site"),
      .init("With a page to choose on", "uptake report --db uptake.db --out site --explorer"),
      .init("With own pages", "uptake report --db uptake.db --out site --pages my-pages"),
    ],
    exits: [.notEnoughData, .databaseUnusable], seeAlso: ["time-to-update", "push", "help definitions"]
  ) { invocation in
    guard let folder = invocation.text(.out) else {
      throw Failure("no_folder", "no folder to write to is named", hints: ["name it with --out DIR"], exit: .usage)
    }
    let site = try SiteFolder.site(pages: invocation.text(.pages))
    let order = SiteOrder(
      database: try invocation.databasePath(), app: invocation.text(.app), releases: invocation.texts(.release),
      newest: invocation.integer(.newestPages) ?? Site.newestReleases, pages: invocation.text(.pages),
      judging: try invocation.judging(), minCell: invocation.integer(.smallestGroup) ?? Site.smallestGroup,
      bands: invocation.choice(.pageBands) ?? .pointwise,
      explorer: invocation.flag(.explorer), now: invocation.instant, version: invocation.program.version)
    let snapshot = try invocation.snapshot()
    let start = processorSeconds()
    let answers = try invocation.ticking("asking") { try order.answers(snapshot) }
    let asked = processorSeconds()
    let files = try invocation.ticking("drawing") { try site.files(answers) }
    let rendered = processorSeconds()
    try SiteFolder.write(files, to: folder)
    let past = try SiteFolder.markPast(besides: files, in: folder, app: answers.app, now: answers.now)
    let bytes = files.reduce(0) { $0 + $1.text.utf8.count }
    try invocation.print("\(folder)/index.html\t\(files.count) files\t\(bytes) bytes\n")
    try invocation.note(left(answers, past))
    if invocation.flag(.timings) {
      let (questions, pages) = (duration(seconds: asked - start), duration(seconds: rendered - asked))
      try invocation.note(["processor time: questions \(questions), pages \(pages)"])
    }
    return .done
  }
}

/// Which releases have no pages, and what became of those of an earlier run.
private func left(_ answers: SiteAnswers, _ past: Int) -> [String] {
  let unpaged = answers.unpaged.map { unpaged in
    "\(counted(unpaged.count, "release")) left without pages: --newest N makes more, --newest 0 all"
  }
  let earlier = past > 0 ? "\(counted(past, "page")) of an earlier run not made anew: marked as such" : nil
  return [unpaged, earlier].compactMap(\.self)
}

private func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
