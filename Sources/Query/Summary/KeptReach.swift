import Lifecycle
import Store

/// What is kept of reach at the cutoff of a summary, segment by segment.
struct KeptReach {
  let since: Timestamp
  private let moments: [Int64: Int]
  private let parts: [Group: [SummaryPart]]
  private let targets: Set<Int64>

  /// nil where nothing is kept.
  ///
  /// - Parameter targets: the releases whose rollouts are asked about.
  init?(_ read: [SummaryPart], since: Timestamp, _ targets: [ReleaseRecord]) {
    guard let instants = read.first(where: { $0.number == SummaryPart.moments })?.values else { return nil }
    self.since = since
    self.targets = Set(targets.map(\.id))
    moments = Dictionary(instants.enumerated().map { ($1, $0) }) { first, _ in first }
    parts = Dictionary(grouping: read.filter { !$0.isOfNoSegment }, by: \.group)
  }

  var groups: [Group] { Array(parts.keys) }

  /// Whether those of some instants that lie before the cutoff are kept.
  func has(_ instants: [Int64]) -> Bool { instants.allSatisfy { $0 >= since.rawValue || moments[$0] != nil } }

  /// nil where the columns are not what they should be.
  func open(_ group: Group) -> OpenReach? {
    OpenReach(parts[group] ?? [], moments: moments, since: since, targets: targets)
  }
}
