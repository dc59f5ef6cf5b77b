/// The shares that had updated by each minute when those who left are taken out at their true time of leaving.
struct ProductLimit {
  /// Minute, share updated by its end, and the same by mechanism.
  private(set) var steps: [(minute: Int32, share: Double, byMechanism: [UInt8: Double])] = []

  init(_ times: TimesToUpdate) {
    let left = times.left.values.reduce(into: [Int32: Int]()) { $0.merge($1, uniquingKeysWith: +) }
    self.init(eligible: times.eligible, updated: times.updated, left: left)
  }

  init(eligible: Int, updated: [UInt8: [Int32: Int]], left: [Int32: Int]) {
    var (atRisk, surviving, incidence) = (eligible, 1.0, [UInt8: Double]())
    let minutes = Set(updated.values.flatMap(\.keys)).union(left.keys)
    for minute in minutes.sorted() {
      let before = surviving
      var updates = 0
      for (mechanism, counts) in updated {
        guard let count = counts[minute] else { continue }
        incidence[mechanism, default: 0] += before * Double(count) / Double(atRisk)
        updates += count
      }
      surviving = before * (1 - Double(updates) / Double(max(atRisk, 1)))
      if updates > 0 { steps.append((minute, 1 - surviving, incidence)) }
      atRisk -= updates + (left[minute] ?? 0)
    }
  }

  /// The first minute by which this share had updated; nil when it was not reached.
  func quantile(_ share: Double) -> Int32? { steps.first { $0.share >= share - 1e-9 }?.minute }

  func at(hours: Int32) -> (share: Double, byMechanism: [UInt8: Double]) {
    steps.last { $0.minute < hours * 60 }.map { ($0.share, $0.byMechanism) } ?? (0, [:])
  }
}
