import Lifecycle
import Testing

@testable import Report

/// Pages that an earlier run left beside those that were made now.
struct PastPageTests {
  private let now = Timestamp(rawValue: 1_741_000_000_000)

  private func page(_ app: String) -> [UInt8] {
    let frame = PageFrame(
      title: "1.0", heading: "<h1>1.0</h1>", root: "../", meta: "as of then",
      footer: "<footer><p>Made with uptake 1 from \(Name(app).html(atMost: 80)). No script, nothing.</p></footer>")
    return Array(frame.document(["<p>a panel</p>"]).utf8)
  }

  @Test func itSaysSoOnce() throws {
    let past = try #require(Site.past(page("a"), app: "a", now: now))
    let text = String(decoding: past, as: UTF8.self)
    let mark = "<main id=main>\n<div class=\"wide past\"><p class=note><strong>This page was not made anew at"
    #expect(text.contains(mark))
    #expect(text.contains("<p>a panel</p>"), "what it says stays")
    #expect(Site.past(past, app: "a", now: now) == nil)
  }

  /// Nothing that is not of this app is touched.
  @Test(arguments: ["b", "a.b", ""]) func otherAppsPagesStay(_ app: String) {
    #expect(Site.past(page(app), app: "a", now: now) == nil)
  }

  @Test(arguments: ["", "<h1>mine</h1>", "</header>\n<main>\n", "from <bdi>a</bdi>. No script"])
  func otherFilesStay(_ text: String) {
    #expect(Site.past(Array(text.utf8), app: "a", now: now) == nil)
  }
}
