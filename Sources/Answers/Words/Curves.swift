internal import Console
internal import Query
internal import Statistics

/// A share by a time.
protocol Timed {
  var seconds: Int64 { get }
  var share: Estimate { get }
}

extension Plot.Series {
  /// A curve of estimates, with its limits as a band where it is solid.
  init(_ name: String, _ stroke: Plot.Stroke = .solid, of estimates: [(seconds: Int64, share: Estimate)], end: Int64) {
    func steps(_ height: (Estimate) -> Double?) -> [Plot.Point] {
      estimates.compactMap { time, share in height(share).map { Plot.Point(x: Double(time), y: $0) } }
    }
    self.init(
      name, stroke, points: steps(\.value), end: Double(end),
      band: stroke == .solid ? (low: steps(\.lo), high: steps(\.hi)) : nil)
  }

  init(_ name: String, of points: [some Timed], end: Int64) {
    self.init(name, of: points.map { ($0.seconds, $0.share) }, end: end)
  }

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

extension Plot.Series {
  /// A curve between checks, with a band from the earliest to the latest that these leave open.
  init(_ name: String, _ polled: Polled) {
    func steps(_ height: (Polled.Point) -> Double?) -> [Plot.Point] {
      polled.curve.compactMap { point in height(point).map { Plot.Point(x: Double(point.seconds), y: $0) } }
    }
    self.init(
      name, .solid, points: steps(\.share.value), end: Double(polled.curve.last?.seconds ?? 0),
      band: (low: steps(\.latest), high: steps(\.earliest)))
  }
}

extension Plot {
  init(_ title: String, _ series: [Series], horizon: Int64, rows: Int = 11) {
    self.init(series, horizon: Double(horizon), rows: rows)
    self.title = title
  }
}

extension [Plot] {
  /// The plots with one scale for their heights, so that they can be compared.
  var alike: [Plot] {
    let top = map(\.top).max() ?? 1
    return map { plot in
      var plot = plot
      plot.floor = top
      return plot
    }
  }
}
