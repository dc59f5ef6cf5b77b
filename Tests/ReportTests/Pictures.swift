import Foundation
import Testing

/// The root of the repository.
let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// Compares a text with the file of this name in `Tests/ReportTests/Pictures`.
///
/// `RECORD=1` writes the file and fails once, so that a recording never passes unseen.
func expectPicture(_ text: String, _ name: String, _ location: SourceLocation = #_sourceLocation) throws {
  let file = repository.appending(path: "Tests/ReportTests/Pictures/\(name)")
  if ProcessInfo.processInfo.environment["RECORD"] == "1" {
    try Data(text.utf8).write(to: file)
    Issue.record("recorded \(name); look at it, then run again without RECORD", sourceLocation: location)
    return
  }
  let recorded = try? String(contentsOf: file, encoding: .utf8)
  #expect(text == recorded, "differs from \(name); RECORD=1 rewrites it", sourceLocation: location)
}
