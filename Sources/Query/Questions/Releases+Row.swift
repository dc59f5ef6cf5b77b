import Lifecycle
import Statistics
import Store

extension Releases {
  /// By channel, the newest publication first.
  static func rows(_ counting: ReleaseSums, _ selection: Selection, _ timeline: Timeline) -> [Releases] {
    zip(counting.openings, counting.figures).map { Releases($0, $1, counting, selection, timeline) }.sorted {
      ($0.channel, $1.publishedAt, $0.release) < ($1.channel, $0.publishedAt, $1.release)
    }
  }

  private init(
    _ opening: ReleaseSums.Opening, _ figures: ReleaseFigures, _ counting: ReleaseSums,
    _ selection: Selection, _ timeline: Timeline
  ) {
    let (record, channel, start) = opening
    // Who publishes is heard of at once, unlike devices.
    let (now, level) = (selection.now, selection.level)
    let tally = counting.attempts(record.id, channel)
    let launches = counting.launches(record.id, channel)
    func share(_ count: Int) -> Estimate { Proportion(Int64(count), of: Int64(launches.launched)).wilson(level: level) }
    let superseded = timeline.replacedAt(record.id, channel: channel, platforms: selection.platforms)
      .flatMap { $0 <= now ? $0 : nil }
    let progress = timeline.progress(record.id, channel: channel, platforms: selection.platforms, at: now)
    let (reachable, running) = (counting.reachable(channel), counting.running(record.id, channel))
    self.init(
      app: selection.app, release: record.label.rawValue, channel: channel,
      state: State(progress, isInferred: start.isInferred, isSuperseded: superseded != nil),
      rolloutPercent: start.isInferred ? nil : progress.percent, rolloutByPlatform: progress.apart,
      isInferred: start.isInferred, isMandatory: start.mandatory, publishedAt: start.publishedAt,
      supersededAt: superseded, isTooNew: CutOff.isTooNew(start.publishedAt, counting.cutOff.at, now: now),
      ageSeconds: start.publishedAt <= now ? (now - start.publishedAt).rawValue / 1000 : nil,
      offered: counting.offered(record.id, channel), devices: figures.devices, events: figures.events,
      observedShare: Proportion.observed(figures.events, of: figures.devices),
      observedReason: figures.isOfOffered ? .clockFromOffer : nil,
      adopted: figures.adopted, adoptedAtMost: figures.atMost, adoptedAtLeast: figures.atLeast,
      adoptedAtSeconds: figures.adoptedAtSeconds, isUnstable: figures.isUnstable,
      median: figures.median,
      attempts: tally.attempts, failed: tally.failed,
      failureRate: Proportion(Int64(tally.failed), of: Int64(tally.attempts)).wilson(level: level),
      launched: launches.launched, rolledBack: launches.rolledBack, rolledBackRate: share(launches.rolledBack),
      crashed: launches.crashed, crashedRate: share(launches.crashed), reachable: reachable, running: running,
      reach: Proportion(Int64(running), of: Int64(reachable)).wilson(level: level),
      isPolled: figures.isPolled, sparkline: figures.sparkline)
  }
}
