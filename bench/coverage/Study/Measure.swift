/// Something that is estimated and whose truth is known.
public struct Measure: RawRepresentable, Hashable, Codable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Ages, in hours, at which adoption is read.
  static let ages = [6, 24, 72, 168]
  /// Ages at which the mechanisms' shares are read.
  static let mechanismAges = [24, 72]
  static let quantiles = [0.25, 0.5, 0.75]

  static func adoption(_ hours: Int) -> Self { Self(rawValue: "adoption by \(hours) h") }
  static func quantile(_ p: Double) -> Self { Self(rawValue: "time by which \(Int(p * 100)) % updated") }
  static func mechanism(_ word: String, _ hours: Int) -> Self { Self(rawValue: "by \(word) within \(hours) h") }
  static let lostPushes = Self(rawValue: "lost pushes")
  static let failures = Self(rawValue: "failed first attempts")

  /// Seconds, not a share.
  public var isTime: Bool { rawValue.hasPrefix("time") }
}

/// How a number was come by. The raw values stand in the table.
public enum Method: String, Codable, CaseIterable, Sendable {
  case uptake
  /// A reach window of seven days instead of 28.
  case weekWindow = "reach window 7 d"
  case updatedOnly = "updated devices only"
  case lastSeen = "last-seen censoring"
  case eachAlone = "1 − KM per mechanism"
}

/// A number with its 95 % limits as an answer gave it; a limit that is nil is none.
public struct Reading: Codable, Sendable {
  public var measure: Measure
  public var method: Method
  public var value: Double?
  public var lo: Double?
  public var hi: Double?
}

/// What was read off one fleet, and what was really so.
public struct FleetReport: Codable, Sendable {
  public var scenario: String
  public var seed: UInt64
  public var devices: Int
  public var readings: [Reading]
  public var truths: Truths
  /// Whether the stop rule stopped a rollout whose failure rate is the limit; nil where it was not asked.
  public var isStopped: Bool?
}
