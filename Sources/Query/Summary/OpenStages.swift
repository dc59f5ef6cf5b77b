import Lifecycle
import Statistics
import Store

/// How far devices got with one release on one segment, with the cutoff left open, so that any later one can be put in.
///
/// Whether an entry is old enough changes with the cutoff while it is younger than the maturity, and the time since an
/// entry for as long as nothing ends the step: of both the instants are kept. Exact for every cutoff from `since` on, of
/// devices whose journeys tell nothing beyond `since`. Tested in `SummaryTests`.
struct OpenStages {
  static let maturity = Funnel.Options().maturity
  private static let steps = StageCounts.count - 1

  /// As if all entries were old enough; times of steps that have ended.
  private(set) var counts = StageCounts()
  /// By stage: entries that may be too young at a cutoff, `time << 1`, and 1 where the device got to the next stage.
  private(set) var young = [[Int64]](repeating: [], count: steps)
  /// By stage: entries into steps that nothing has ended.
  private(set) var waiting = [[Int64]](repeating: [], count: steps)

  var hasConfirmed: Bool { counts.seen[StageCounts.count - 1] > 0 }

  mutating func add(_ journey: FunnelJourney, since: Timestamp) {
    counts.add(journey, maturity: Self.maturity, until: nil)
    for stage in 0..<Self.steps {
      guard let entry = journey.reached(stage) else { return }
      if since - entry < Self.maturity {
        young[stage].append(entry.rawValue << 1 | (journey.reached(stage + 1) == nil ? 0 : 1))
      }
      if let step = journey.step(after: stage), step.end == nil { waiting[stage].append(step.entry.rawValue) }
    }
  }

  mutating func add(_ other: OpenStages) {
    counts.add(other.counts)
    for stage in 0..<Self.steps {
      young[stage] += other.young[stage]
      waiting[stage] += other.waiting[stage]
    }
  }

  /// Takes out what was put in, of both of which the same is young.
  mutating func subtract(_ other: OpenStages) {
    counts.subtract(other.counts)
    for stage in 0..<Self.steps {
      young[stage].add(bag: other.young[stage], times: -1)
      waiting[stage].add(bag: other.waiting[stage], times: -1)
    }
  }

  /// The same with less that is young, at a later instant.
  func moved(to since: Timestamp) -> OpenStages {
    var moved = self
    moved.young = young.map { $0.filter { since - Timestamp(rawValue: $0 >> 1) < Self.maturity } }
    return moved
  }

  /// Without the step to `confirmed`, which is not stored where no device is.
  var withoutConfirming: OpenStages {
    var copy = self
    let last = Self.steps - 1
    (copy.counts.latency[last], copy.young[last], copy.waiting[last]) = (LifeTable.Builder(), [], [])
    return copy
  }

  func counts(at cutOff: Timestamp) -> StageCounts {
    var counts = counts
    for stage in 0..<Self.steps {
      for entry in young[stage] where cutOff - Timestamp(rawValue: entry >> 1) < Self.maturity {
        counts.entered[stage] -= 1
        counts.passed[stage] -= Int(entry & 1)
      }
      for entry in waiting[stage] {
        let entry = Timestamp(rawValue: entry)
        let interval = Interval(from: entry, to: cutOff, origin: entry, ending: .censored(.cutOff))
        counts.latency[stage].add(entry: interval.entry, exit: interval.exit, ending: interval.ending)
      }
    }
    return counts
  }
}

// MARK: in a summary

/// What the numbers of these columns mean. Frozen: files that hold them are in the world.
extension SummaryPart {
  static let stageCounts: Int64 = 120
  /// Each followed by those of the other stages.
  static let stepRuns: Int64 = 121
  static let youngEntries: Int64 = 131
  static let waitingEntries: Int64 = 141

  static let ofStages: Range<Int64> = 120..<160
}

extension OpenStages {
  /// - Parameter isConfirmed: whether any device reported that it was; the step to it is shown nowhere where none did.
  func parts(release: Int64, _ group: Group, isConfirmed: Bool, byHour: Bool) -> [SummaryPart] {
    if counts.isEmpty { return [] }
    func part(_ number: Int64, _ values: [Int64]) -> SummaryPart { SummaryPart(release, group, number, values) }
    let lists = [counts.reached, counts.seen, counts.entered, counts.passed, counts.recovered]
    var parts = [part(SummaryPart.stageCounts, ([counts.devices] + lists.joined()).map(Int64.init))]
    for stage in 0..<(isConfirmed ? Self.steps : Self.steps - 1) {
      let number = Int64(stage)
      parts.append(part(SummaryPart.stepRuns + number, counts.latency[stage].build().fewestRuns))
      parts +=
        byHour
        ? SummaryPart.byHour(release, group, stage + 1, young[stage], bits: 1)
        : [part(SummaryPart.youngEntries + number, young[stage].sorted())]
      parts.append(part(SummaryPart.waitingEntries + number, waiting[stage].sorted()))
    }
    return parts
  }

  /// nil where the columns are not as `parts` makes them.
  init?(_ parts: [SummaryPart]) {
    let columns = Dictionary(uniqueKeysWithValues: parts.map { ($0.number, $0) })
    let sums = (columns[SummaryPart.stageCounts]?.values ?? []).map { Int($0) }
    let count = StageCounts.count
    guard sums.count == 1 + 5 * count else { return nil }
    func list(_ place: Int) -> [Int] { Array(sums[(1 + place * count)..<(1 + (place + 1) * count)]) }
    counts.devices = sums[0]
    (counts.reached, counts.seen, counts.entered) = (list(0), list(1), list(2))
    (counts.passed, counts.recovered) = (list(3), list(4))
    for stage in 0..<Self.steps {
      func column(_ number: Int64) -> [Int64] { columns[number + Int64(stage)]?.values ?? [] }
      counts.latency[stage].add(runs: column(SummaryPart.stepRuns))
      young[stage] = column(SummaryPart.youngEntries) + columns.byHour(stage + 1)
      waiting[stage] = column(SummaryPart.waitingEntries)
    }
  }
}
