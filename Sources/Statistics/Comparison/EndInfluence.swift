import Glibc

/// By how much one more device with a mark would move an estimate: the mean over all of the table that have it.
///
/// With weights on devices, d and n at an update are sums of weights, so the derivative of log S is d/(n(n - d)) for who is at risk
/// and -1/(n - d) more for who updates. The squares of these add up to Greenwood's variance.
struct EndInfluence {
  private(set) var byMark: [Double]

  /// Of log S at a tick, or of the area under S up to it; nil where S comes down to 0 before.
  init?(_ curve: KaplanMeier, to tick: Tick, ofArea isArea: Bool) {
    var walk = InfluenceWalk(tick: tick, area: isArea ? curve.progress(to: tick).after.area(to: tick).value : nil)
    let causes = curve.causes
    let runs = curve.table.runs.span
    var (rows, span) = (RowReader(), 0)
    var (sums, counts) = (Array(repeating: 0.0, count: Marks.count), Array(repeating: 0.0, count: Marks.count))
    func note(_ kind: Marks.Kind, _ count: Int64, _ influence: Double) {
      if count == 0 { return }
      let mark = kind.rawValue * Marks.spans + span
      sums[mark] += Double(count) * influence
      counts[mark] += Double(count)
    }
    while rows.next < runs.count {
      var (updates, exits, entries) = (Int64(0), Int64(0), Int64(0))
      rows.read(runs) { kind, count in
        if kind == Run.entry {
          entries += count
        } else if Run.isEvent(kind, causes) {
          updates += count
        } else {
          exits += count
        }
      }
      guard walk.pass(rows.tick, atRisk: rows.atRisk, updates: updates) else { return nil }
      while span < Marks.ends.count, Marks.ends[span] < rows.tick { span += 1 }
      note(.update, updates, walk.ofStaying - walk.ofUpdating)
      note(.end, exits, walk.ofStaying)
      note(.entry, entries, walk.ofStaying)
    }
    byMark = zip(sums, counts).map { $1 > 0 ? $0 / $1 : walk.ofStaying }
  }
}

/// Goes over a table and keeps what the influence of a device depends on.
private struct InfluenceWalk {
  let tick: Tick
  /// Under S up to the tick; nil where log S itself is asked for.
  let area: Double?
  private var last: Tick = 0
  private var survival = 1.0
  private var greenwood = 0.0
  /// Under S so far, and under S times Greenwood's sum.
  private var areaSoFar = 0.0
  private var weighted = 0.0
  /// Of having been at risk so far, and of the update at hand.
  private(set) var ofStaying = 0.0
  private(set) var ofUpdating = 0.0

  init(tick: Tick, area: Double?) { (self.tick, self.area) = (tick, area) }

  /// False where nobody is left.
  mutating func pass(_ next: Tick, atRisk n: Int64, updates d: Int64) -> Bool {
    let length = Double(max(0, min(next, tick) - last))
    areaSoFar += survival * length
    weighted += survival * greenwood * length
    last = max(last, min(next, tick))
    let isCounted = d > 0 && next <= tick
    if isCounted {
      guard n > d else { return false }
      greenwood += Double(d) / (Double(n) * Double(n - d))
      survival *= 1 - Double(d) / Double(n)
    }
    let rest = area.map { $0 - areaSoFar }
    ofStaying = greenwood * (rest ?? 1) + (area == nil ? 0 : weighted)
    ofUpdating = isCounted ? (rest ?? 1) / Double(n - d) : 0
    return true
  }
}

extension SharedEnds {
  /// How two estimates vary together: the products of influences, added up over the devices in both. nil where one of them
  /// has no influences.
  func covariance(_ first: EndInfluence?, _ second: EndInfluence?) -> Double? {
    guard let first, let second else { return nil }
    return counts.sorted { $0.key < $1.key }.reduce(0) { sum, entry in
      sum + Double(entry.value) * first.byMark[Int(entry.key.first)] * second.byMark[Int(entry.key.second)]
    }
  }
}
