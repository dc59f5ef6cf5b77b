import Lifecycle
import Store

/// First attempts and stages as an open summary keeps them.
struct KeptJourneys {
  struct Place: Hashable {
    var release: Int64
    var group: Group
  }

  private(set) var cells: [Place: OpenTally.Cell] = [:]
  private(set) var emulators: [[Int]: Int] = [:]
  /// Devices of which a question counts all that is kept by itself; in order.
  private(set) var unsettled: [UInt64] = []
  /// Releases of which attempts are kept, and those of which stages are.
  private(set) var attempted: Set<Int64> = []
  private(set) var staged: Set<Int64> = []

  static let numbers = SummaryPart.ofAttempts.lowerBound..<SummaryPart.hours.upperBound

  /// nil where the columns are not as `parts` of a tally makes them.
  init?(_ parts: [SummaryPart], _ vocabulary: Vocabulary) {
    for part in parts where part.release == 0 { take(part) }
    for (place, parts) in Dictionary(grouping: parts, by: { Place(release: $0.release, group: $0.group) })
    where place.release != 0 {
      guard let cell = OpenTally.Cell(place, parts, vocabulary) else { return nil }
      cells[place] = cell
    }
  }

  private mutating func take(_ part: SummaryPart) {
    switch part.number {
    case SummaryPart.emulators: emulators = [[Int]: Int](emulators: part.values)
    case SummaryPart.attempted: attempted = Set(part.values)
    case SummaryPart.staged: staged = Set(part.values)
    case SummaryPart.journeysUnsettled: unsettled = part.values.map(UInt64.init(bitPattern:))
    default: break
    }
  }

  /// Whether any device confirmed the release: else nothing is kept of the step to that.
  func isConfirmed(_ release: Int64) -> Bool {
    cells.contains { $0.key.release == release && $0.value.stages.hasConfirmed }
  }
}

extension OpenTally.Cell {
  fileprivate init?(_ place: KeptJourneys.Place, _ parts: [SummaryPart], _ vocabulary: Vocabulary) {
    self.init(release: place.release, group: place.group)
    if parts.contains(where: { $0.number == SummaryPart.attemptCounts }) {
      guard let kept = OpenAttempts(parts, vocabulary) else { return nil }
      attempts = kept
    }
    if parts.contains(where: { $0.number == SummaryPart.stageCounts }) {
      guard let kept = OpenStages(parts) else { return nil }
      stages = kept
    }
  }
}
