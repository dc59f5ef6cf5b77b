public import Lifecycle
public import Statistics

/// The judgement of a release on a channel: go on, wait or stop, and what speaks for that.
public struct Verdict: Encodable, Sendable {
  public enum Decision: String, CaseIterable, Codable, Sendable { case goOn, wait, stop }

  /// What is the matter, in a word; the first that applies outweighs those after it.
  public enum Condition: String, CaseIterable, Codable, Sendable {
    /// Another release took its place: there is nothing to decide.
    case replaced
    case crashing, rollingBack, failing
    /// Devices that took it are not heard of again.
    case fallingSilent
    /// Its publication lies ahead, as it is registered: what devices do with it all the same comes before that where it is to be stopped.
    case scheduled
    /// Devices that updated run another release again.
    case undone
    /// Given to nobody.
    case halted
    /// No device was heard of for hours.
    case stale
    /// Many failures, and no limit that could call them few.
    case noLimit
    case belowObjective
    /// Far behind the release before.
    case slow
    /// Too few devices, for too short a time.
    case unsettled
    case healthy
  }

  /// What was looked at.
  public enum Subject: String, CaseIterable, Codable, Sendable {
    case publication, data, firstAttempts, rollbacks, crashes
    /// Later than a day after the launch.
    case lateCrashes, lateRollbacks
    case silence, running, speed, objective

    /// Whether it is about first attempts that fail, rollbacks or crashes.
    public var isHarm: Bool { isLate || [.firstAttempts, .rollbacks, .crashes].contains(self) }
    /// Later than a day after the launch.
    public var isLate: Bool { self == .lateCrashes || self == .lateRollbacks }
  }

  /// Who sets a limit.
  public enum LimitSource: String, CaseIterable, Codable, Sendable {
    case configured
    /// The past five releases.
    case history
    /// Nobody; it is the one that holds where nothing else is said.
    case standard
  }

  /// The release before at the same age, or at the same exposure.
  public struct Before: Encodable, Sendable {
    public var release: String
    public var value: Double
  }

  public struct Reason: Encodable, Sendable {
    public var subject: Subject
    public var condition: Condition
    /// What it speaks for.
    public var decision: Decision
    /// A share, or for speed a difference of shares.
    @Nullable public var value: Estimate?
    @Nullable public var events: Int?
    @Nullable public var devices: Int?
    @Nullable public var limit: Double?
    @Nullable public var limitFrom: LimitSource?
    @Nullable public var before: Before?
    /// The first look that said stop, which no later one takes back.
    @Nullable public var reachedAt: Timestamp?
    /// The one that it is about, where all devices together do not show it; null for all. Empty for devices that name none.
    @Nullable public var platform: String?
    /// The one where it happens more often than on all others together, for certain. Empty for devices that name none.
    @Nullable public var mostlyOn: String?
    public var sentence: String
  }

  /// A release that devices should not run any more, and how many do.
  public struct StillRun: Encodable, Sendable {
    public enum Fault: String, CaseIterable, Codable, Sendable {
      case halted
      /// Its publication was taken back.
      case withdrawn
      /// It does harm, and nobody halted it.
      case harmful
      case replaced
    }

    public var release: String
    public var fault: Fault
    /// When it was halted, withdrawn or replaced.
    @Nullable public var since: Timestamp?
    /// At `at`, of the devices that were heard of since `heardSince`; null where fewer than `minCell` do, and where nobody was heard of.
    @Nullable public var running: Int?
    /// However long ago, reported or not; who came with it, as from a store, is none of them.
    public var launched: Int
    /// Now, as `launched`, or the newest contact of all devices where that is over an hour ago.
    public var at: Timestamp
    public var heardSince: Timestamp
    public var sentence: String
  }

  public var release: String
  public var channel: String
  /// Empty for all. Where the others have another release, or were halted, it is about the rest.
  public var platforms: [String] = []
  public var decision: Decision
  /// Of the first reason.
  public var condition: Condition
  /// Whether it waits for devices to tell of a harm that is likely.
  public var isLikelyHarmful: Bool
  /// Whether no more devices can have it than too few for a verdict by the limit in force.
  public var isTooSmall: Bool
  public var state: Releases.State
  /// Null before the publication.
  @Nullable public var rolloutPercent: Double?
  /// Where platforms differ, so that no number is true of all of them; else empty.
  public var rolloutByPlatform: [RolloutProgress.Part] = []
  public var publishedAt: Timestamp
  public var isInferred: Bool
  public var devices: Int
  public var events: Int
  @Nullable public var observedShare: Double?
  @Nullable public var observedReason: Unestimable?
  /// Weightiest first; never empty.
  public var reasons: [Reason]
  /// Null where it is neither halted nor replaced nor to be stopped, and where no device ever had it.
  @Nullable public var stillRun: StillRun? = nil
  /// Other releases that the channel got rid of lately, or should have.
  public var othersStillRun: [StillRun] = []
  /// Null where there is nothing to wait for.
  @Nullable public var lookAgainAt: Timestamp?
  /// What would make it another decision.
  public var wouldChange: String
}

extension Verdict {
  /// Whether it fails, crashes or is rolled back more often than it may, be it not for certain.
  public var isHarmful: Bool { reasons.contains { $0.isHigh || $0.hasHarm && $0.decision == .stop } }
}
