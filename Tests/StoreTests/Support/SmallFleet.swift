import Lifecycle

@testable import Store

/// Some hundreds of events of few devices, each received later than the one before, none like another.
struct SmallFleet {
  static let start: Int64 = 1_709_540_000_000
  static let hour: Int64 = 3_600_000
  /// When the last was received, and nothing is younger.
  var end: Int64 { Self.start + Int64(batch.events.count) * Self.hour }
  private(set) var batch = EventBatch()
  let devices: [DeviceHash]

  /// - Parameters:
  ///   - name: no two fleets of different names have an event in common; they share devices.
  ///   - shard: that of all devices; else they are spread.
  init(_ count: Int, seed: UInt64, name: UInt64 = 0, shard: UInt64? = nil) {
    var dice = Dice(state: seed)
    devices = (0..<12).map { _ in
      let hash = dice.next()
      return DeviceHash(rawValue: shard.map { hash >> Shards.bits | $0 << (64 - Shards.bits) } ?? hash | 1 << 62)
    }
    dice = Dice(state: seed &+ name &* 977)
    batch.contexts = ["production", "beta"].flatMap { channel in
      ["1.0", "1.1"].map { Context(app: "a", channel: channel, platform: "ios", appVersion: $0) }
    }
    batch.names += ["2.0.0", "1.0.0", "disk", "network"]
    for number in 0..<count {
      batch.events.append(event(number, name, &dice))
      batch.receivedEach.append(Timestamp(rawValue: Self.start + Int64(number) * Self.hour))
    }
  }

  private func event(_ number: Int, _ name: UInt64, _ dice: inout Dice) -> Event {
    let stage = Stage.allCases.randomElement(using: &dice) ?? .check
    let late = Int64.random(in: 0..<40, using: &dice) * 977_000
    var event = Event(
      at: Timestamp(rawValue: Self.start + Int64(number) * Self.hour - late),
      device: devices.randomElement(using: &dice) ?? devices[0], identity: dice.next(),
      context: UInt32.random(in: 0..<4, using: &dice), stage: stage,
      trigger: Trigger.allCases.randomElement(using: &dice) ?? .unknown,
      release: NameIndex(rawValue: UInt32.random(in: 0..<3, using: &dice)))
    if stage == .failed { event.reason = NameIndex(rawValue: UInt32.random(in: 3..<5, using: &dice)) }
    if number % 7 == 0 { event.bucket = UInt8.random(in: 0..<100, using: &dice) }
    if number % 5 == 0 { event.push = dice.next() }
    return event
  }

  /// Some of the events, as they came.
  func part(_ range: Range<Int>, where isMeant: (Event) -> Bool = { _ in true }) -> EventBatch {
    var part = batch
    let numbers = range.filter { isMeant(batch.events[$0]) }
    part.events = numbers.map { batch.events[$0] }
    part.receivedEach = numbers.map { batch.receivedEach[$0] }
    return part
  }
}

/// A database with events, all folded.
func store(_ batches: [EventBatch], in path: String) throws {
  let log = try EventLog(path: path)
  for batch in batches { _ = try log.append([batch]) }
  try log.foldAll()
}
