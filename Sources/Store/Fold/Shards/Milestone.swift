public import Lifecycle

/// The first times that a journey keeps. The raw value numbers the column in the database.
public enum Milestone: Int, CaseIterable, Sendable {
  case available = 1, downloadStarted, downloadCompleted, verified, ready, applied, confirmed
  case pushReceived = 10, dismissed, failed, rolledBack, crashed
  /// A check or wake-up said that the device runs the release.
  case running = 20

  /// One more than the greatest raw value.
  static let numbers = 21

  /// What an event of this stage means for the journey of the release it names.
  public init?(_ stage: Stage) {
    switch stage {
    case .available: self = .available
    case .downloadStarted: self = .downloadStarted
    case .downloadCompleted: self = .downloadCompleted
    case .verified: self = .verified
    case .ready: self = .ready
    case .applied: self = .applied
    case .confirmed: self = .confirmed
    case .pushReceived: self = .pushReceived
    case .dismissed: self = .dismissed
    case .failed: self = .failed
    case .rolledBack: self = .rolledBack
    case .crashed: self = .crashed
    case .check, .wakeStarted: self = .running
    case .wakeFinished, .pushSent: return nil
    }
  }
}

/// A first time with what triggered it, in one number whose minimum is the earlier one; equal times go to the lower
/// trigger code, so that no order of arrival can change which is kept.
public struct FirstTime: RawRepresentable, Comparable, Sendable {
  public var rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public init(_ at: Timestamp, _ trigger: Trigger) { rawValue = at.rawValue << 3 | Int64(trigger.code) }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// It never happened, as far as anyone said.
  public static let never = FirstTime(rawValue: .max)
  public var happened: Bool { rawValue != .max }
  public var at: Timestamp { Timestamp(rawValue: rawValue >> 3) }
  public var trigger: Trigger { Trigger(code: UInt8(rawValue & 7)) ?? .unknown }
}
