import Lifecycle

/// Devices that get one release after another, week by week; all that is kept of a device is what it runs.
struct Fleet {
  /// When its first release is published.
  nonisolated(unsafe) static var start = Timestamp(rawValue: 1_735_689_600_000)
  static let week = Milliseconds.days(7)
  static let app = "com.example.fleet"
  static let platforms = ["ios", "android"]
  static let versions = ["5.0", "5.1", "5.2", "6.0"]
  static let reasons = ["networkLost", "checksumMismatch", "diskFull"]

  let devices: Int
  let releases: Int
  var running: [UInt8]
  private let hashes: [UInt64]

  /// - Parameter hashes: of the devices' ids.
  init(hashes: [UInt64], releases: Int) {
    self.hashes = hashes
    devices = hashes.count
    self.releases = releases
    running = Array(repeating: 0, count: devices)
  }

  static func label(_ release: Int) -> String { "2.0.\(release)" }
  static func published(_ release: Int) -> Timestamp { start + Milliseconds(rawValue: week.rawValue * Int64(release)) }

  /// Every fourth release comes in steps.
  static func publication(_ release: Int) -> Publication {
    let at = published(release)
    let steps = [(0, 10.0), (24, 50), (48, 100)].map { RolloutStep(at: at + .hours($0.0), percent: $0.1) }
    return Publication(
      app: app, release: ReleaseLabel(rawValue: label(release)), channel: "production", publishedAt: at,
      rollout: release % 4 == 3 ? steps : [])
  }

  static var contexts: [Context] {
    platforms.flatMap { platform in
      versions.map { Context(app: app, platform: platform, osVersion: "17.4", appVersion: $0, network: "wifi") }
    }
  }

  func hash(_ device: Int) -> UInt64 { hashes[device] }
}

/// One event as plain numbers, in order of time.
struct Moment: Comparable {
  var at: Int64
  var device: UInt32
  var release: UInt8
  var stage: Stage
  var trigger: Trigger
  var context: UInt8
  static func < (left: Moment, right: Moment) -> Bool { (left.at, left.device) < (right.at, right.device) }
}

/// Spreads bits evenly (the finaliser of splitmix64).
func mixed(_ seed: UInt64) -> UInt64 {
  var z = seed &+ 0x9e37_79b9_7f4a_7c15
  z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
  z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
  return z ^ z >> 31
}

/// A fast stream of chance that begins at a number.
struct Chance {
  private var state: UInt64
  init(_ seed: UInt64) { state = mixed(seed) }

  mutating func next() -> UInt64 {
    state = state &+ 0x9e37_79b9_7f4a_7c15
    return mixed(state)
  }
  mutating func share() -> Double { Double(next() >> 11) * 0x1p-53 }
  mutating func within(_ span: Milliseconds) -> Int64 { Int64(next() % UInt64(max(span.rawValue, 1))) }
}
