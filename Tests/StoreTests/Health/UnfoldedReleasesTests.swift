import Lifecycle
import Testing

@testable import Store

/// Releases are known by folded events: what waits may name others.
struct UnfoldedReleasesTests {
  @Test func whatWaitsIsNotCalledRegistered() throws {
    let scratch = try Scratch()
    _ = try EventLog(path: scratch.database).append([batch([1, 2], release: "2.0.0")])
    #expect(
      try found(scratch)
        == "ok: all are registered of those that folded events name; 2 events wait to be folded, which uptake status counts too"
    )
    try EventLog(path: scratch.database).foldAll()
    #expect(try found(scratch).hasPrefix("warn: 1 was never registered, such as 2.0.0"))
  }

  private func found(_ scratch: Scratch) throws -> String {
    let now = Timestamp(rawValue: 1_709_540_000_500)
    let findings = Examination(path: scratch.database, now: now, isFull: false).findings()
    return try #require(findings.first { $0.check == "releases" }.map { "\($0.verdict): \($0.found)" })
  }
}
