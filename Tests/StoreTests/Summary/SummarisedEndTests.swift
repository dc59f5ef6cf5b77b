import Lifecycle
import Testing

@testable import Store

/// What was known at the last event of a summary can be told while events are sorted and merged, or nobody makes use of it.
@Suite struct SummarisedEndTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }
  private var path: String { scratch.database }

  /// As if everything that is sorted had been summarised.
  private func summarise() throws -> Int64 {
    let snapshot = try Snapshot(path: path)
    let last = snapshot.lastSorted ?? 0
    let state = SummaryState(
      folded: last, since: Timestamp(rawValue: 1), until: Timestamp(rawValue: 2), dataThrough: nil, ground: "g")
    try SummaryWriter(path: path).store(state, [], app: "a", generation: snapshot.generation())
    return last
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>) func tellsWhatWasKnown(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    let fleet = SmallFleet(900, seed: seed, shard: seed % 2 == 0 ? 17 : nil)
    let log = try EventLog(path: path)
    var (stored, known, told, amid) = (0, [String](), 0, 0)
    while stored < 900 {
      let more = min(900, stored + Int.random(in: 1..<30, using: &dice))
      _ = try log.append([fleet.part(stored..<more)])
      stored = more
      try step(log, &dice)
      if Int.random(in: 0..<6, using: &dice) == 0 {
        try log.sort()
        _ = try summarise()
        known = try outlines(path)
      }
      guard let end = try log.summarised() else { continue }
      #expect(try outlines(path, upTo: end) == known)
      let snapshot = try Snapshot(path: path)
      #expect(try snapshot.earlierSummaryState(app: "a")?.folded == end)
      told += 1
      if let merging = snapshot.waiting.merging, merging.shards > 0 { amid += 1 }
    }
    #expect(told > 15 && amid > 0, "\(told), \(amid) of them amid merges")
  }

  private func step(_ log: EventLog, _ dice: inout Dice) throws {
    switch Int.random(in: 0..<24, using: &dice) {
    case 0..<10: try log.sort(atOnce: Int.random(in: 5..<200, using: &dice))
    case 10..<16:
      var left = Int.random(in: 0..<70, using: &dice)
      try log.merge {
        left -= 1
        return left >= 0
      }
    case 16: try log.fold(limit: Int.random(in: 1..<100, using: &dice))
    default: break
    }
  }

  @Test func noStretchGoesBeyondIt() throws {
    let fleet = SmallFleet(400, seed: 7)
    let log = try EventLog(path: path)
    var end: Int64 = 0
    for first in stride(from: 0, to: 400, by: 4) {
      _ = try log.append([fleet.part(first..<first + 4)])
      try log.sort()
      if first == 200 { end = try summarise() }
      if first >= 200 { #expect(try log.summarised() == end) }
    }
    #expect(try count(path, "SELECT count(*) FROM sorted_stretch") < 24)
  }

  /// Stretches may be made at the same time as a summary.
  @Test func aStretchThatDoesNotKnowOfItIsNotStored() throws {
    let fleet = SmallFleet(200, seed: 7)
    let log = try EventLog(path: path)
    for first in 0..<7 {
      _ = try log.append([fleet.part(first * 20..<first * 20 + 20)])
      try log.sort()
    }
    _ = try log.append([fleet.part(140..<200)])
    let folder = try Folder(path: path)
    let sorting = try #require(try folder.prepareSorting(limit: 1000))
    #expect(sorting.taken == 7)
    let end = try summarise()
    #expect(try folder.store(sorting) == 0)
    #expect(try log.sort() == 60)
    #expect(try log.summarised() == end)
  }

  /// Where most events came after the summary, a merge that kept it would write all shards for the sake of few events.
  @Test(arguments: [(before: 100, after: 60, isKept: true), (60, 100, false)])
  func aMergeGoesUpToIt(_ events: (before: Int, after: Int, isKept: Bool)) throws {
    let fleet = SmallFleet(160, seed: 9)
    let log = try EventLog(path: path)
    _ = try log.append([fleet.part(0..<events.before)])
    try log.sort()
    let end = try summarise()
    _ = try log.append([fleet.part(events.before..<160)])
    try log.sort()
    try log.merge()
    #expect(try log.summarised() == (events.isKept ? end : nil))
    #expect(try log.sortedEvents() == (events.isKept ? events.after : 0))
    try log.settle()
    #expect(try log.sortedEvents() == 0)
  }
}
