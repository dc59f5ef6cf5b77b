import Lifecycle
import Store

/// Whole attempts, time by time: the columns of each tell how much later it was than the attempt's start. Frozen, as other numbers are.
extension SummaryPart {
  /// When the first one started.
  static let youngStart: Int64 = 240
  /// How much later each started than the one before; and from here on the other times, in the order of `Attempt.distances`.
  static let youngTimes: Int64 = 241

  static let ofYoungAttempts = youngStart..<youngTimes + Int64(Attempt.distanceCount) + 1

  /// - Parameter young: in order.
  static func parts(young: [Attempt], _ release: Int64, _ group: Group) -> [SummaryPart] {
    func part(_ number: Int64, _ values: [Int64]) -> SummaryPart { SummaryPart(release, group, number, values) }
    let starts = young.map(\.start.rawValue)
    let steps = zip(starts, starts.prefix(1) + starts).map { $0 &- $1 }
    let distances = young.map(\.distances)
    let others = (0..<Attempt.distanceCount).map { index in
      part(youngTimes + 1 + Int64(index), distances.map { $0[index] })
    }
    return [part(youngStart, Array(starts.prefix(1))), part(youngTimes, steps)] + others
  }

  /// - Parameters:
  ///   - column: what the columns above hold.
  ///   - reasons: of each attempt a number of `name`.
  /// - Returns: nil where they do not fit together.
  static func young(_ column: (Int64) -> [Int64], reasons: [Int64?]) -> [Attempt]? {
    let times = (0..<Attempt.distanceCount).map { column(youngTimes + 1 + Int64($0)) }
    let (first, steps) = (column(youngStart), column(youngTimes))
    guard steps.count == reasons.count, times.allSatisfy({ $0.count == steps.count }), steps.isEmpty || first.count == 1
    else { return nil }
    var (start, young) = (first.first ?? 0, [Attempt]())
    for (index, reason) in reasons.enumerated() {
      start &+= steps[index]
      young.append(Attempt(start: start, times.map { $0[index] }, reason: reason))
    }
    return young
  }
}

extension Attempt {
  fileprivate static let distanceCount = 6

  /// From the start to all other times; `FirstTime.never` where something never happened.
  fileprivate var distances: [Int64] {
    [failed, ready, ran, launch, rolledBack, crashed].map { time in
      time.happened ? time.rawValue &- start.rawValue : FirstTime.never.rawValue
    }
  }

  fileprivate init(start: Int64, _ distances: [Int64], reason: Int64?) {
    let times = distances.map { $0 == FirstTime.never.rawValue ? .never : FirstTime(rawValue: start &+ $0) }
    self.start = FirstTime(rawValue: start)
    (failed, ready, ran) = (times[0], times[1], times[2])
    (launch, rolledBack, crashed, self.reason) = (times[3], times[4], times[5], reason)
  }
}
