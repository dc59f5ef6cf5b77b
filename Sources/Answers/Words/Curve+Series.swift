internal import Console
internal import Query

extension Plot.Series {
  /// A curve as an answer gives it for drawing, with its band where it is solid.
  init(_ name: String, _ stroke: Plot.Stroke, _ curve: Curve) {
    func steps(_ height: (CurvePoint) -> Double?) -> [Plot.Point] {
      curve.points.compactMap { point in height(point).map { Plot.Point(x: Double(point.seconds), y: $0) } }
    }
    self.init(
      name, stroke, points: steps(\.value), end: Double(curve.points.last?.seconds ?? 0),
      band: stroke == .solid ? (low: steps(\.lo), high: steps(\.hi)) : nil)
  }
}
