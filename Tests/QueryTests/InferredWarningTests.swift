import Testing

@testable import Query

@Suite struct InferredWarningTests {
  /// Hundreds of releases that nobody registered: one sentence, and not all their names.
  @Test func manyThatNobodyRegisteredAreCounted() {
    let one = Warning.inferred(["1.0"]).message
    #expect(one.hasPrefix("nobody registered when 1.0 was published; the first event about it stands in: register it"))
    let many = Warning.inferred((1...300).map { "\($0).0" }).message
    #expect(many.hasPrefix("nobody registered when 1.0, 2.0, 3.0 and 297 more were published; the first event about"))
    #expect(many.contains("each stands in: register them with"))
  }
}
