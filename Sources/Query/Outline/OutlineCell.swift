import Lifecycle
import Statistics
import Store

/// What a walk over outlines collects for one cell; adds up in any order.
struct OutlineCell {
  private(set) var builder = LifeTable.Builder()
  /// Ends of intervals that only the cut-off ended, where they are to be kept apart from the entries.
  private(set) var waiting: [Interval.Waiting]?
  private var devices = 0
  private var excluded = [Int](repeating: 0, count: Exclusion.allCases.count)
  private var clamped = 0
  private var implied = 0
  private var fromFirstOffer = 0
  private var future = 0

  /// - Parameter keepsWaiting: whether another cut-off is to be put in later.
  init(keepsWaiting: Bool = false) { if keepsWaiting { waiting = [] } }

  @inline(__always)
  mutating func add(
    _ found: OutlineFound, _ rules: OutlineRules, _ outlines: DeviceOutlines, _ index: Int
  ) {
    if found.isClamped { clamped += 1 }
    if found.isImplied { implied += 1 }
    if found.isFromFirstOffer { fromFirstOffer += 1 }
    let spans = outlines.spanOffsets[index]..<outlines.spanOffsets[index + 1]
    if outlines.spanEnds[spans.upperBound - 1] > rules.cutOff + DeviceHistory.tolerance.rawValue { future += 1 }
    if let exclusion = found.exclusion {
      excluded[exclusion.number] += 1
    } else if addIntervals(found, rules, outlines, spans) {
      devices += 1
    } else {
      excluded[Exclusion.neverReachable.number] += 1
    }
  }

  /// As `AtRiskRules.intervals`; false where there is none.
  @inline(__always)
  private mutating func addIntervals(
    _ found: OutlineFound, _ rules: OutlineRules, _ outlines: DeviceOutlines, _ spans: Range<Int>
  ) -> Bool {
    if found.updatedAt < found.eligibleAt { return false }
    var isAny = false
    var next = spans.lowerBound
    while next < spans.upperBound, outlines.spanStarts[next] <= rules.cutOff {
      let start = outlines.spanStarts[next]
      var end = min(outlines.spanEnds[next], rules.cutOff) + rules.window
      next += 1
      while next < spans.upperBound, outlines.spanStarts[next] < end, outlines.spanStarts[next] <= rules.cutOff {
        end = max(end, min(outlines.spanEnds[next], rules.cutOff) + rules.window)
        next += 1
      }
      let isLast = next == spans.upperBound || outlines.spanStarts[next] > rules.cutOff
      let from = max(start, found.eligibleAt)
      if found.updatedAt != .max, found.updatedAt <= end || isLast {
        add(min(from, found.updatedAt), found.updatedAt, .event(found.cause), found, rules)
        return true
      }
      let (exit, reason) = end < rules.limit.at ? (end, Censoring.silent) : rules.limit
      guard exit > from else { continue }
      isAny = true
      if reason == .cutOff, waiting != nil {
        let origin = rules.origin(found)
        builder.add(entry: Milliseconds(rawValue: from - origin).seconds(.down))
        waiting?.append(Interval.Waiting(origin: origin, silentAt: end))
      } else {
        add(from, exit, .censored(reason), found, rules)
      }
    }
    return isAny
  }

  @inline(__always)
  private mutating func add(
    _ from: Int64, _ to: Int64, _ ending: Ending, _ found: OutlineFound, _ rules: OutlineRules
  ) {
    let interval = Interval(
      from: Timestamp(rawValue: from), to: Timestamp(rawValue: to),
      origin: Timestamp(rawValue: rules.origin(found)), ending: ending)
    builder.add(entry: interval.entry, exit: interval.exit, ending: ending)
  }

  /// A device that was judged by all that is stored of it.
  mutating func add(_ judged: AtRisk, hasFuture: Bool) {
    if judged.remarks.contains(.skewClamped) { clamped += 1 }
    if judged.remarks.contains(.impliedByCheck) { implied += 1 }
    if judged.remarks.contains(.fromFirstOffer) { fromFirstOffer += 1 }
    if hasFuture { future += 1 }
    if let exclusion = judged.exclusion {
      excluded[exclusion.number] += 1
      return
    }
    devices += 1
    for interval in judged.intervals {
      if let open = interval.waiting, waiting != nil {
        builder.add(entry: interval.entry)
        waiting?.append(open)
      } else {
        builder.add(entry: interval.entry, exit: interval.exit, ending: interval.ending)
      }
    }
  }

  mutating func add(_ other: OutlineCell) {
    builder.add(other.builder)
    if let more = other.waiting { waiting = (waiting ?? []) + more }
    devices += other.devices
    for index in excluded.indices { excluded[index] += other.excluded[index] }
    clamped += other.clamped
    implied += other.implied
    fromFirstOffer += other.fromFirstOffer
    future += other.future
  }

  /// Of which nothing was said: as if it had never been made.
  var isEmpty: Bool { devices == 0 && excluded.allSatisfy { $0 == 0 } }

  func finished() -> RiskCell {
    var table = RiskTable()
    table.devices = devices
    for exclusion in Exclusion.allCases where excluded[exclusion.number] > 0 {
      table.excluded[exclusion] = excluded[exclusion.number]
    }
    let remarks: [(Remark, Int)] = [
      (.skewClamped, clamped), (.impliedByCheck, implied), (.fromFirstOffer, fromFirstOffer), (.future, future),
    ]
    for (remark, count) in remarks where count > 0 { table.remarks[remark] = count }
    return RiskCell(sums: table, intervals: builder)
  }
}

extension Exclusion {
  /// A small number for counting.
  fileprivate var number: Int {
    switch self {
    case .bornOn: 0
    case .firstSeenAtUpdate: 1
    case .skewExcluded: 2
    case .beforeEligibility: 3
    case .neverReachable: 4
    case .notEligible: 5
    case .emulator: 6
    }
  }
}
