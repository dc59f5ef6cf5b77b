import Lifecycle
import Store

/// What is counted of all releases of an app.
struct ReleaseCounting {
  private let source: Source
  let targets: [ReleaseRecord]
  let cutOff: CutOff
  private let counts: ReleaseCounts

  /// Tables of a summary are read when they are looked at: all at once they would take a release's room each.
  private enum Source { case summary(Summary), tables([RiskTables]) }

  init(_ snapshot: borrowing Snapshot, _ selection: Selection, _ timeline: Timeline) throws {
    targets = timeline.releases
    cutOff = CutOff(snapshot.vocabulary, app: selection.app, now: selection.now)
    if let summary = try Summary(snapshot, selection, timeline), let counts = try summary.counts(snapshot, targets) {
      (source, self.counts) = (.summary(summary), counts)
    } else {
      let question = RiskQuestion(snapshot.vocabulary, selection, timeline, timeline.releases, [])
      let tally = try CatalogueTally.counted(snapshot, question, of: targets)
      (source, self.counts) = (.tables(tally.risk.tables), tally.counts)
    }
  }

  /// Of some of the targets.
  func tables(_ snapshot: borrowing Snapshot, _ some: Range<Int>) throws -> [RiskTables] {
    switch source {
    case .summary(let summary): try summary.tables(snapshot, Array(targets[some]))
    case .tables(let tables): Array(tables[some])
    }
  }

  var dataThrough: Timestamp? {
    switch source {
    case .summary(let summary): summary.state.dataThrough
    case .tables(let tables): tables.first?.dataThrough
    }
  }

  /// nil where they depend on the cutoff, or nothing was summarised.
  func figures(_ release: Int64, _ channel: String, _ level: Double) -> ReleaseFigures? {
    level == ReleaseFigures.level ? counts.settled[.init(release, channel)] : nil
  }

  func offered(_ release: Int64, _ channel: String) -> Int { counts.offered[.init(release, channel)] ?? 0 }
  func attempts(_ release: Int64, _ channel: String) -> AttemptCounts {
    counts.attempts[.init(release, channel)] ?? .init()
  }
  func running(_ release: Int64, _ channel: String) -> Int { counts.running[.init(release, channel)] ?? 0 }
  func reachable(_ channel: String) -> Int { counts.reachable[channel] ?? 0 }
}

/// The time at risk for some releases, with first attempts at others and what devices run.
struct CatalogueTally: Tally {
  var risk: RiskTally
  var counts: ReleaseCounts

  mutating func count(_ page: borrowing ShardPage) throws {
    try risk.count(page)
    try counts.count(page, risk.question)
  }

  mutating func add(_ other: CatalogueTally) {
    risk.add(other.risk)
    counts.add(other.counts)
  }

  /// - Parameter releases: those that are counted; time at risk is that for the question's targets only.
  static func counted(
    _ snapshot: borrowing Snapshot, _ question: RiskQuestion, of releases: [ReleaseRecord], keepsPending: Bool = false
  ) throws -> CatalogueTally {
    var need = question.need
    for release in releases { need.journeys[release.id] = .all }
    need.devices.insert(.buckets)
    return try snapshot.count(need) {
      CatalogueTally(
        risk: RiskTally(question), counts: ReleaseCounts(cutOff: question.cutOff.at, keepsPending: keepsPending))
    }
  }
}
