import Foundation
import FuzzReaders
import Testing

/// The short form of `scripts/check-fuzz`: every kept input, and as many more made from them, through the same readers.
/// What always holds is checked in there; where it does not, the process ends.
@Suite struct FuzzTests {
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "fuzz/corpus")
  private static let mutations = 400

  private func kept(_ target: String) throws -> [[UInt8]] {
    let folder = Self.corpus.appending(path: target)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      try Array(Data(contentsOf: folder.appending(path: $0)))
    }
  }

  /// With the room behind it that parsers may look at.
  private func roomy(_ bytes: [UInt8]) -> [UInt8] {
    var roomy = [UInt8]()
    roomy.reserveCapacity(bytes.count + 64)
    roomy += bytes
    return roomy
  }

  @Test(arguments: readers.keys.sorted()) func nothingBreaksAReader(_ target: String) throws {
    let reader = try #require(readers[target])
    let kept = try kept(target)
    #expect(!kept.isEmpty, "fuzz/corpus/\(target) says what its inputs look like")
    for input in kept { reader(roomy(input)) }
    var mutation = Mutation(seed: 20_250_301)
    for round in 0..<Self.mutations { reader(roomy(mutation.changed(kept[round % kept.count], and: kept))) }
  }

  @Test func everyKeptInputHasAReader() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
    #expect(Set(folders) == Set(readers.keys).union(["routes"]))
  }

  @Test func theSameSeedMakesTheSameInputs() throws {
    var (one, other) = (Mutation(seed: 7), Mutation(seed: 7))
    let inputs = try kept("events")
    let made = (0..<50).map { _ in one.changed(inputs[0], and: inputs) }
    #expect(made == (0..<50).map { _ in other.changed(inputs[0], and: inputs) })
    #expect(Set(made).count > 40)
  }
}
