import Lifecycle
import Store

extension Breadcrumbs {
  /// - Parameter stored: the single events that are left, newest first.
  init(
    _ trail: DeviceTrail, _ stored: [TrailEvent], _ vocabulary: Vocabulary, _ extent: FleetScope, _ options: Options
  ) {
    let labels = Dictionary(uniqueKeysWithValues: vocabulary.releases.map { ($0.id, $0.label.rawValue) })
    let single = stored.reversed().map(Crumb.init)
    // What lies before the oldest single event was removed, unless the limit cut it off.
    let horizon = single.map(\.at).min()
    let condensed =
      stored.count >= options.limit
      ? []
      : trail.condensed(vocabulary, labels, until: extent.now).filter { crumb in horizon.map { crumb.at < $0 } ?? true }
    let crumbs = (condensed + single).enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
    device = hexadecimal(trail.device)
    self.crumbs = crumbs.suffix(options.limit)
    let update = trail.update(labels, now: extent.now)
    let failure = trail.failure(vocabulary, labels, until: extent.now)?.explained(by: single)
    let running = trail.running(labels, now: extent.now)
    summary = trail.summary(update, failure, running, now: extent.now)
    platform = trail.history.platform
    appVersion = trail.history.appVersion
    channel = trail.history.channel.map(vocabulary.name)
    firstContact = trail.history.firstContact
    lastContact = trail.history.lastContact
    self.update = update
    self.running = running
    self.failure = failure
  }
}

extension Breadcrumbs.Failure {
  /// With the reason that its own event gives: of rollbacks and crashes nothing else keeps it.
  fileprivate func explained(by crumbs: [Breadcrumbs.Crumb]) -> Self {
    var copy = self
    let own = crumbs.first { $0.at == at && $0.stage == stage.rawValue && $0.release == release }
    copy.reason = reason ?? own?.reason
    return copy
  }
}

extension Breadcrumbs.Crumb {
  init(_ event: TrailEvent) {
    self.init(
      at: event.at, stage: event.stage.rawValue, trigger: event.trigger.rawValue, release: event.release,
      outcome: event.outcome?.rawValue, reason: event.reason, channel: event.channel, network: event.network,
      seconds: event.duration.map { Double($0.rawValue) / 1000 }, isCondensed: false,
      text: Self.words(event.stage, event.trigger, event.release, event.outcome, event.reason))
  }

  /// `downloadCompleted 2.0.0 by silentPush`, `wakeFinished by bgRefresh: noData`.
  static func words(
    _ stage: Stage, _ trigger: Trigger, _ release: String?, _ outcome: Outcome?, _ reason: String?
  ) -> String {
    let subject = release.map { stage.releaseMeaning == .running ? " (runs \($0))" : " \($0)" } ?? ""
    let by = trigger == .unknown ? "" : " by \(trigger.rawValue)"
    let ending = [outcome?.rawValue, reason].compactMap(\.self).joined(separator: ", ")
    return stage.rawValue + subject + by + (ending.isEmpty ? "" : ": " + ending)
  }
}

extension DeviceTrail {
  private static let told: [(milestone: Milestone, stage: Stage)] = [
    (.available, .available), (.downloadStarted, .downloadStarted), (.downloadCompleted, .downloadCompleted),
    (.verified, .verified), (.ready, .ready), (.applied, .applied), (.confirmed, .confirmed), (.dismissed, .dismissed),
    (.failed, .failed), (.rolledBack, .rolledBack), (.crashed, .crashed),
  ]

  /// The trail without single events: first times of stages, pushes, wake-ups and checks; in order of time.
  func condensed(_ vocabulary: Vocabulary, _ labels: [Int64: String], until now: Timestamp) -> [Breadcrumbs.Crumb] {
    var crumbs: [Breadcrumbs.Crumb] = []
    func add(
      _ at: Timestamp, _ stage: Stage, _ trigger: Trigger, _ release: String?, _ outcome: Outcome?, _ reason: String?,
      _ channel: Int64, _ duration: Milliseconds?
    ) {
      crumbs.append(
        Breadcrumbs.Crumb(
          at: at, stage: stage.rawValue, trigger: trigger.rawValue, release: release, outcome: outcome?.rawValue,
          reason: reason, channel: vocabulary.name(channel), network: nil,
          seconds: duration.map { Double($0.rawValue) / 1000 }, isCondensed: true,
          text: Breadcrumbs.Crumb.words(stage, trigger, release, outcome, reason)))
    }
    for fact in facts {
      add(
        fact.at, fact.stage, fact.trigger, labels[fact.release], fact.outcome, nil, fact.channel, fact.duration)
    }
    for journey in journeys {
      for (milestone, stage) in Self.told {
        let first = journey.first(milestone)
        guard first.happened, first.at <= now else { continue }
        let reason = milestone == .failed ? journey.failureReason.map(vocabulary.name) : nil
        add(first.at, stage, first.trigger, labels[journey.release], nil, reason, journey.channel, nil)
      }
    }
    return crumbs.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  /// The update that was applied last.
  ///
  /// - Parameter release: only updates to this one.
  func update(_ labels: [Int64: String], to release: Int64? = nil, now: Timestamp) -> Breadcrumbs.Update? {
    let applied = journeys.filter {
      release ?? $0.release == $0.release && $0.first(.applied).happened && $0.first(.applied).at <= now
    }
    let newest = applied.max {
      ($0.first(.applied).at, labels[$0.release] ?? "") < ($1.first(.applied).at, labels[$1.release] ?? "")
    }
    return newest.map { journey in
      let at = journey.first(.applied).at
      return Breadcrumbs.Update(
        release: labels[journey.release] ?? "", at: at, secondsAgo: (now - at).secondsRoundedDown,
        mechanism: journey.row.mechanism.rawValue,
        secondsFromOffer: journey.row.firstOffer.map { max(0, (at - $0).secondsRoundedDown) })
    }
  }

  /// nil where it never said what it runs.
  func running(_ labels: [Int64: String], now: Timestamp) -> Breadcrumbs.Running? {
    guard let id = history.running, let label = labels[id] else { return nil }
    let update = update(labels, to: id, now: now)
    return Breadcrumbs.Running(
      release: label, at: update?.at, secondsAgo: update?.secondsAgo, mechanism: update?.mechanism,
      secondsFromOffer: update?.secondsFromOffer)
  }

  /// The newest of all first failures, rollbacks and crashes.
  func failure(_ vocabulary: Vocabulary, _ labels: [Int64: String], until now: Timestamp) -> Breadcrumbs.Failure? {
    let all = journeys.flatMap { journey in
      FailedStage.allCases.map { (stage: $0, first: journey.first($0.milestone)) }
        .filter { $0.first.happened && $0.first.at <= now }.map { stage, first in
          Breadcrumbs.Failure(
            release: labels[journey.release] ?? "", at: first.at, stage: stage,
            reason: stage == .failed ? journey.failureReason.map(vocabulary.name) : nil)
        }
    }
    return all.max { ($0.at, $0.release, $0.stage.rawValue) < ($1.at, $1.release, $1.stage.rawValue) }
  }

  /// One line for a person who looks into a complaint.
  func summary(
    _ update: Breadcrumbs.Update?, _ failure: Breadcrumbs.Failure?, _ running: Breadcrumbs.Running?, now: Timestamp
  ) -> String {
    var parts: [String] = []
    if let update {
      let by = update.mechanism == Trigger.unknown.rawValue ? "" : ", delivered by \(update.mechanism)"
      parts.append("applied \(update.release) \(ago(update.at, now))\(by)")
      if let running, running.release != update.release { parts.append("runs \(running.release)") }
    } else {
      parts.append("no update applied")
    }
    if let failure {
      parts.append(
        "\(failure.release) \(failure.stage.words) \(ago(failure.at, now))" + (failure.reason.map { " (\($0))" } ?? ""))
    }
    let silence = history.ahead == nil ? "never heard of, only sent pushes" : "heard of only ahead of now"
    parts.append(history.lastContact.map { "last heard of \(ago($0, now))" } ?? silence)
    return parts.joined(separator: "; ")
  }

  private func ago(_ instant: Timestamp, _ now: Timestamp) -> String {
    let seconds = max(0, (now - instant).rawValue / 1000)
    switch seconds {
    case ..<120: return "\(seconds) s ago"
    case ..<7200: return "\(seconds / 60) min ago"
    case ..<172_800: return "\(seconds / 3600) h ago"
    default: return "\(seconds / 86_400) d ago"
    }
  }
}

extension FailedStage {
  /// `2.0.0 was rolled back 3 h ago`
  fileprivate var words: String {
    switch self {
    case .failed: "failed"
    case .rolledBack: "was rolled back"
    case .crashed: "crashed"
    }
  }
}
