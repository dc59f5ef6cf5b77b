internal import Console
import Lifecycle
import Statistics
import Store

/// A release on a channel that is to be judged: what has to be counted for that, and what the rules make of it.
struct VerdictCase {
  let chosen: ReleaseScope
  let channel: String
  /// With the platforms that it is judged on.
  let extent: FleetScope
  /// Those that the question names, whether they are judged or not.
  private let askedPlatforms: [String]
  private let start: Timeline.Start
  private let options: Verdict.Options
  /// Of fewer devices nothing is said, neither here nor on the release before.
  private let minCell: Int
  /// Up to five, the newest first.
  private let past: [ReleaseRecord]
  private let precedent: ReleaseRecord?
  private let failures: Failures.Question
  private let cutOff: Timestamp
  private let adoption: Adoption.Question
  private let before: SpeedBefore?
  private let standings: ReachCounting
  /// Up to now, as launches are.
  private let running: ReachCounting
  private let stays: StaysCase?
  /// Other releases of the channel that were taken from it lately.
  private let gone: [GoneRelease]
  private let silence: SilenceCase?
  /// nil where it was replaced, and before its publication.
  private let late: LateHarmCounting?
  /// What those get whom the newest leaves out.
  let isRest: Bool
  /// What a release followed that nobody registered: judged for harm alone, and told where hardly any device took the other.
  let isBeforeUnregistered: Bool

  init(
    _ vocabulary: Vocabulary, _ asked: FleetScope, _ options: Verdict.Options, _ record: ReleaseRecord,
    _ channel: String, isBeforeUnregistered: Bool = false
  ) throws {
    self.isBeforeUnregistered = isBeforeUnregistered
    var (extent, chosen) = (
      asked, try ReleaseScope(vocabulary, app: asked.app, release: record.label, now: asked.now)
    )
    extent.platforms = chosen.timeline.judged(record.id, on: channel, platforms: asked.platforms, at: asked.now)
    (self.extent, askedPlatforms) = (extent, asked.platforms)
    chosen.selection.channels = [channel]
    (chosen.selection.platforms, chosen.selection.level) = (extent.platforms, extent.level)
    (chosen.selection.only, chosen.selection.includesEmulators) = (extent.only, extent.includesEmulators)
    chosen.selection.population = extent.population
    (self.chosen, self.channel, self.options) = (chosen, channel, options)
    start =
      chosen.timeline.start(record.id, channel: channel, platforms: extent.platforms)
      ?? Timeline.Start(publishedAt: extent.now, rollout: [], mandatory: false, isInferred: true)
    past = Array(chosen.timeline.precedents(of: record, chosen.selection).prefix(5))
    var attempts = Failures.Options()
    attempts.limit = options.limit
    // Else one phone that was off line would take back a stop that others have told.
    let end = CutOff(vocabulary, chosen.selection)
    var tried = chosen
    tried.selection.isProvisional = end.isOfFew
    cutOff = end.at
    failures = Failures.Question(vocabulary, tried, attempts, keepsPlatforms: true)
    var aged = Adoption.Options()
    aged.ages = Self.ages(options.objective, start, extent.now)
    (aged.baseline, aged.points) = (.none, 2)
    adoption = try Adoption.Question(vocabulary, chosen, aged)
    minCell = extent.minCell
    let isReplaced = chosen.timeline.replacedAt(record.id, channel: channel, platforms: extent.platforms)
      .map { $0 <= extent.now }
    let ages = [1, 3, 6, 12, 24, 48, 72].map { Milliseconds.hours($0) }
    precedent = chosen.timeline.precedent(of: record, chosen.selection)
    before =
      isReplaced == true
      ? nil : precedent.map { SpeedBefore(vocabulary, chosen.with(extent.minCell), with: $0, ages: ages) }
    standings = ReachCounting(
      vocabulary, chosen, windows: [chosen.selection.reachWindow], instants: [], past: [],
      cutOff: cutOff)
    let halt = chosen.timeline.haltedAt(record.id, channel: channel, platforms: extent.platforms)
    running = ReachCounting(
      vocabulary, chosen, windows: Self.windows(chosen.selection.reachWindow, since: halt, extent.now), instants: [],
      past: [], cutOff: extent.now)
    stays = isReplaced == true ? nil : StaysCase(vocabulary, standings, channel, start)
    gone = isReplaced == true ? [] : chosen.timeline.gone(beside: record, on: channel, chosen.selection)
    isRest =
      isReplaced == true
      && chosen.timeline.isRest(record.id, on: channel, platforms: extent.platforms, at: extent.now)
    silence =
      isReplaced == true && !isRest ? nil : SilenceCase(vocabulary, chosen, channel, start, cutOff)
    let days = isReplaced == true && !isRest ? nil : LateDays(from: start.publishedAt, until: extent.now)
    let lowered = start.lowered(until: extent.now) + [halt].compactMap(\.self).filter { $0 <= asked.now }
    late = days.map { [chosen] in LateHarmCounting(vocabulary, chosen, channel, $0, lowered: lowered) }
  }

  /// How long devices may have been silent, and of a halt that is a day old or older the time since: what contacts tell of shorter times is
  /// not exact.
  private static func windows(_ longest: Milliseconds, since halt: Timestamp?, _ now: Timestamp) -> [Milliseconds] {
    [longest] + [halt.map { now - $0 }].compactMap(\.self).filter { $0 >= .days(1) && $0 < longest }
  }

  /// That of the objective, and where the rollout stood at 0 % amid it, so much later.
  private static func ages(_ objective: Verdict.Objective?, _ start: Timeline.Start, _ now: Timestamp) -> [Milliseconds]
  {
    guard let within = objective?.within else { return [] }
    guard start.pause(amid: within, until: now) != nil else { return [within] }
    return [within, Milliseconds(rawValue: within.rawValue + start.paused(until: now).rawValue)]
  }

  var releases: [Int64] { [chosen.target.id] + past.map(\.id) + gone.map(\.record.id) }

  var counts: Counts {
    Counts(
      failures.counts.all + adoption.counts.all + (before?.counts.all ?? [])
        + (stays != nil ? [standings] : []) + (!gone.isEmpty || isOver ? [running] : []))
  }

  /// Whether nobody gets it any more: then it is asked who still runs it.
  private var isOver: Bool {
    if isBeforeUnregistered { return false }
    let (timeline, id, now) = (chosen.timeline, chosen.target.id, chosen.selection.now)
    return timeline.isHalted(id, channel: channel, platforms: extent.platforms, at: now)
      || !isRest && timeline.replacedAt(id, channel: channel, platforms: extent.platforms).map { $0 <= now } ?? false
  }

  /// What adoption and speed need where times lie between checks: at the checks themselves a release would seem to miss its objective,
  /// and be slow beside one whose times are known.
  ///
  /// - Parameter row: as it is without; nil where it is withheld.
  func more(_ ledger: Ledger, _ row: Verdict?) -> Counts {
    let found = adoption.findings(ledger)
    // Counts are told whether or not there is an objective, and are those of `adoption`.
    let adoption = adoption.more(found, ledger).all
    let isSlower = row?.reasons.contains { $0.subject == .speed && $0.value?.hi ?? 0 < 0 } ?? false
    let attempts = silence == nil && late == nil ? nil : failures.findings(ledger).rows.first
    var more = adoption + (before?.more(ledger, isSlower: isSlower).all ?? [])
    if let silent = silenceCounting(attempts, found.rows.first?.counts) { more.append(silent) }
    // Who launched it less than a day ago cannot have crashed later than that, nor been rolled back.
    if let late, let attempts, attempts.applies > 0 { more.append(late) }
    if row?.decision == .stop { more.append(running) }
    if row?.reasons.contains(where: { $0.condition == .undone }) ?? false, let updates = stays?.more(ledger) {
      more.append(updates)
    }
    return Counts(more)
  }

  private func silenceCounting(_ attempts: Failures?, _ counts: RiskCounts?) -> SilenceCounting? {
    let taken = max(counts?.events ?? 0, attempts?.tried ?? 0)
    return silence?.counting(fleet: max(counts?.fleet ?? 0, taken), taken: taken)
  }

  /// Of a release that came after the cutoff nobody is known to be eligible, but who is there to become so.
  private func waiting(_ counts: RiskCounts?) -> Int {
    start.publishedAt >= cutOff && start.publishedAt < chosen.selection.now
      ? counts?.excluded[Exclusion.notEligible.rawValue] ?? 0 : 0
  }

  /// How many devices updated, and how fast; nil where none is at risk.
  func adopted(_ ledger: Ledger) -> Counted<Adoption>? { adoption.findings(ledger).rows.first }

  /// Where more than a hundredth updated before the publication, it moved or is wrong, and what is judged happened before it as well.
  func updatedEarly(_ counts: RiskCounts?) -> Warning? {
    early(.skewExcluded, counts).map { devices in
      Warning(
        Warning.updatedEarly,
        "\(devices) say they updated to \(named(chosen.target.label.rawValue)) before it was published on \(named(channel)): is its"
          + " publication right? What they did then is judged, too, and says nothing of now")
    }
  }

  /// Where more than a hundredth ran it before their step let them, the rollout is not the one that was registered.
  func ranBeforeStep(_ counts: RiskCounts?) -> Warning? {
    early(.beforeEligibility, counts).map { devices in
      Warning(
        Warning.beforeEligibility,
        "\(devices) ran \(named(chosen.target.label.rawValue)) on \(named(channel)) before their rollout step let them, so more have"
          + " it than the rollout says: are the steps, and the buckets that clients send, right?")
    }
  }

  /// Where hardly anybody saw an update launch, clients send checks alone: then nothing that goes wrong may be told, though some, as Expo's,
  /// tell of rollbacks in these.
  func saysNothingOfHarm(_ counts: RiskCounts?, _ row: Verdict) -> Warning? {
    guard let counts, counts.events >= Diagnosis.fewest,
      let implied = counts.remarks[Remark.impliedByCheck.rawValue], implied * 20 > counts.events * 19,
      row.reasons.allSatisfy({ !$0.hasHarm })
    else { return nil }
    let all =
      implied < counts.events ? "\(grouped(implied)) of \(grouped(counts.events))" : "all \(grouped(counts.events))"
    return Warning(
      Warning.checksOnly,
      "\(all) updates to \(named(row.release)) on \(named(channel)) are known from checks alone:"
        + " unless the client says in its checks that it fails, crashes or is rolled back, 0 of these is no measurement: let"
        + " clients send applied, failed and rolledBack")
  }

  /// Whether a release before crashed or was rolled back on some device: then clients do tell, also those of which nothing else is known.
  func wasToldOfHarm(_ launches: LaunchTally) -> Bool {
    past.contains { release in
      let counts = launches.counts(release.id, channel)
      return counts.crashes.events + counts.rollbacks.events > 0
    }
  }

  /// With fewer launches none of them need have crashed.
  private static let fewestUntold = 1000

  /// Where so many launched it, or one of the releases before, and no device ever said that it crashed or was rolled back, it may be that
  /// clients do not say it.
  func neverToldOfHarm(_ launches: LaunchTally, _ ledger: Ledger, _ row: Verdict) -> Warning? {
    let all = ([chosen.target] + past).reduce(into: LaunchCounts()) {
      $0.add(launches.counts($1.id, channel), times: 1)
    }
    let late = late.flatMap { ledger.known($0) }.map {
      $0.whole(\.crashes).all.affected + $0.whole(\.rollbacks).all.affected
    }
    guard all.launched >= Self.fewestUntold, all.crashes.events + all.rollbacks.events + (late ?? 0) == 0,
      row.reasons.allSatisfy({ !$0.hasHarm })
    else { return nil }
    let before = past.isEmpty ? "" : " and of the \(past.count) before it"
    return Warning(
      Warning.harmNeverTold,
      "none of \(grouped(all.launched)) launches of \(named(chosen.target.label.rawValue)) on \(named(channel))\(before) was followed by"
        + " a word of a crash or a rollback: unless clients send crashed and rolledBack, 0 of these is no measurement")
  }

  /// Devices that may have it; nil where any of the app's devices is known to have got it or to have tried, in whatever way.
  private func unreached(_ counts: RiskCounts?, _ attempts: Failures?, _ launches: LaunchTally) -> Int? {
    let own = launches.counts(chosen.target.id, channel)
    guard let counts, counts.events == 0, attempts.map({ $0.tried == 0 }) ?? true, own.launched == 0 else { return nil }
    let got: [Exclusion] = [.bornOn, .firstSeenAtUpdate, .skewExcluded, .beforeEligibility]
    return got.allSatisfy { (counts.excluded[$0.rawValue] ?? 0) == 0 } ? counts.devices : nil
  }

  /// `362 of 399 devices`; nil where it is a hundredth at most.
  private func early(_ exclusion: Exclusion, _ counts: RiskCounts?) -> String? {
    guard let counts, let early = counts.excluded[exclusion.rawValue],
      early * 100 > counts.devices + early
    else { return nil }
    return "\(grouped(early)) of \(counted(counts.devices + early, "device"))"
  }

  /// The one that it came to last, where it came to another before.
  private func lastPlatform(_ ledger: Ledger) -> FollowedPart? {
    adoption.platforms(ledger).filter { $0.publishedAt > start.publishedAt }.max { $0.publishedAt < $1.publishedAt }
  }

  private func apart(_ launches: LaunchTally) -> [PlatformLaunches] {
    launches.platforms(chosen.target.id, channel).map { platform in
      func counts(_ release: ReleaseRecord) -> LaunchCounts { launches.counts(release.id, channel, platform: platform) }
      return PlatformLaunches(
        platform: platform ?? "", launches: counts(chosen.target),
        past: past.map { ($0.label.rawValue, counts($0)) })
    }
  }

  /// nil where it was not counted.
  private func onDevices(_ ledger: Ledger) -> RunningReleases? {
    ledger.known(running).map { RunningReleases($0, running) }
  }

  /// Devices that tried to get it, or launched it.
  func takers(_ ledger: Ledger, _ launches: LaunchTally) -> Int {
    let tried = failures.findings(ledger).rows.first?.tried ?? 0
    return max(tried, launches.counts(chosen.target.id, channel).launched)
  }

  /// - Returns: the verdict, and how many devices it is about.
  func verdict(
    _ ledger: Ledger, _ adopted: Counted<Adoption>?, _ launches: LaunchTally, _ silence: FleetSilence?
  ) -> (row: Verdict, size: Int) {
    let attempts = failures.findings(ledger).rows.first
    let (timeline, now, platforms) = (chosen.timeline, chosen.selection.now, extent.platforms)
    let evidence = VerdictEvidence(
      release: chosen.target.label.rawValue, channel: channel, platforms: platforms, now: now, start: start,
      progress: timeline.progress(chosen.target.id, channel: channel, platforms: askedPlatforms, at: now),
      haltedAt: timeline.haltedAt(chosen.target.id, channel: channel, platforms: platforms),
      supersededAt: timeline.replacedAt(chosen.target.id, channel: channel, platforms: platforms), isRest: isRest,
      isBeforeUnregistered: isBeforeUnregistered,
      followed: cutOff - start.publishedAt, areAttemptsUntilNow: failures.cutOff == now,
      lastPlatform: lastPlatform(ledger), attempts: attempts,
      attemptsWith: { [failures] in failures.with(limit: $0).findings(ledger).rows.first },
      attemptsApart: failures.platforms(ledger),
      age: adopted?.figures.ages.first, ageWithPauses: adopted?.figures.ages.dropFirst().first,
      compared: before?.found(ledger),
      stays: adopted.flatMap { stays?.found(ledger, $0.counts) },
      onDevices: onDevices(ledger),
      gone: gone.map { ($0, launches.counts($0.record.id, channel)) },
      fellSilent: silenceCounting(attempts, adopted?.counts).flatMap { ledger.known($0) },
      late: late.flatMap { ledger.known($0) },
      launches: launches.counts(chosen.target.id, channel), apart: apart(launches),
      fleet: max(adopted?.counts.fleet ?? 0, launches.counts(chosen.target.id, channel).launched),
      firstHeard: timeline.firstHeard(on: channel),
      unreached: unreached(adopted?.counts, attempts, launches),
      precedent: precedent?.label.rawValue,
      precedentStart: precedent.flatMap { timeline.start($0.id, channel: channel, platforms: platforms) },
      past: past.map { ($0.label.rawValue, launches.counts($0.id, channel)) },
      newest: launches.newest.at, silence: silence,
      options: options, minCell: minCell, level: chosen.selection.level)
    let known = [
      adopted?.counts.devices ?? 0, attempts?.tried ?? 0, evidence.launches.launched, waiting(adopted?.counts),
    ]
    return (Verdict(evidence, adopted?.counts), known.max() ?? 0)
  }
}

extension Failures {
  fileprivate var tried: Int { attempts + tooYoung }
}

extension RiskCounts {
  fileprivate var fleet: Int {
    let apart: [Exclusion] = [.emulator, .neverReachable]
    return devices + excluded.reduce(0) { apart.map(\.rawValue).contains($1.key) ? $0 : $0 + $1.value }
  }
}

extension ReleaseScope {
  fileprivate func with(_ minCell: Int) -> ReleaseScope {
    var copy = self
    copy.selection.minCell = minCell
    return copy
  }
}
