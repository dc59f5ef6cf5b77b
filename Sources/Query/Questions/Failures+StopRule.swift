public import Lifecycle
public import Statistics
import Store

extension Failures {
  /// Who sets the limit.
  public enum LimitSource: String, CaseIterable, Encodable, Sendable {
    case configured
    /// The past five releases.
    case history
    /// Nobody: no past release has attempts. The least limit is shown, and nothing is decided.
    case floor
  }

  /// What to do, as far as first attempts go.
  public enum Advice: String, CaseIterable, Encodable, Sendable { case stop, widen, watchOn }

  /// The sequential test of the rate against its limit; it may be looked at as often as one likes.
  public struct StopRule: Encodable, Sendable {
    public var limit: Double
    public var limitFrom: LimitSource
    /// First attempts at past releases, which a limit from history rests on.
    public var pastAttempts: Int
    public var alpha: Double
    /// How many attempts may have failed by now by the limit, half of it at once; nil where past releases do not tell when failures come.
    @Nullable public var permitted: Double?
    public var evidenceAbove: Double
    public var evidenceBelow: Double
    /// Both are compared with this.
    public var threshold: Double
    /// nil where neither history nor anybody set the limit: there is nothing to decide against.
    @Nullable public var decision: MixtureTest.Decision?
    /// The same in words that no verdict has in another meaning; nil also where nobody tried yet.
    @Nullable public var advice: Failures.Advice?
    /// The first look that said stop, which no later one takes back; nil where none did, or where the answer is split.
    @Nullable public var reachedAt: Timestamp?
    /// What was known at that look.
    @Nullable public var reached: StopEvidence?
    /// Attempts that were launched at least `rollbackAge` ago, or broke at the launch. "Safe to widen" rests on these: one
    /// that was only downloaded says nothing of the launch, and one that broke says so at its next start.
    public var settled: Int
    /// First attempts from their start on, however young, and those of them that failed so far: a stop rests on these.
    public var watched: Int
    public var watchedFailures: Int
    /// Holds at all looks together.
    public var sequence: Estimate
  }
}

extension Failures.StopRule {
  /// A limit that rests on fewer past attempts would permit almost any rate: it can stop a rollout, but call none safe.
  public static let fewestPastAttempts = 100

  init(
    _ own: AttemptCounts, past: [AttemptCounts], _ options: Failures.Options, alpha: Double, level: Double,
    _ watched: AttemptTest.Watched
  ) {
    let history = past.reversed().map { Proportion(Int64($0.failed), of: Int64($0.attempts)) }
    let pastAttempts = past.reduce(0) { $0 + $1.attempts }
    let limit = options.limit.map(FailureLimit.init(configured:)) ?? FailureLimit(past: history, level: level)
    let source: Failures.LimitSource = options.limit != nil ? .configured : pastAttempts > 0 ? .history : .floor
    let (share, test) = (MixtureTest(limit: limit, alpha: alpha), AttemptTest(watched, limit: limit, alpha: alpha))
    let attempts = Proportion(Int64(own.failed), of: Int64(own.attempts))
    let below = share.evidenceBelow(own.outcomes)
    let found: MixtureTest.Decision = test.stops ? .stop : below >= share.threshold ? .widen : .goOn
    let decision = source.permitted(found, pastAttempts)
    self.init(
      limit: limit.rate, limitFrom: source, pastAttempts: pastAttempts, alpha: alpha, permitted: test.permitted,
      evidenceAbove: test.evidenceAbove, evidenceBelow: below, threshold: share.threshold,
      decision: decision, advice: watched.own.attempts > 0 ? decision.map(Failures.Advice.init) : nil,
      reachedAt: source == .floor ? nil : test.reachedAt,
      reached: source == .floor ? nil : StopEvidence(test.reached), settled: own.settled,
      watched: watched.own.attempts, watchedFailures: watched.own.events,
      sequence: attempts.confidenceSequence(level: level))
  }

  /// Whether the newest figures alone would stop it.
  public var holds: Bool { evidenceAbove >= threshold }

  /// Whether the limit can call a rate low.
  public var canWiden: Bool { limitFrom.permitted(.widen, pastAttempts) == .widen }
}

extension Failures {
  /// What is told where those that are old enough do not show it: all attempts from their start on. Who waits to see whether an attempt
  /// goes well has seen already that it failed.
  public var watchedRate: Estimate? {
    guard stopRule.decision == .stop ? isStopOfWatched : isHarmOfWatched else { return nil }
    return watched.wilson(level: rate.level)
  }

  private var watched: Proportion { Proportion(Int64(stopRule.watchedFailures), of: Int64(stopRule.watched)) }
  private var counted: Proportion { Proportion(Int64(failed), of: Int64(attempts)) }

  private var isStopOfWatched: Bool { attempts == 0 || stopRule.holds && (rate.value ?? 0) <= stopRule.limit }

  private var isHarmOfWatched: Bool {
    guard stopRule.watchedFailures > failed, stopRule.decision != .widen else { return false }
    if attempts == 0 { return true }
    return stopRule.settled < Verdict.fewestDevices && watched.isLikely(above: stopRule.limit)
      && !counted.isLikely(above: stopRule.limit)
  }
}

extension AttemptCounts {
  /// Failures of attempts whose outcome is known, as if the launches that are not settled yet had not been tried.
  ///
  /// Those that failed before a launch count in the share that settled launches are of all attempts that got so far.
  /// Counted whole they would make the rate of a release too high for as long as it is not launched everywhere.
  var outcomes: MixtureTest.Counts {
    let (early, launchable) = (failed - broken, attempts - (failed - broken))
    guard settled > 0, launchable > 0 else { return (0, 0) }
    let share = Double(early) * Double(settled) / Double(launchable)
    return (share + Double(broken), Double(settled - broken))
  }
}

extension Failures {
  /// Whether the rate is above the least of all limits, for certain: worth a look where no limit could be set.
  public var exceedsLeastLimit: Bool {
    let test = MixtureTest(limit: FailureLimit(configured: FailureLimit.least), alpha: stopRule.alpha)
    return test.evidenceAbove(watchedRate == nil ? counted : watched) >= test.threshold
  }
}

extension Failures {
  /// Whether a verdict calls first attempts healthy without certainty: enough of them are settled, and not too many failed.
  public var isLowSoFar: Bool {
    guard stopRule.canWiden || !exceedsLeastLimit, stopRule.settled >= Verdict.fewestDevices else { return false }
    return stopRule.limitFrom == .floor || (rate.value ?? 1) <= stopRule.limit
  }
}

extension Failures.LimitSource {
  fileprivate func permitted(_ decision: MixtureTest.Decision, _ pastAttempts: Int) -> MixtureTest.Decision? {
    switch self {
    case .configured: decision
    case .history:
      decision == .widen && pastAttempts < Failures.StopRule.fewestPastAttempts ? .goOn : decision
    case .floor: nil
    }
  }
}

extension Failures.Advice {
  fileprivate init(_ decision: MixtureTest.Decision) {
    self =
      switch decision {
      case .stop: .stop
      case .widen: .widen
      case .goOn: .watchOn
      }
  }
}
