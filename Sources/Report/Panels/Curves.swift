internal import Query
internal import Statistics

extension Curve {
  /// The curve's points as charts take them.
  var chartPoints: [StepChart.Point] {
    points.filter { $0.seconds > 0 }
      .map { StepChart.Point(seconds: Double($0.seconds), share: $0.value, lo: $0.lo, hi: $0.hi) }
  }
}

extension StepChart.Line {
  init(_ name: String, _ ink: Ink, _ curve: Curve, until: Double) {
    self.init(
      name: name, ink: ink, points: curve.chartPoints, fadesFrom: curve.fadesFromSeconds.map(Double.init), until: until)
  }
}

extension TimeToUpdate {
  var points: [StepChart.Point] { curve.compactMap { StepChart.Point($0.seconds, $0.share) } }

  func quantile(_ p: Double) -> Estimate? { quantiles.first { $0.p == p }?.seconds }
  var median: Estimate? { quantile(0.5) }

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
