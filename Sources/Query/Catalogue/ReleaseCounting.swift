import Lifecycle
import Store

/// What one walk over an app's devices collects for all of its releases.
struct ReleaseCounting {
  private let source: Source
  let targets: [ReleaseRecord]
  let cutOff: CutOff
  private let counts: ReleaseCounts

  /// Tables of a summary are read when they are looked at: all at once they would take a release's room each.
  private enum Source { case summary(Summary), walk([RiskTables]) }

  init(_ snapshot: borrowing Snapshot, _ selection: Selection, _ timeline: Timeline) throws {
    targets = timeline.releases
    cutOff = CutOff(snapshot.vocabulary, app: selection.app, now: selection.now)
    if let summary = try Summary(snapshot, selection, timeline), let counts = try summary.counts(snapshot, targets) {
      (source, self.counts) = (.summary(summary), counts)
    } else if OutlineQuestion.isEnough(selection, []) {
      let question = OutlineQuestion(snapshot.vocabulary, selection, timeline, timeline.releases, [])
      let (tables, counts) = try Self.fromOutlines(snapshot, question)
      (source, self.counts) = (.walk(tables), counts)
    } else {
      let (tables, counts) = try Self.fromRuns(snapshot, selection, timeline)
      (source, self.counts) = (.walk(tables), counts)
    }
  }

  /// By the contact runs of every device: for every rule, and to hold the outlines against.
  static func fromRuns(
    _ snapshot: borrowing Snapshot, _ selection: Selection, _ timeline: Timeline
  ) throws -> ([RiskTables], ReleaseCounts) {
    var walk = RiskWalk(snapshot.vocabulary, selection, timeline, timeline.releases)
    let (vocabulary, cutOff, targets) = (snapshot.vocabulary, walk.cutOff.at, timeline.releases.count)
    let parts = try walk.run(
      snapshot,
      start: { (cells: RiskCells([], targets: targets), counts: ReleaseCounts(cutOff: cutOff), sweep: ReachSweep()) },
      device: { $0.counts.add($1, &$0.sweep, selection, timeline, vocabulary) }
    ) { $0.cells.add($1) }
    var sum = (cells: RiskCells([], targets: targets), counts: ReleaseCounts(cutOff: cutOff))
    for part in parts {
      sum.cells.add(part.cells)
      sum.counts.add(part.counts)
    }
    return (sum.cells.tables(walk), sum.counts)
  }

  static func fromOutlines(
    _ snapshot: borrowing Snapshot, _ question: OutlineQuestion
  ) throws -> ([RiskTables], ReleaseCounts) {
    let (walks, counts) = try collected(snapshot, question, of: question.targets)
    return (OutlineWalk.tables(of: question, walks), counts)
  }

  /// - Parameter releases: those that are counted; tables are collected of the question's targets only.
  static func collected(
    _ snapshot: borrowing Snapshot, _ question: OutlineQuestion, of releases: [ReleaseRecord],
    keepsPending: Bool = false
  ) throws -> (walks: [OutlineWalk], counts: ReleaseCounts) {
    let none = ReleaseCounts(cutOff: question.cutOff.at, keepsPending: keepsPending)
    let states = try snapshot.eachOutline(
      app: question.selection.app, releases: Set(releases.map(\.id)),
      ColumnChoice(Milestone.allCases, reasons: true, buckets: true),
      start: { (walk: OutlineWalk(question), counts: none) },
      { state, page, read in
        try state.walk.add(page, read)
        try state.counts.add(page, &state.walk, read)
      })
    var sum = none
    for state in states { sum.add(state.counts) }
    return (states.map(\.walk), sum)
  }

  /// Of some of the targets.
  func tables(_ snapshot: borrowing Snapshot, _ some: Range<Int>) throws -> [RiskTables] {
    switch source {
    case .summary(let summary): try summary.tables(snapshot, Array(targets[some]))
    case .walk(let tables): Array(tables[some])
    }
  }

  var dataThrough: Timestamp? {
    switch source {
    case .summary(let summary): summary.state.dataThrough
    case .walk(let tables): tables.first?.dataThrough
    }
  }

  /// nil where they depend on the cut-off, or nothing was summarised.
  func figures(_ release: Int64, _ channel: String, _ level: Double) -> ReleaseFigures? {
    level == ReleaseFigures.level ? counts.settled[.init(release, channel)] : nil
  }

  func offered(_ release: Int64, _ channel: String) -> Int { counts.offered[.init(release, channel)] ?? 0 }
  func attempts(_ release: Int64, _ channel: String) -> AttemptWalk.Tally {
    counts.attempts[.init(release, channel)] ?? .init()
  }
  func running(_ release: Int64, _ channel: String) -> Int { counts.running[.init(release, channel)] ?? 0 }
  func reachable(_ channel: String) -> Int { counts.reachable[channel] ?? 0 }
}
