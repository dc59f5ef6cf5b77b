import Lifecycle
import Testing

@testable import Query

@Suite struct InferredWarningTests {
  private func messages(_ releases: [String: Timestamp?]) -> [String] { Warning.inferred(releases).map(\.message) }

  /// Hundreds of releases that nobody registered: one sentence, and not all their names.
  @Test func manyThatNobodyRegisteredAreCounted() throws {
    let one = try #require(messages(["1.0": nil]).first)
    #expect(one.hasPrefix("nobody registered when 1.0 was published; the first event about it stands in: register it"))
    let all = messages(Dictionary(uniqueKeysWithValues: (1001...1300).map { ("\($0).0", Timestamp?.none) }))
    let many = try #require(all.first)
    #expect(
      many.hasPrefix("nobody registered when 1001.0, 1002.0, 1003.0 and 297 more were published; the first event about")
    )
    #expect(many.contains("each stands in: register them with") && all.count == 1)
  }

  /// What was taken back is not to be registered as if nobody had.
  @Test func aWithdrawnOneHasASentenceOfItsOwn() {
    let said = messages(["1.0": nil, "2.0": Timestamp(rawValue: 1_741_000_000_000)])
    #expect(said.count == 2 && said[0].contains("nobody registered when 1.0 was"))
    #expect(
      said[1].hasPrefix(
        "the publication of 2.0 was withdrawn at 2025-03-03 11:06 UTC; the first event about it stands in"))
  }
}
