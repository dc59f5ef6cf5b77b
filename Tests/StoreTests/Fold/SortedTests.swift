import Lifecycle
import Testing

@testable import Store

/// Events are sorted, stretches are taken in by others and merged into the shards: nobody who asks sees any of it.
@Suite struct SortedTests {
  let scratch: Scratch
  let (plain, live): (String, String)
  init() throws {
    scratch = try Scratch()
    (plain, live) = (scratch.path + "/plain.db", scratch.path + "/live.db")
  }

  /// After every step of what a service does to its events, in any order.
  @Test(arguments: 1...6 as ClosedRange<UInt64>) func everyStepTellsTheSame(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    let fleet = SmallFleet(600, seed: seed, shard: seed % 2 == 0 ? 17 : nil)
    let (log, oracle) = (try EventLog(path: live), try EventLog(path: plain))
    var stored = 0
    while stored < 600 {
      let more = min(600, stored + Int.random(in: 1..<60, using: &dice))
      for log in [log, oracle] { _ = try log.append([fleet.part(stored..<more)]) }
      stored = more
      try step(log, &dice)
      try expectSame()
    }
    try log.settle()
    try oracle.foldAll()
    try expectSame()
    #expect(try packed(live) == packed(plain))
    #expect(try count(live, "SELECT count(*) FROM sorted_event") == 0)
    #expect(try count(live, "SELECT count(*) FROM sorted_stretch") == 0)
    expectSound(live)
  }

  private func step(_ log: EventLog, _ dice: inout Dice) throws {
    switch Int.random(in: 0..<12, using: &dice) {
    case 0..<5: try log.sort(atOnce: Int.random(in: 5..<200, using: &dice))
    case 5..<8:
      var left = Int.random(in: 0..<70, using: &dice)
      let limits = [RecentLimit(), RecentLimit(leastSettled: 0, share: 0), RecentLimit(leastSettled: 20, share: 3)]
      try log.merge(limits.randomElement(using: &dice) ?? RecentLimit()) {
        left -= 1
        return left >= 0
      }
    case 8: try log.fold(limit: Int.random(in: 1..<100, using: &dice))
    case 9: try log.foldAll()
    default: break
    }
  }

  private func expectSame() throws {
    #expect(try told(live) == told(plain))
    #expect(try lags(live) == lags(plain))
    #expect(try outlines(live) == outlines(plain))
    #expect(try FreshFold.differences(Connection(path: live, mode: .read)) == [])
    let shard = Shards.shard(1 << 62)
    #expect(try FreshFold.differences(Connection(path: live, mode: .read), shard: shard) == [])
  }

  /// Contacts one after another, which outlines take in without the runs, and each kind of contact that they cannot.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func outlinesGrowAsTheirRunsWould(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    let (log, oracle) = (try EventLog(path: live), try EventLog(path: plain))
    let rests: [Int64] = [0, 1, 40_000, 5 * 3_600_000, 30 * 3_600_000, 6 * 86_400_000, 8 * 86_400_000]
    var now = SmallFleet.start
    for round in 0..<12 {
      var batch = SmallFleet(0, seed: seed).batch
      for number in 0..<60 {
        now += rests.randomElement(using: &dice) ?? 0
        let likely: [Stage] = [.check, .check, .check, .applied, .confirmed, .ready, .wakeStarted]
        let stage = (number % 9 == 0 ? Stage.allCases : likely).randomElement(using: &dice) ?? .check
        var event = Event(
          at: Timestamp(rawValue: number % 11 == 0 ? now - 90_000_000 : now),
          device: DeviceHash(rawValue: UInt64.random(in: 0..<9, using: &dice) << 59 | 5), identity: dice.next(),
          context: number % 13 == 0 ? UInt32.random(in: 0..<4, using: &dice) : UInt32(number % 2), stage: stage,
          trigger: .foreground, release: NameIndex(rawValue: UInt32.random(in: 0..<3, using: &dice)))
        if number % 7 == 0 { event.bucket = UInt8(number) }
        batch.events.append(event)
      }
      for log in [log, oracle] { _ = try log.append([batch]) }
      try log.sort()
      if round % 3 == 2 { try log.settle() }
      if round % 3 == 1 { try log.merge(RecentLimit(leastSettled: 0, share: 0)) }
      try oracle.foldAll()
      #expect(try outlines(live) == outlines(plain))
    }
  }

  /// A trickle over a long time leaves few stretches, and writes none of its events often.
  @Test func fewStretchesAndFewCopies() throws {
    var (stretches, written, most): ([SortedStretch], Int, Int) = ([], 0, 0)
    let (steps, events) = (20_000, 100)
    for step in 0..<steps {
      let taken = stretches.taken(by: events)
      let old = stretches.suffix(taken)
      stretches.removeLast(taken)
      let size = old.reduce(events) { $0 + $1.events }
      stretches.append(SortedStretch(first: Int64(step), last: Int64(step), events: size))
      (written, most) = (written + size, max(most, stretches.count))
    }
    #expect(stretches.reduce(0) { $0 + $1.events } == steps * events)
    #expect(most <= 36)
    #expect(written <= steps * events * 7)
  }

  /// Whoever forgets a device while shards are being merged takes it out of everything.
  @Test(arguments: [0, 1, 20, 63, 64]) func forgettingAmidAMerge(_ shards: Int) throws {
    let fleet = SmallFleet(300, seed: 5)
    let log = try EventLog(path: live)
    _ = try log.append([fleet.part(0..<200)])
    try log.sort()
    var left = shards
    try log.merge {
      left -= 1
      return left >= 0
    }
    _ = try log.append([fleet.part(200..<300)])
    try log.sort()
    let gone = fleet.devices[3]
    _ = try log.forget([gone], now: Timestamp(rawValue: fleet.end))
    #expect(try traces(of: gone, in: scratch.path) == [])
    try expectHolds(live, [fleet.part(0..<300) { $0.device != gone }])
    try log.settle()
    try expectHolds(live, [fleet.part(0..<300) { $0.device != gone }])
    expectSound(live)
  }

  /// Two programs sort, merge and fold the same events: each event counts once.
  @Test func twoProgramsAtOnce() throws {
    let fleet = SmallFleet(400, seed: 8)
    let log = try EventLog(path: live)
    _ = try log.append([fleet.part(0..<300)])
    try log.sort(atOnce: 100)
    let one = try Folder(path: live)
    let other = try Folder(path: live)
    _ = try log.append([fleet.part(300..<400)])
    let (sorting, folded) = (try one.prepareSorting(limit: 1000), try other.prepare(limit: 250, cores: 2))
    _ = try one.beginMerging()
    var words: StretchMerge.Words?
    let merge = try one.prepareMerging(words: &words)
    try other.store(#require(folded))
    #expect(try !one.store(#require(sorting)))
    try one.store(#require(merge))
    // The merge that had begun was brought to its end instead of the fold.
    #expect(try one.watermark() == 300)
    try expectHolds(live, [fleet.batch])
    try log.settle()
    try expectHolds(live, [fleet.batch])
    expectSound(live)
  }

  /// A flipped, zeroed or missing byte anywhere: an error that names the table, or what the events say; never a trap.
  @Test func damageIsAnError() throws {
    let fleet = SmallFleet(200, seed: 3, shard: 9)
    let log = try EventLog(path: live)
    _ = try log.append([fleet.batch])
    try log.sort()
    let connection = try Connection(path: live, mode: .write)
    let sound = try #require(try connection.prepare("SELECT packed FROM sorted_event").first { $0.blob(0) })
    let head = try #require(try connection.prepare("SELECT head FROM sorted_stretch").first { $0.blob(0) })
    var dice = Dice(state: 77)
    for _ in 0..<300 {
      var (bytes, heads) = (sound, head)
      if Bool.random(using: &dice) {
        let place = Int.random(in: 0..<(Bool.random(using: &dice) ? 60 : bytes.count), using: &dice)
        if Int.random(in: 0..<4, using: &dice) == 0 {
          bytes.removeLast(place)
        } else {
          bytes[place] ^= UInt8(dice.next() & 255)
        }
      } else {
        heads[Int.random(in: heads.indices, using: &dice)] ^= UInt8(dice.next() & 255)
      }
      try connection.prepare("UPDATE sorted_event SET packed = ?").run(.blob(bytes))
      try connection.prepare("UPDATE sorted_stretch SET head = ?").run(.blob(heads))
      do { _ = try (told(live), outlines(live)) } catch let error as StoreError {
        #expect(error.kind == .corrupt)
        #expect(error.description.contains("sorted_"))
      }
    }
  }
}
