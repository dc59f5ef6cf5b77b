import Lifecycle
import Testing

@testable import Store

/// What a fold is made of, each against the obvious slow way.
@Suite struct FoldPartsTests {
  /// Every way in which five old rows can be kept, replaced or left out beside up to two new ones after each.
  @Test func aSpliceIsWhatCopyingRowByRowGives() {
    let (old, new) = ([[1], [2, 2], [], [4], [5, 5, 5]], [[10], [], [30, 30]])
    // What one leaves, the next takes the place of.
    var (columnRoom, offsetsRoom, listsRoom) = ([[7]], [7], [7])
    for first in 0...5 {
      for skipped in first...5 {
        for second in skipped...5 {
          let kept = [0..<first, skipped..<second, second..<5, 5..<5]
          var splice = Splice()
          for rows in kept { splice.keep(rows) }
          var expected: [[Int]] = []
          for (index, rows) in kept.enumerated() { expected += old[rows] + new[index..<min(index + 1, 3)] }
          let (oldOffsets, newOffsets) = (offsets(old), offsets(new))
          #expect(splice.column(old, new) == expected)
          #expect(splice.offsets(oldOffsets, newOffsets) == offsets(expected))
          let lists = splice.lists(old.flatMap(\.self), at: oldOffsets, new.flatMap(\.self), at: newOffsets)
          #expect(lists == expected.flatMap(\.self))
          splice.column(old, new, into: &columnRoom)
          splice.offsets(oldOffsets, newOffsets, into: &offsetsRoom)
          splice.lists(old.flatMap(\.self), at: oldOffsets, new.flatMap(\.self), at: newOffsets, into: &listsRoom)
          #expect(columnRoom == expected && offsetsRoom == offsets(expected) && listsRoom == lists)
        }
      }
    }
  }

  private func offsets(_ lists: [[Int]]) -> [Int] { lists.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) } }

  /// Keys whose mixes are spread, near each other, or all the same.
  @Test(arguments: [1, 64, 1 << 40, 0]) func keysAreNumberedAsTheyCome(_ spread: Int) {
    struct Key: Mixed {
      var name: Int
      var mix: Int
    }
    var numbering = Numbering<Key>()
    for turn in 0..<2 {
      for name in 0..<1000 {
        let number = numbering.number(Key(name: name, mix: name &* spread))
        #expect(number == name)
        if turn == 0 { #expect(numbering.keys.count == name + 1) }
      }
    }
    #expect(numbering.keys.map(\.name) == Array(0..<1000))
  }

  /// Hashes that are even, and hashes that are all alike.
  @Test(arguments: [0, 40, 60] as [UInt64]) func eventsAreSortedByDeviceAndElseStayInOrder(_ alike: UInt64) {
    var dice = Dice(state: 1 + alike)
    var events = (0..<3000).map { number in
      FoldEvent(
        device: UInt64.random(in: 0..<500, using: &dice) &* 0x9e37_79b9_7f4a_7c15 >> (6 + alike),
        at: Timestamp(rawValue: number), push: 0, block: 0, context: 0, release: 0, reason: 0, milliseconds: -1,
        stage: .check, trigger: .unknown, outcome: nil, namedBucket: -1)
    }
    let expected = events.enumerated().sorted { ($0.1.device, $0.0) < ($1.1.device, $1.0) }.map(\.1.at)
    var sort = DeviceSort()
    sort.sort(&events)
    #expect(events.map(\.at) == expected)
  }

  @Test func onlyWhatChangedIsStored() throws {
    let scratch = try Scratch()
    let log = try EventLog(path: scratch.database)
    var events = batch(Array(1...300))
    _ = try log.append([events])
    try log.foldAll()
    for index in events.events.indices {
      events.events[index].stage = .confirmed
      events.events[index].identity ^= 1
    }
    _ = try log.append([events])
    let folded = try #require(try Folder(path: scratch.database).prepare(limit: 1000, cores: 2))
    #expect(folded.count == 300)
    let parts = folded.shards.flatMap(\.journeys).flatMap(\.1).map(\.part)
    #expect(Set(parts) == [Int64(Milestone.confirmed.rawValue)])
    // The same contacts at the same instants: nothing new is known of the devices.
    #expect(folded.shards.flatMap(\.devices).flatMap(\.1).isEmpty)
  }

  /// Numbers without an event do not end a fold, however many lie in a row.
  @Test func aGapLongerThanAStepIsPassed() throws {
    let scratch = try Scratch()
    _ = try EventLog(path: scratch.database).append([batch(Array(1...30))])
    try Connection(path: scratch.database, mode: .write).execute("DELETE FROM event WHERE seq BETWEEN 5 AND 20")
    #expect(try Folder(path: scratch.database).foldAll(batch: 3) == 14)
    #expect(try count(scratch.database, "SELECT value FROM meta WHERE key = 'folded'") == 30)
  }
}
