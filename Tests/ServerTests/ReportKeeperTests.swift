import Console
import Foundation
import Ingest
import Lifecycle
import Report
import Store
import Synchronization
import Testing

@testable import Server

/// Pages are made again and again, whatever became of the folder meanwhile, and the last ones that could be made are served.
struct ReportKeeperTests {
  private let folder: TemporaryFolder
  private let served: ServedDatabase
  private let keeper: ReportKeeper
  private var site: String { folder.path + "/site" }

  init() throws {
    folder = try TemporaryFolder()
    let (site, ticks) = (folder.path + "/site", Ticks())
    served = try ServedDatabase(
      in: folder, reports: { ReportFixture.keeper(site, $0, $1, clock: { ticks.next() }) })
    keeper = try #require(served.service.reports)
    publish("1.0", "a")
  }

  /// A second later whenever somebody looks, so that each rendering has a time of its own.
  private final class Ticks: Sendable {
    private let seconds = Atomic<Int64>(1_741_000_000)
    func next() -> Instant {
      Instant(rawValue: seconds.add(1, ordering: .relaxed).newValue * 1000)
    }
  }

  private func publish(_ release: String, _ app: String) {
    let body: [String: String] = ["app": app, "publishedAt": "2025-03-01T00:00:00Z"]
    let json = (try? JSONEncoder().encode(body)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let answer = served.ask("PUT", "/v1/releases/" + release, json)
    #expect(answer.status == 200, "\(answer.text)")
  }

  /// Renders once; false where that never ended.
  private func render() -> Bool {
    let (before, failures) = (keeper.sites?.now, keeper.failures)
    keeper.begin()
    return eventually { keeper.sites?.now != before || keeper.failures > failures }
      && eventually { !keeper.isRendering }
  }

  @Test func aFolderThatWasDeletedIsMadeAgain() throws {
    #expect(render())
    let files = ReportFixture.files(site)
    #expect(files.contains("a/index.html") && files.contains("a/release/1.0.html"))
    try FileManager.default.removeItem(atPath: site)
    #expect(render() && ReportFixture.files(site) == files)
    try FileManager.default.removeItem(atPath: site + "/a/release")
    #expect(render() && ReportFixture.files(site) == files)
    #expect(keeper.failed == nil && keeper.failures == 0)
  }

  /// The pages are served all the same: they are in memory. It is told, counted, and mends itself.
  @Test func aFolderThatIsAFileIsTold() throws {
    try folder.write("site", "in the way")
    #expect(render())
    #expect(keeper.failed?.why.contains("cannot be made") == true)
    #expect(served.log.text.contains("report_failed"))
    #expect(served.ask("GET", "/").status == 200, "served from memory")
    let ready = served.ask("GET", "/readyz")
    #expect(ready.status == 200 && ready.text.contains("making them failed at 2025-"), "\(ready.text)")
    #expect(!ready.text.contains(site), "nobody learns where the pages lie")
    let metrics = served.service.metricsText(.init())
    #expect(metrics.contains("uptake_report_failures_total 1\n"))
    try FileManager.default.removeItem(atPath: site)
    #expect(render() && keeper.failed == nil && ReportFixture.files(site).contains("a/index.html"))
    #expect(served.ask("GET", "/readyz").text.contains("failed") == false)
  }

  /// A killed process leaves a half-written page behind, and in a container its successor has the same number.
  @Test func whatAKilledProcessLeftIsNoObstacle() throws {
    try FileManager.default.createDirectory(atPath: site + "/a/release", withIntermediateDirectories: true)
    let left = ["index.html", "data.json", "release/1.0.html"].map { "\(site)/a/\($0).\(getpid()).tmp" }
    for path in left { try Data("half a page".utf8).write(to: URL(fileURLWithPath: path)) }
    #expect(render() && keeper.failed == nil, "\(keeper.failed?.why ?? "")")
    #expect(!ReportFixture.files(site).contains { $0.hasSuffix(".tmp") })
    #expect(
      try String(contentsOfFile: site + "/a/index.html", encoding: .utf8).lowercased().hasPrefix("<!doctype html>"))
  }

  /// Somebody who may write into the folder must not make the service write anywhere else.
  @Test func aLinkInPlaceOfATemporaryFileIsNotFollowed() throws {
    try FileManager.default.createDirectory(atPath: site + "/a", withIntermediateDirectories: true)
    try folder.write("victim", "precious")
    try FileManager.default.createSymbolicLink(
      atPath: "\(site)/a/index.html.\(getpid()).tmp", withDestinationPath: folder.path + "/victim")
    #expect(render())
    #expect(try String(contentsOfFile: folder.path + "/victim", encoding: .utf8) == "precious")
  }

  /// Names come from whoever sends events. Each app has a folder, all below the one that was named.
  @Test func noNameLeadsOutOfTheFolder() throws {
    let names = ["../../etc", "a/b", "a\u{1}\u{1B}[31m", "..", "A", "a\u{202E}b", String(repeating: "x", count: 128)]
    for name in names { publish("1.0", name) }
    #expect(render() && keeper.failed == nil, "\(keeper.failed?.why ?? "")")
    let top = try FileManager.default.contentsOfDirectory(atPath: site)
    #expect(top.count == names.count + 1 && Set(top.map { $0.lowercased() }).count == top.count)
    #expect(top.allSatisfy { $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !$0.hasPrefix(".") })
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().filter { !$0.hasPrefix("x.db") } == [
        "site"
      ])
    let list = served.ask("GET", "/").text
    #expect(!list.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" } && !list.contains("\u{202E}"))
  }

  /// Pages that were made stay, though nothing can be read any more.
  @Test func pagesStayWhereTheDatabaseIsGone() throws {
    #expect(render())
    let page = served.ask("GET", "/index.html")
    try FileManager.default.moveItem(atPath: served.path, toPath: served.path + ".aside")
    #expect(render() && keeper.failed != nil)
    #expect(served.ask("GET", "/index.html").body == page.body && page.status == 200)
    #expect(access(served.path, F_OK) != 0)
  }

  @Test func beforeTheFirstPagesThereIsAWord() throws {
    let answer = served.ask("GET", "/")
    #expect(answer.status == 503 && answer.code == "pages_not_ready")
    let shown = served.ask("GET", "/", headers: [("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")])
    #expect(shown.status == 503 && shown.text.contains("<h1>Pages are being made</h1>"))
    #expect(shown.headers.contains { $0.name == "Refresh" && $0.value == "2" })
    #expect(served.ask("GET", "/readyz").text == "ready\nno pages yet\n")
  }

  /// Paths are looked up among what was rendered; a key sees its own app, whatever the path says.
  @Test(arguments: [
    "/../x.db", "/%2e%2e/x.db", "/..%2Fx.db", "/a/..%2F..%2Fx.db", "//etc/passwd", "/%2Fetc%2Fpasswd", "/x.db",
    "/site/a/index.html", "/release/..%2Findex.html", "/index.html/", "/INDEX.HTML", "/release", "/release/",
  ]) func onlyPagesAreServed(_ path: String) throws {
    #expect(render())
    let reading = try served.key(.read)
    let answer = served.ask("GET", path, key: reading)
    // What is no path at all is asked for as the root by `request`; the server answers 400 before.
    if HTTPTarget.isPath(path) { #expect(answer.status == 404, "\(path)") }
    #expect(!answer.text.contains("SQLite format") && !answer.text.contains("root:"))
  }

  /// Whoever may see all apps gets the list under both of its names, as each app's first page has two.
  @Test func theListIsAPageLikeOthers() {
    publish("1.0", "b")
    #expect(render())
    let (root, named) = (served.ask("GET", "/"), served.ask("GET", "/index.html"))
    #expect(root.status == 200 && named.status == 200 && root.body == named.body)
    #expect(served.ask("GET", "/a/index.html").body == served.ask("GET", "/a/").body)
    #expect(served.ask("GET", "/b/release/1.0.html").status == 200 && served.ask("GET", "/c/").status == 404)
  }

  @Test func aKeyOfAnotherAppSeesNothing() throws {
    publish("9.9", "b")
    #expect(render())
    let (a, b) = (try served.key(.read, app: "a"), try served.key(.read, app: "b"))
    #expect(served.ask("GET", "/release/1.0.html", key: a).status == 200)
    #expect(served.ask("GET", "/release/9.9.html", key: a).status == 404)
    #expect(served.ask("GET", "/b/release/9.9.html", key: a).status == 404)
    #expect(served.ask("GET", "/release/9.9.html", key: b).status == 200)
    #expect(served.ask("GET", "/").status == 401 && served.ask("GET", "/", key: "upk_read_x").status == 401)
    #expect(served.ask("GET", "/", key: try served.key(.ingest)).status == 403, "it is known, and may not read")
  }
}

import HTTP

private enum HTTPTarget {
  static func isPath(_ text: String) -> Bool { Target(text) != nil }
}
