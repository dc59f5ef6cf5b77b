import Foundation
import Testing

/// `uptake report` as people call it: bytes, faults, and names that mean harm.
@Suite struct ReportTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "uptake-report-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  private func importHostile() throws {
    let events = Self.root.appending(path: "Pages/hostile.ndjson").path
    let result = try Binary.run("import", "--db", path("h.db"), events)
    #expect(result.status == 0, "\(result.errors)")
  }

  private func report(_ out: String, _ more: String...) throws -> Binary.Result {
    try Binary.start(
      Binary.path,
      ["report", "--db", path("h.db"), "--out", path(out), "--now", "2025-03-12T00:00:00Z"] + more)
  }

  private func pages(_ site: String) throws -> [String: String] {
    let base = folder.appending(path: site)
    let files = try FileManager.default.subpathsOfDirectory(atPath: base.path).filter { $0.hasSuffix(".html") }
    return try Dictionary(
      uniqueKeysWithValues: files.map { ($0, try String(contentsOf: base.appending(path: $0), encoding: .utf8)) })
  }

  @Test func sameDataGiveTheSameBytes() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try importHostile()
    #expect(try report("one").status == 0)
    #expect(try report("two").status == 0)
    let (one, two) = (try pages("one"), try pages("two"))
    #expect(one == two)
    #expect(one.keys.contains("index.html") && one.keys.contains("mechanisms.html") && one.keys.contains("push.html"))
    let data = try Data(contentsOf: folder.appending(path: "one/data.json"))
    #expect(data == (try Data(contentsOf: folder.appending(path: "two/data.json"))))
    #expect((try JSONSerialization.jsonObject(with: data) as? [String: Any])?["schema"] as? String == "uptake.report/1")
    let left = try FileManager.default.subpathsOfDirectory(atPath: path("one")).filter { $0.hasSuffix(".new") }
    #expect(left.isEmpty)
  }

  @Test func hostileNamesAreInert() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try importHostile()
    #expect(try report("site").status == 0)
    let pages = try pages("site")
    #expect(pages.count >= 9)
    for (name, text) in pages {
      for harm in ["<script", "<img", "<svg onload", "]]>", "\u{202E}", "<i>android"] {
        #expect(!text.contains(harm), "\(name) has \(harm)")
      }
      #expect(text.utf8.count <= 60 * 1024, "\(name) has \(text.utf8.count) bytes")
    }
  }

  /// The whole of two pages, markup and numbers; `RECORD=1` writes them and fails once.
  @Test(arguments: ["index.html", "release/r--v1-80e4a6fc.html"]) func pagesAreAsRecorded(_ page: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try importHostile()
    #expect(try report("site").status == 0)
    let text = try #require(try pages("site")[page]).replacing(folder.path, with: "/somewhere")
    let golden = Self.root.appending(path: "Pages/golden/" + page.replacing("/", with: "-"))
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try FileManager.default.createDirectory(at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: golden)
      Issue.record("recorded \(golden.lastPathComponent); look at it, then run again without RECORD")
      return
    }
    let isSame = text == (try? String(contentsOf: golden, encoding: .utf8))
    #expect(isSame, "\(page) differs from Tests/Pages/golden; RECORD=1 rewrites it")
  }

  @Test func ownPagesReplaceAndAdd() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try importHostile()
    let own = folder.appending(path: "own")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    let page =
      #"{"path":"board.html","title":"Board","panels":[{"panel":"verdicts","options":{"title":"How we stand"}}]}"#
    try Data(page.utf8).write(to: own.appending(path: "board.json"))
    #expect(try report("site", "--pages", own.path).status == 0)
    #expect(try pages("site")["board.html"]?.contains("How we stand") == true)
    try Data(page.replacing("verdicts", with: "verdict").utf8).write(to: own.appending(path: "board.json"))
    let refused = try report("site", "--pages", own.path)
    #expect(refused.status == 2)
    #expect(refused.errors.contains("board.json: panel 1: \"verdict\" is no panel of a site page; it can be: "))
  }

  @Test func refusesWithoutAFolder() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try Binary.run("report", "--db", path("h.db"))
    #expect(result.status == 2)
    #expect(result.errors.contains("--out DIR"))
  }

  /// One device, then none: pages stand, and say what cannot be known.
  @Test func oneDeviceAndNone() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let event =
      #"{"device":"d","app":"a","release":"1.0","stage":"applied","trigger":"foreground","at":"2025-03-01T00:00:00Z"}"#
    try Data((event + "\n").utf8).write(to: folder.appending(path: "one.ndjson"))
    #expect(try Binary.run("import", "--db", path("h.db"), path("one.ndjson")).status == 0)
    #expect(try report("site").status == 0)
    let pages = try pages("site")
    let expected = ["compare", "index", "mechanisms", "push", "release/1.0", "release/1.0/production"].map {
      $0 + ".html"
    }
    #expect(pages.keys.sorted() == expected)
    for text in pages.values { #expect(!text.contains("nan") && !text.contains("inf%")) }
    #expect(pages["push.html"]?.contains("No push was reported as sent") == true)
    #expect(pages["index.html"]?.contains("Events by day: not known, as no event says when it was received.") == true)
    #expect(pages["compare.html"]?.contains("first release on this channel") == true)
  }

  /// Nightly builds of some years: pages of the newest, and what is said of the others and of their pages of before.
  @Test func ofManyReleasesTheNewestHavePages() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let events = (1...8).map { number in
      """
      {"device":"d","app":"a","release":"\(number).0","stage":"applied","trigger":"foreground","at":"2025-03-0\(number)T00:00:00Z"}

      """
    }
    try Data(events.joined().utf8).write(to: folder.appending(path: "many.ndjson"))
    #expect(try Binary.run("import", "--db", path("h.db"), path("many.ndjson")).status == 0)
    #expect(try report("site").status == 0)
    #expect(try pages("site")["index.html"]?.contains("no page") == false)
    let fewer = try report("site", "--newest", "1")
    #expect(fewer.errors.contains("5 releases left without pages: --newest N makes more, --newest 0 all"))
    #expect(fewer.errors.contains("10 pages of an earlier run not made anew: marked as such"))
    let pages = try pages("site")
    #expect(pages["index.html"]?.contains("5 releases have no page: pages are of the newest 1, of each") == true)
    #expect(pages["release/5.0.html"]?.contains("This page was not made anew at") == true)
    #expect(pages["release/6.0.html"]?.contains("not made anew") == false)
    #expect(try !report("site", "--newest", "1").errors.contains("earlier run"), "it is said once")
    #expect(try report("site", "--newest", "0").errors.isEmpty)
    #expect(try self.pages("site")["release/5.0.html"]?.contains("not made anew") == false)
  }
}
