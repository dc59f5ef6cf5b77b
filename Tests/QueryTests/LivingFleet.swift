import Lifecycle
import Store

/// A fleet that updates day by day, mostly as fleets do, in two databases: one is summarised, of the other every device is
/// counted. Some devices do what can mislead whoever counts them from what was known before.
struct LivingFleet {
  static let app = "com.example.demo"
  static let epoch = Timestamp(seconds: 1_709_539_200)
  static let releases = 8
  static func label(_ release: Int) -> ReleaseLabel { ReleaseLabel(rawValue: "3.\(release).0") }

  let summarised: Fleet
  let counted: Fleet
  private var dice: Dice
  private var devices: [Device] = []
  private var batch = EventBatch()
  /// Sent with a later batch.
  private var late: [Event] = []
  private(set) var day: Int64 = -3
  private(set) var published = 0
  private var identity: UInt64 = 0

  private struct Device {
    var hash: DeviceHash
    var context: UInt32
    /// 0 for none that it would name.
    var running: Int
    var isSilent: Bool
    var awake: Int64
  }

  /// Where all devices lie; nil where they are spread.
  private let shards: [UInt64]?

  /// Whether updates fail, break and are taken back, too.
  private let breaks: Bool

  init(seed: Int, shards: [UInt64]? = nil, breaks: Bool = false) throws {
    (summarised, counted, self.shards, self.breaks) = (try Fleet(), try Fleet(), shards, breaks)
    dice = Dice(state: UInt64(seed) &* 0x9876_5432_1abc_def1 &+ 7)
    for _ in 0..<50 { appear() }
  }

  private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &dice) < share }
  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &dice) }

  private func hash(_ number: Int) -> DeviceHash {
    let spread = UInt64(number) &* 0x9e37_79b9_7f4a_7c15
    guard let shards else { return DeviceHash(rawValue: spread) }
    return DeviceHash(rawValue: spread >> 6 | shards[number % shards.count] << 58)
  }

  private mutating func appear() {
    devices.append(
      Device(
        hash: hash(devices.count + 1),
        context: UInt32(number(0..<3) * 8), running: chance(0.2) ? number(0..<Self.releases) : published,
        isSilent: chance(0.1), awake: day + (chance(0.3) ? Int64(number(0..<30)) : 0)))
  }

  /// What happens in the next days is stored, unless it is sent later; releases are registered on their day, or the day after.
  mutating func live(days: Int, sort: Bool = false) throws {
    batch = EventBatch()
    batch.contexts = (0..<24).map { number in
      Context(
        app: Self.app, channel: number & 1 == 0 ? "production" : "beta", platform: ["ios", "android", nil][number / 8],
        appVersion: number & 2 == 0 ? "1.0" : "1.1", emulator: number & 4 == 0 ? nil : true)
    }
    batch.names += (0..<Self.releases).map { Self.label($0).rawValue }
    batch.events = late
    late = []
    for _ in 0..<days { try liveOneDay() }
    batch.events.shuffle(using: &dice)
    for fleet in [summarised, counted] { _ = try EventLog(path: fleet.path).append([batch]) }
    if sort { for fleet in [summarised, counted] { try EventLog(path: fleet.path).sort() } }
  }

  private mutating func liveOneDay() throws {
    if day >= Int64(published * 6), published < Self.releases { try publish() }
    if chance(0.5) { appear() }
    for index in devices.indices where devices[index].awake <= day && chance(0.7) { live(index) }
    day += 1
  }

  private mutating func publish() throws {
    let at = Self.epoch + .days(day) + .hours(Int64(number(0..<20)))
    let steps = [RolloutStep(at: at, percent: 40), RolloutStep(at: at + .days(2), percent: chance(0.7) ? 100 : 80)]
    // One in four is halted a few days later.
    let all = published % 4 == 2 ? [RolloutStep(at: at, percent: 100), RolloutStep(at: at + .days(4), percent: 0)] : []
    let publication = Publication(
      app: Self.app, release: Self.label(published), channel: "production", platform: chance(0.1) ? "ios" : nil,
      publishedAt: at, rollout: chance(0.4) ? steps + all.dropFirst() : all)
    published += 1
    // Of some nobody says that they were published.
    if chance(0.15) { return }
    for fleet in [summarised, counted] { try fleet.publish([publication]) }
  }
}

// MARK: what a device does in a day

extension LivingFleet {
  private mutating func live(_ index: Int) {
    if chance(0.03) { devices[index].awake = day + Int64(number(2..<40)) }
    if devices[index].running < published, chance(0.3) { update(index) }
    if chance(0.025) { mislead(index) }
    let named = devices[index].isSilent || chance(0.15) ? 0 : devices[index].running
    say(index, chance(0.9) ? .check : .wakeStarted, named, hour: number(20..<24), minute: number(0..<60))
  }

  private mutating func update(_ index: Int) {
    let (to, hour) = (published, number(0..<18))
    for (later, stage) in [Stage.available, .downloadStarted, .downloadCompleted, .verified, .ready].enumerated()
    where chance(0.7) {
      say(index, stage, to, hour: hour, minute: later * 3)
    }
    // Some are not heard of applying it: a later check says that they run it.
    if chance(0.85) { say(index, .applied, to, hour: hour + 1) }
    if chance(0.5) { say(index, .confirmed, to, hour: hour + 1, minute: chance(0.1) ? 0 : 2) }
    devices[index].running = to
  }

  private mutating func mislead(_ index: Int) {
    let (some, hour) = (number(0..<(chance(0.1) ? Self.releases : published) + 1), number(0..<24))
    switch number(0..<(breaks ? 18 : 12)) {
    case 0: devices[index].context ^= 1
    case 1: devices[index].context ^= 2
    case 2: devices[index].context |= 4
    case 3: say(index, .check, some, hour: hour)
    case 4: say(index, .applied, some, hour: hour, daysAgo: number(0..<25))
    case 5: say(index, .check, some, hour: hour, daysAgo: number(0..<25))
    case 6: say(index, .rolledBack, devices[index].running, hour: hour)
    case 7: say(index, .ready, some, hour: hour, daysAgo: number(0..<10))
    case 8: say(index, .check, 0, hour: hour, bucket: UInt8(number(0..<100)))
    case 10: devices[index].context = (devices[index].context + 8) % 24
    case 9: say(index, .available, some, hour: hour, bucket: UInt8(number(0..<100)))
    case 16: say(index, .downloadStarted, some, hour: hour)
    case 12: say(index, chance(0.5) ? .failed : .crashed, some, hour: hour)
    case 13: say(index, .confirmed, some, hour: hour, daysAgo: number(0..<3))
    case 14, 15:
      // Back on the release before, whatever it said of this one.
      if chance(0.5) { say(index, .crashed, devices[index].running, hour: hour) }
      say(index, .rolledBack, devices[index].running, hour: hour, minute: 5)
      devices[index].running = max(devices[index].running - 1, 0)
    default:
      say(index, .check, some, hour: hour)
      say(index, .applied, some, hour: hour)
    }
  }

  /// - Parameter release: counted from 1; 0 is none.
  private mutating func say(
    _ index: Int, _ stage: Stage, _ release: Int, hour: Int, minute: Int = 0, daysAgo: Int = 0, bucket: UInt8? = nil
  ) {
    identity += 1
    let event = Event(
      at: Self.epoch + .days(day - Int64(daysAgo)) + .hours(Int64(hour)) + .minutes(Int64(minute)),
      device: devices[index].hash, identity: identity, context: devices[index].context, stage: stage,
      trigger: chance(0.5) ? .bgRefresh : .foreground, release: NameIndex(rawValue: UInt32(release)),
      bucket: bucket ?? (index % 2 == 0 && chance(0.3) ? UInt8(index % 100) : nil))
    if chance(0.02) { late.append(event) } else { batch.events.append(event) }
  }
}
