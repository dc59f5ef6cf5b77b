import Lifecycle

/// Who a device is: what does not change while it is installed.
struct Traits {
  /// Identity: the device's id on the wire, its bucket and every hash come from it. Changes with a reinstall.
  var key: UInt64
  let platform: Platform
  /// Of the local clock from UTC.
  let offset: Milliseconds
  /// How far the device's clock is off; what it reports is ahead by this.
  let skew: Milliseconds
  let opensPerDay: Double
  let forceQuits: Double
  let refreshOff: Bool
  let homeWiFi: Bool
  let workWiFi: Bool
  /// Hours by which this person lives later than others.
  let lateness: Double
  let chargesAtNight: Double
  let emulator: Bool
  let locates: Bool
  /// Android makers whose systems stop apps that were swiped away.
  let stopsSwiped: Bool
  let diskFull: Bool
  let osVersion: UInt8
  let appVersion: UInt8
  let speed: Double

  var bucket: UInt8 { UInt8(hash(1) % 100) }

  /// In a push experiment, these devices get none.
  func isHeldOut(_ scenario: Scenario) -> Bool { share(11) < scenario.silentPush.holdout }

  private var system: String { osVersions[Int(platform.rawValue)][Int(osVersion)].name }

  func isOne(of devices: ReleasePlan.Devices) -> Bool {
    switch devices {
    case .platform(let platform): self.platform == platform
    case .system(let version): system == version
    }
  }

  /// The server offers it nothing.
  func isLeftOut(_ broken: Broken) -> Bool {
    broken.systems.contains(system)
      || broken.builds.contains(appVersions[Int(appVersion)].name)
  }

  /// A number that belongs to this device and a purpose, always the same.
  func hash(_ purpose: UInt64) -> UInt64 { mixed(key ^ mixed(purpose)) }
  func share(_ purpose: UInt64) -> Double { fraction(hash(purpose)) }
}

/// Offsets from UTC in minutes with the share of users who live there.
private let timeZones: [(minutes: Int64, share: Double)] = [
  (-480, 0.09), (-420, 0.03), (-360, 0.09), (-300, 0.16), (-180, 0.06), (0, 0.10), (60, 0.22), (120, 0.06),
  (180, 0.04), (330, 0.08), (480, 0.04), (540, 0.03),
]
let osVersions: [[(name: String, share: Double)]] = [
  [("18.5", 0.52), ("18.4.1", 0.17), ("18.3.2", 0.13), ("17.7.8", 0.10), ("16.7.11", 0.08)],
  [("15", 0.24), ("14", 0.29), ("13", 0.20), ("12", 0.13), ("11", 0.14)],
]
let appVersions: [(name: String, share: Double)] = [("5.4.0", 0.71), ("5.3.1", 0.17), ("5.2.0", 0.08), ("5.0.2", 0.04)]

extension Traits {
  init(number: Int, in scenario: Scenario, seed: UInt64, _ random: inout Randomness) {
    let habits = scenario.habits
    key = mixed(mixed(seed) &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
    let platform: Platform = random.chance(scenario.ios) ? .ios : .android
    self.platform = platform
    offset = .minutes(timeZones[drawn(timeZones.map(\.share), random.unit())].minutes)
    skew = clockSkew(wrong: scenario.transport.wrongClocks, &random)
    emulator = random.chance(habits.emulators)
    opensPerDay = min(random.logNormal(median: habits.opensMedian, spread: habits.opensSpread), 40)
    forceQuits = random.chance(habits.forceQuitters) ? 0.6 : 0.01
    refreshOff = random.chance(habits.refreshOff)
    homeWiFi = random.chance(0.88)
    workWiFi = random.chance(0.45)
    lateness = min(max(random.normal() * 1.2, -3), 4)
    chargesAtNight = random.chance(0.75) ? 0.9 : 0.3
    locates = random.chance(habits.location)
    stopsSwiped = platform == .android && random.chance(0.2)
    diskFull = random.chance(0.006)
    osVersion = UInt8(drawn(osVersions[Int(platform.rawValue)].map(\.share), random.unit()))
    appVersion = UInt8(drawn(appVersions.map(\.share), random.unit()))
    speed = random.logNormal(median: 1, spread: 0.7)
  }
}

private func drawn(_ shares: [Double], _ unit: Double) -> Int {
  var rest = unit * shares.reduce(0, +)
  for (index, share) in shares.enumerated() {
    rest -= share
    if rest < 0 { return index }
  }
  return shares.count - 1
}

/// Most clocks follow the network to a second or two; the others are off by minutes, a few by whole hours.
private func clockSkew(wrong: Double, _ random: inout Randomness) -> Milliseconds {
  guard random.chance(wrong) else { return Milliseconds(rawValue: Int64(random.normal() * 800)) }
  if random.chance(0.8) { return .seconds(Int64(random.normal() * 180)) }
  return .hours(random.chance(0.5) ? 1 : -1) * Double(1 + random.index(below: 3))
}
