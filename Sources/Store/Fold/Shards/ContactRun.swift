public import Lifecycle

/// What a contact says the device runs.
public enum Claim: UInt8, Comparable, Sendable {
  /// Nothing.
  case silent = 0
  /// A check or wake-up named the running release.
  case running = 1
  /// The release was applied or confirmed.
  case applied = 2
  /// The release was left again; what ran before it runs now.
  case rolledBack = 3

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  public init(_ stage: Stage, namesRelease: Bool) {
    guard namesRelease else {
      self = .silent
      return
    }
    switch stage {
    case .check, .wakeStarted: self = .running
    case .applied, .confirmed: self = .applied
    case .rolledBack: self = .rolledBack
    case .available, .downloadStarted, .downloadCompleted, .verified, .ready, .pushSent, .pushReceived, .wakeFinished,
      .dismissed, .failed, .crashed:
      self = .silent
    }
  }
}

/// A stretch of contacts that say the same (channel and running release) without a silence longer than a day.
///
/// Runs are what a set of instants falls apart into, so they do not depend on the order in which contacts arrive.
public struct ContactRun: Equatable, Sendable {
  public static let longestSilence = Milliseconds.days(1)

  /// `channel << 34 | claim << 32 | release`: numbers of `name` and `release`.
  var key: UInt64
  public var start: Timestamp
  public var end: Timestamp

  public var channel: Int64 { Int64(key >> 34) }
  public var claim: Claim { Claim(rawValue: UInt8(key >> 32 & 3)) ?? .silent }
  /// The release that the claim names; 0 where it names none.
  public var release: Int64 { Int64(key & 0xffff_ffff) }

  static func key(channel: Int64, claim: Claim, release: Int64) -> UInt64 {
    UInt64(channel) << 34 | UInt64(claim.rawValue) << 32 | (claim == .silent ? 0 : UInt64(release))
  }
}
