import Lifecycle
import Store
import Testing

@testable import Server

/// When sorted events are merged into the shards: once so many wait that a merge writes few bytes for each.
@Suite struct FoldPaceTests {
  @Test(arguments: [
    (events: 0, bytes: 0, now: false, atRest: false), (events: 1, bytes: 0, now: true, atRest: true),
    (events: 1999, bytes: 100_000, now: false, atRest: true),
    (events: 2000, bytes: 100_000, now: true, atRest: true),
    (events: 19_999, bytes: 100_000_000, now: false, atRest: false),
    (events: 20_000, bytes: 100_000_000, now: false, atRest: true),
    (events: 1_999_999, bytes: 100_000_000, now: false, atRest: true),
    (events: 2_000_000, bytes: 100_000_000, now: true, atRest: true),
  ]) func aMergeWritesFewBytesAnEvent(_ row: (events: Int, bytes: Int, now: Bool, atRest: Bool)) {
    let pace = FoldPace(mergeBytes: row.bytes)
    #expect(pace.shouldMerge(sorted: row.events, isAtRest: false) == row.now)
    #expect(pace.shouldMerge(sorted: row.events, isAtRest: true) == row.atRest)
  }

  @Test func onlyShortMergesAreMadeAtTheEnd() {
    #expect(FoldPace(mergeBytes: 32 << 20).shouldMergeAtEnd)
    #expect(!FoldPace(mergeBytes: 33 << 20).shouldMergeAtEnd)
  }
}
