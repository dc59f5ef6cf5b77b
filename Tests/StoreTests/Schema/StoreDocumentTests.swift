import Foundation
import Testing

@testable import Store

/// `docs/store.md` is where people look who ask what is in the file.
struct StoreDocumentTests {
  private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/store.md")

  @Test func namesEveryTableAndView() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let scratch = try Scratch()
    let connection = try Connection(path: scratch.database, mode: .create)
    try Schema.migrate(connection, .none)
    let names = try connection.prepare(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name"
    ).rows { $0.text(0) }
    #expect(names.count > 20)
    #expect(names.filter { !text.contains("`\($0)`") } == [])
  }
}
