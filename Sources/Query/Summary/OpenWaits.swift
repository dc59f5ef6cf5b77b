import Lifecycle
import Store

/// Intervals that only the cutoff ends, in order: of how many devices each; of those that fall silent later than the summary holds it
/// does not matter when.
struct OpenWaits {
  struct Some {
    var waiting: Interval.Waiting
    var count: Int64
  }
  private(set) var list: [Some] = []

  /// Falls silent later than the summary holds.
  static let late = Int64.max

  /// - Parameter columns: by number.
  init(_ columns: [Int64: [Int64]]) {
    let (sharers, silences) = (columns[SummaryPart.sharers] ?? [], columns[SummaryPart.silences] ?? [])
    let listed = columns[SummaryPart.listed] ?? sharers
    var next = 0
    for (index, origin) in (columns[SummaryPart.origins] ?? []).enumerated() {
      let end = next + Int(listed[index])
      for silentAt in silences[next..<end] { add(1, Interval.Waiting(origin: origin, silentAt: silentAt)) }
      add(sharers[index] - listed[index], Interval.Waiting(origin: origin, silentAt: Self.late))
      next = end
    }
  }

  /// - Parameters:
  ///   - left: those to take out.
  ///   - until: the latest cutoff that the summary holds for.
  init(left: [Interval.Waiting], came: [Interval.Waiting], until: Timestamp) {
    func some(_ waiting: [Interval.Waiting], _ count: Int64) -> [Some] {
      waiting.map { one in
        let silentAt = one.silentAt < until.rawValue ? one.silentAt : Self.late
        return Some(waiting: Interval.Waiting(origin: one.origin, silentAt: silentAt), count: count)
      }
    }
    for one in (some(left, -1) + some(came, 1)).sorted(by: { $0.waiting < $1.waiting }) { add(one.count, one.waiting) }
  }

  /// - Parameter waiting: no earlier in order than those before.
  private mutating func add(_ count: Int64, _ waiting: Interval.Waiting) {
    if list.last?.waiting == waiting {
      list[list.count - 1].count += count
    } else if count != 0 {
      list.append(Some(waiting: waiting, count: count))
    }
    if list.last?.count == 0 { list.removeLast() }
  }

  func adding(_ changes: OpenWaits) -> OpenWaits {
    var (sum, next) = (OpenWaits([:]), 0)
    sum.list.reserveCapacity(list.count + changes.list.count)
    for one in list {
      while next < changes.list.count, changes.list[next].waiting < one.waiting {
        sum.add(changes.list[next].count, changes.list[next].waiting)
        next += 1
      }
      sum.add(one.count, one.waiting)
    }
    for one in changes.list[next...] { sum.add(one.count, one.waiting) }
    return sum
  }
}
