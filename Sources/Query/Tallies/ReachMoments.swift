import Lifecycle

/// The instants that a question looks at, in order, and where its answers lie among them.
struct ReachMoments {
  let instants: [Int64]
  /// By index of `instants`.
  let cutOff: Int
  let series: [Int]
  let past: [Int]

  init(series: [Timestamp], past: [Timestamp], cutOff: Timestamp) {
    let instants = Set((series + past + [cutOff]).map(\.rawValue)).sorted()
    func index(_ instant: Timestamp) -> Int { instants.firstIndex(of: instant.rawValue) ?? 0 }
    self.instants = instants
    self.cutOff = index(cutOff)
    self.series = series.map(index)
    self.past = past.map(index)
  }
}
