import Lifecycle
import Store

/// A few devices that are heard of every few hours and say whatever they like: that they run this or that, apply it, or took it back;
/// so that the same is said again within a day of something else. In two databases, as a `LivingFleet`.
struct RestlessFleet {
  let summarised: Fleet
  let counted: Fleet
  private(set) var now = LivingFleet.epoch
  private var dice: Dice
  private var devices: [Device]
  private var identity: UInt64 = 0

  private struct Device {
    var hash: DeviceHash
    var running: Int
    var isCalm: Bool
    /// What it says when it is heard of next, and after that.
    var next: [(Stage, Int)] = []
  }

  static let releases = 3

  init(seed: Int) throws {
    (summarised, counted) = (try Fleet(), try Fleet())
    dice = Dice(state: UInt64(seed) &* 0x9876_5432_1abc_def1 &+ 3)
    devices = (0..<48).map { number in
      let hash = DeviceHash(rawValue: UInt64(number + 1) &* 0x9e37_79b9_7f4a_7c15)
      return Device(hash: hash, running: 1, isCalm: number % 4 == 0)
    }
    for release in 0..<Self.releases {
      let at = LivingFleet.epoch + .days(Int64(release * 5)) + .hours(1)
      let steps = [RolloutStep(at: at, percent: 40), RolloutStep(at: at + .days(5), percent: 100)]
      let publication = Publication(
        app: LivingFleet.app, release: LivingFleet.label(release), channel: "production", platform: nil,
        publishedAt: at, rollout: release == 1 ? [] : steps)
      for fleet in [summarised, counted] { try fleet.publish([publication]) }
    }
  }

  private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &dice) < share }
  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &dice) }

  /// - Parameter share: of the devices, each heard of one to three times.
  mutating func live(hours: Int, share: Double) throws {
    var batch = EventBatch()
    batch.contexts = ["ios", "android", nil].flatMap { platform in
      [nil, true].map { Context(app: LivingFleet.app, channel: "production", platform: platform, emulator: $0) }
    }
    batch.names += (0..<Self.releases).map { LivingFleet.label($0).rawValue }
    for index in devices.indices where chance(share) {
      let count = devices[index].isCalm || devices[index].next.isEmpty ? number(1..<4) : 1
      for _ in 0..<count { batch.events.append(event(index, within: hours)) }
      if devices[index].next.isEmpty, !devices[index].isCalm, chance(0.4) { plan(index) }
    }
    batch.events.shuffle(using: &dice)
    for fleet in [summarised, counted] {
      let log = try EventLog(path: fleet.path)
      _ = try log.append([batch])
      try log.sort()
    }
    now = now + .hours(Int64(hours))
  }

  private mutating func event(_ index: Int, within hours: Int) -> Event {
    identity += 1
    let (stage, release) = said(index)
    return Event(
      at: now + .minutes(Int64(number(0..<hours * 60))), device: devices[index].hash, identity: identity,
      context: UInt32(chance(0.02) ? number(0..<6) : index % 3 * 2),
      stage: stage, trigger: .foreground, release: NameIndex(rawValue: UInt32(release)),
      bucket: index % 3 == 0 && chance(0.5) ? UInt8(chance(0.7) ? index : number(0..<100)) : nil)
  }

  private mutating func said(_ index: Int) -> (Stage, Int) {
    if !devices[index].next.isEmpty { return devices[index].next.removeFirst() }
    return devices[index].isCalm || chance(0.5) ? (.check, devices[index].running) : restless(index)
  }

  /// Rarely one that is not published yet.
  private mutating func someRelease() -> Int {
    let published = Int((now - LivingFleet.epoch).rawValue / Milliseconds.days(5).rawValue) + 1
    return number(1..<(chance(0.97) ? min(published, Self.releases) : Self.releases) + 1)
  }

  /// What it says at first and at last may be one run of contacts, which spans what it says in between.
  private mutating func plan(_ index: Int) {
    let (running, other) = (devices[index].running, someRelease())
    switch number(0..<3) {
    case 0: devices[index].next = [(.check, running), (.check, other), (.rolledBack, other), (.check, running)]
    case 1: devices[index].next = [(.applied, other), (.check, running), (.applied, other), (.check, other)]
    default: devices[index].next = [(.check, other), (.check, running), (.applied, other), (.available, other)]
    }
    if devices[index].next.last?.1 == other { devices[index].running = other }
  }

  private mutating func restless(_ index: Int) -> (Stage, Int) {
    let stages: [Stage] = [.check, .applied, .confirmed, .rolledBack, .available, .downloadCompleted]
    let (stage, some) = (stages[number(0..<stages.count)], someRelease())
    if stage == .applied { devices[index].running = some }
    return (stage, chance(0.2) ? devices[index].running : some)
  }
}
