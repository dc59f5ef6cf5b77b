import Lifecycle
import Store

/// The default questions of releases, answered from what was summarised when the last events were folded.
///
/// Exact, or not used at all: every event is in it, publications are what they were, and the cutoff lies after the
/// newest contact and not beyond the next publication or rollout step.
public struct Summary {
  let selection: Selection
  private let timeline: Timeline
  let state: SummaryState
  let cutOff: CutOff

  /// nil where the question must be answered from the devices.
  init?(_ snapshot: borrowing Snapshot, _ selection: Selection, _ timeline: Timeline) throws {
    guard selection.isByDefaultRules,
      let state = try snapshot.summaryState(app: selection.app), state.ground == timeline.ground
    else { return nil }
    let cutOff = CutOff(snapshot.vocabulary, app: selection.app, now: selection.now)
    guard cutOff.at >= state.since, cutOff.at <= state.until else { return nil }
    self.selection = selection
    self.timeline = timeline
    self.state = state
    self.cutOff = cutOff
  }

  /// nil where the summary was replaced meanwhile.
  func tables(_ snapshot: borrowing Snapshot, _ targets: [ReleaseRecord]) throws -> [RiskTables]? {
    guard let read = try columns(snapshot, [0] + targets.map(\.id)) else { return nil }
    let parts = Dictionary(grouping: read.filter { selection.includes($0.group) }, by: \.release)
    let places = (parts[0] ?? []).map(\.group)
    return targets.map { target in
      let cells = Dictionary(grouping: parts[target.id] ?? [], by: \.group)
        .mapValues { SummaryPart.cell($0, cutOff: cutOff.at) }
      return RiskTables(
        cells,
        places.map { ($0, RiskRules(selection, cutOff.at, timeline, target.id, $0)) },
        dataThrough: state.dataThrough, cutOff)
    }
  }

  private func columns(_ snapshot: borrowing Snapshot, _ releases: [Int64]) throws -> [SummaryPart]? {
    // A warehouse keeps all columns of tables as one.
    let end = snapshot.isFile ? SummaryPart.later : SummaryPart.ofTables.upperBound
    let read = try snapshot.summary(app: selection.app, releases: releases, SummaryPart.place..<end)
    guard let read, snapshot.isFile, SummaryPart.isLater(read, cutOff.at) else { return read }
    return try snapshot.summary(
      app: selection.app, releases: releases, SummaryPart.later..<SummaryPart.ofTables.upperBound
    ).map { read + $0 }
  }

  /// What is counted of every release; nil where only some platforms are looked at, and as above.
  func counts(_ snapshot: borrowing Snapshot, _ targets: [ReleaseRecord]) throws -> ReleaseCounts? {
    guard selection.platforms.isEmpty else { return nil }
    let read = try snapshot.summary(
      app: selection.app, releases: [0] + targets.map(\.id), SummaryPart.ofCounts)
    guard let read else { return nil }
    var counted: [ReleaseCounts.Place: CountedRelease] = [:]
    for part in read where selection.channels.isEmpty || selection.channels.contains(part.channel) {
      counted[.init(part.release, part.channel), default: .init()].take(part)
    }
    return ReleaseCounts(counted, cutOff: cutOff.at, window: selection.reachWindow)
  }
}

extension Timeline {
  /// All that a summary rests on beside events, in words: its layout and what was published.
  var ground: String { "layout 27\n" + publications }

  private var publications: String {
    releases.map { record in
      let publications = record.publications.map { publication in
        let steps = publication.rollout.map { "\($0.at.rawValue):\($0.percent)" }.joined(separator: " ")
        return "\(publication.channel)|\(publication.platform ?? "")|\(publication.publishedAt.rawValue)|\(steps)"
      }
      return ([record.label.rawValue] + publications).joined(separator: "\n ")
    }.joined(separator: "\n")
  }

  /// When something begins that was announced for later.
  func next(from instant: Timestamp) -> Timestamp? {
    releases.flatMap(\.publications).flatMap { [$0.publishedAt] + $0.rollout.map(\.at) }.filter { $0 >= instant }.min()
  }
}
