import Dispatch
import Lifecycle
import Synchronization
import Testing

@testable import Store

/// Few devices, releases, channels and instants, so that ties, duplicates and interleavings abound.
private func randomBatch(_ count: Int, _ dice: inout Dice) -> EventBatch {
  var batch = EventBatch()
  batch.contexts = ["production", "beta"].flatMap { channel in
    ["1.0", "1.1"].map { Context(app: "a", channel: channel, platform: "ios", appVersion: $0) }
  }
  batch.names += ["2.0.0", "1.0.0", "disk", "network"]
  batch.events = (0..<count).map { number in
    let stage = Stage.allCases.randomElement(using: &dice) ?? .check
    var event = Event(
      at: Timestamp(rawValue: 1_709_540_000_000 + Int64.random(in: 0..<200, using: &dice) * 3_600_000),
      device: DeviceHash(rawValue: UInt64.random(in: 0..<20, using: &dice) << 59 | 3),
      identity: UInt64(number + 1) &* 0x9e37_79b9_7f4a_7c15,
      context: UInt32.random(in: 0..<4, using: &dice), stage: stage,
      trigger: Trigger.allCases.randomElement(using: &dice) ?? .unknown,
      release: NameIndex(rawValue: UInt32.random(in: 0..<3, using: &dice)))
    if stage == .failed { event.reason = NameIndex(rawValue: UInt32.random(in: 3..<5, using: &dice)) }
    if number % 7 == 0 { event.bucket = UInt8.random(in: 0..<100, using: &dice) }
    return event
  }
  return batch
}

@Suite struct FoldTests {
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func anyOrderAndAnyGroupingTellTheSame(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    let batch = randomBatch(3000, &dice)
    let scratch = try Scratch()
    let (plain, pieces, shuffled) = (scratch.path + "/1.db", scratch.path + "/2.db", scratch.path + "/3.db")

    _ = try EventLog(path: plain).append([batch])
    let expected = try told(plain)
    #expect(expected.count > 100)
    try Folder(path: plain).foldAll()
    #expect(try told(plain) == expected)

    let log = try EventLog(path: pieces)
    for piece in 0..<10 {
      var part = batch
      part.events = Array(batch.events[(piece * 300)..<(piece * 300 + 300)])
      _ = try log.append([part, part])
      if piece % 3 == 0 { try Folder(path: pieces).fold(limit: 170) }
    }
    #expect(try told(pieces) == expected)

    var mixed = batch
    mixed.events.shuffle(using: &dice)
    _ = try EventLog(path: shuffled).append([mixed])
    try Folder(path: shuffled).foldAll(batch: 111)
    #expect(try told(shuffled) == expected)
  }

  /// Not only do they tell the same: what is stored is the same to the byte.
  @Test func stepsAndCoresLeaveNoTrace() throws {
    var dice = Dice(state: 12)
    let batch = randomBatch(3000, &dice)
    let scratch = try Scratch()
    var stored: [[String: [String]]] = []
    for (number, (step, cores)) in [(5000, 1), (5000, 8), (700, 2), (37, 1)].enumerated() {
      let path = scratch.path + "/\(number).db"
      _ = try EventLog(path: path).append([batch])
      let folder = try Folder(path: path)
      while let folded = try folder.prepare(limit: step, cores: cores) { try folder.store(folded) }
      stored.append(try packed(path))
    }
    #expect(stored[0].allSatisfy { $0.key == "lag" || !$0.value.isEmpty })
    for other in stored.dropFirst() { #expect(other == stored[0]) }
  }

  /// Folded, not folded and half folded: the blocks of a device hold all its events, newest first.
  @Test(arguments: [0, 1500, 3000]) func aDeviceIsFoundByItsBlocks(_ folded: Int) throws {
    var dice = Dice(state: 4)
    let batch = randomBatch(3000, &dice)
    let scratch = try Scratch()
    _ = try EventLog(path: scratch.database).append([batch])
    if folded > 0 { try Folder(path: scratch.database).fold(limit: folded) }
    let snapshot = try Snapshot(path: scratch.database)
    for device in Set(batch.events.map(\.device)) {
      let own = batch.events.filter { $0.device == device }
      let found = try snapshot.trail(of: device, app: "a", limit: 10_000)
      #expect(found.map(\.at) == own.reversed().map(\.at))
      #expect(try snapshot.trail(of: device, app: "a", limit: 5).map(\.at) == own.reversed().prefix(5).map(\.at))
    }
    #expect(try snapshot.trail(of: DeviceHash(rawValue: 1), app: "a", limit: 5).isEmpty)
  }

  @Test func runsBreakAfterADayOfSilence() {
    let (hour, key) = (Milliseconds.hours(1).rawValue, ContactRun.key(channel: 1, claim: .running, release: 2))
    func run(_ from: Int64, _ to: Int64) -> ContactRun {
      ContactRun(key: key, start: Timestamp(rawValue: from * hour), end: Timestamp(rawValue: to * hour))
    }
    var runs = [run(49, 49), run(0, 0), run(24, 24), run(74, 80), run(12, 12)]
    ContactRun.joined(&runs)
    #expect(runs == [run(0, 24), run(49, 49), run(74, 80)])
  }

  /// Contacts in any order and grouping, gaps of just a day among them, are the runs that sorting them all gives.
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func contactsBecomeRuns(_ seed: UInt64) {
    var dice = Dice(state: seed)
    let day = ContactRun.longestSilence.rawValue
    let facts = (0..<120).map { _ in
      let at = Int64.random(in: 0..<60, using: &dice) * (day / 2) + Int64.random(in: 0...1, using: &dice)
      let key = ContactRun.key(channel: 1, claim: .running, release: Int64.random(in: 1..<4, using: &dice))
      return DeviceFact(device: 9, at: Timestamp(rawValue: at), key: key, profile: 1, namedBucket: -1)
    }
    var (shard, expected) = (DeviceShard(), [ContactRun]())
    var rest = facts[...]
    while !rest.isEmpty {
      let some = rest.prefix(Int.random(in: 1..<9, using: &dice))
      rest = rest.dropFirst(some.count)
      shard = shard.merging(some)
      expected += some.map { ContactRun(key: $0.key, start: $0.at, end: $0.at) }
      ContactRun.joined(&expected)
      #expect(Array(shard.runs(0)) == expected)
    }
  }

  /// Ten events are stored while ten are folded, again and again: what came after the call is not its business.
  @Test(.timeLimit(.minutes(5))) func foldingEndsWhileEventsPourIn() throws {
    let scratch = try Scratch()
    let log = try EventLog(path: scratch.database, durability: .normal)
    _ = try log.append([batch(Array(1...100))])
    let isFolded = Atomic(false)
    let stopped = DispatchGroup()
    DispatchQueue(label: "pour").async(group: stopped) {
      var first: UInt64 = 101
      while !isFolded.load(ordering: .relaxed), (try? log.append([batch(Array(first..<first + 10))])) != nil {
        first += 10
      }
    }
    let folded = try log.foldAll(batch: 10)
    isFolded.store(true, ordering: .relaxed)
    stopped.wait()
    #expect(folded >= 100)
    try log.foldAll()
    #expect(
      try count(scratch.database, "SELECT max(seq) - (SELECT value FROM meta WHERE key = 'folded') FROM event") == 0)
  }

  @Test func whatOneFoldDidIsNotDoneAgain() throws {
    let scratch = try Scratch()
    _ = try EventLog(path: scratch.database).append([batch([1, 2, 3])])
    #expect(try Folder(path: scratch.database).foldAll() == 3)
    #expect(try Folder(path: scratch.database).foldAll() == 0)
  }

  @Test(
    arguments: [(0, 0), (3, 3), (15, 15), (16, 16), (17, 18), (31, 32), (33, 36), (65, 72), (86_400, 90_112)]
      as [(Int64, Int64)])
  func lagsAreRoundedUp(_ row: (Int64, Int64)) { #expect(Sightings.rounded(row.0) == row.1) }
}
