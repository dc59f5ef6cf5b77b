import Lifecycle
import Statistics

/// All that a verdict rests on.
struct VerdictEvidence {
  var release: String
  var channel: String
  /// Empty for all.
  var platforms: [String]
  var now: Timestamp
  var start: Timeline.Start
  var progress: RolloutProgress
  var haltedAt: Timestamp?
  var supersededAt: Timestamp?
  /// What those get whom the newest leaves out.
  var isRest: Bool
  /// What a release followed that nobody registered, and that hardly any device took.
  var isBeforeUnregistered = false
  /// From the publication to where the data are complete.
  var followed: Milliseconds
  /// Whether first attempts are counted up to now all the same.
  var areAttemptsUntilNow = false
  /// Of those with devices at risk the one that it came to last; nil where it came to all at once.
  var lastPlatform: FollowedPart?
  var attempts: Failures?
  /// The same against a limit.
  var attemptsWith: (Double) -> Failures?
  /// The same platform by platform.
  var attemptsApart: [PlatformAttempts]
  /// At the age of the objective.
  var age: Adoption.Age?
  /// So much later as the rollout stood at 0 % amid the objective's time; nil where it did not.
  var ageWithPauses: Adoption.Age?
  var compared: SpeedBefore.Found?
  var stays: StaysCase.Found?
  /// nil where it was not counted.
  var onDevices: RunningReleases?
  /// With their launches.
  var gone: [(release: GoneRelease, launches: LaunchCounts)]
  /// Counted of a part of the devices; nil where nobody can have been silent for long enough, and until it was counted.
  var fellSilent: SilenceTally?
  /// Likewise; nil where nobody can have crashed late, or been rolled back.
  var late: LateHarmTally?
  var launches: LaunchCounts
  /// The same platform by platform.
  var apart: [PlatformLaunches]
  /// Devices that are known to be there, whether they may have the release or not.
  var fleet: Int
  /// When any device was first heard of on the channel; nil where none was.
  var firstHeard: Timestamp?
  /// Devices that may have it, where none is known to have got it or to have tried; nil where any is.
  var unreached: Int?
  /// The release that its speed is held against.
  var precedent: String?
  var precedentStart: Timeline.Start?
  /// Of the releases before that say what is usual, the newest first.
  var past: [(release: String, launches: LaunchCounts)]
  var newest: Timestamp?
  /// Where the fleet fell silent before the cutoff.
  var silence: FleetSilence?
  var options: Verdict.Options
  var minCell: Int
  var level: Double

  var percent: Double? { progress.furthest }
  var isReplaced: Bool { supersededAt.map { $0 <= now } ?? false }
  /// What was answered before somebody opened the rollout again is over.
  var looks: CountedLooks? { looks(until: now) }
  /// What a halt does to devices, as taking a release back from them, does not speak against the release.
  var looksUntilHalt: CountedLooks? { isHalted ? haltedAt.flatMap(looks) ?? looks : looks }
  var isHalted: Bool { haltedAt.map { $0 <= now } ?? false }

  private func looks(until end: Timestamp) -> CountedLooks? {
    CountedLooks(LookGrid(from: start.publishedAt), since: start.reopenedAt(until: now), until: end)
  }
}

extension Verdict {
  init(_ evidence: VerdictEvidence, _ counts: RiskCounts?) {
    let reasons = evidence.reasons
    let superseded = evidence.supersededAt.flatMap { $0 <= evidence.now ? $0 : nil }
    self.init(
      release: evidence.release, channel: evidence.channel, platforms: evidence.platforms.filter { !$0.isEmpty },
      decision: reasons[0].decision, condition: reasons[0].condition,
      isLikelyHarmful: reasons[0].condition == .unsettled && reasons[0].isLikelyHarm,
      isTooSmall: evidence.isTooSmall(reasons[0]),
      state: Releases.State(
        evidence.progress, isInferred: evidence.start.isInferred, isSuperseded: superseded != nil),
      rolloutPercent: evidence.start.isInferred ? nil : evidence.progress.percent,
      rolloutByPlatform: evidence.progress.apart,
      publishedAt: evidence.start.publishedAt, isInferred: evidence.start.isInferred,
      devices: counts?.devices ?? 0, events: counts?.events ?? 0, observedShare: counts?.observedShare,
      observedReason: counts?.observedReason, reasons: reasons, stillRun: evidence.stillRun(reasons[0]),
      othersStillRun: evidence.othersStillRun, lookAgainAt: evidence.lookAgain(reasons),
      wouldChange: evidence.wouldChange(reasons[0]))
  }
}
