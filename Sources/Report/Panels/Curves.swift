internal import Query
internal import Statistics

extension TimeToUpdate {
  /// The curve's points as charts take them.
  var points: [StepChart.Point] { curve.compactMap { StepChart.Point($0.seconds, $0.share) } }

  func quantile(_ p: Double) -> Estimate? { quantiles.first { $0.p == p }?.seconds }
  var median: Estimate? { quantile(0.5) }
  /// The last point at or before an age.
  func point(by seconds: Double) -> Point? { curve.last { Double($0.seconds) <= seconds } }

  func line(_ name: String, _ ink: Ink, until: Double) -> StepChart.Line {
    StepChart.Line(name: name, ink: ink, points: points, fadesFrom: fadesFromSeconds.map(Double.init), until: until)
  }
}

extension TimeToUpdate.MechanismShare {
  var points: [StepChart.Point] { curve.compactMap { StepChart.Point($0.seconds, $0.share) } }
}

extension StepChart.Point {
  init?(_ seconds: Int64, _ estimate: Estimate) {
    guard let value = estimate.value else { return nil }
    self.init(seconds: Double(seconds), share: value, lo: estimate.lo, hi: estimate.hi)
  }
}

/// A curve's points, few enough to read in a table: evenly spread, the last among them.
func spread<T>(_ points: [T], _ count: Int) -> [T] {
  guard points.count > count, count > 1 else { return points }
  return (1...count).map { points[$0 * (points.count - 1) / count] }
}
