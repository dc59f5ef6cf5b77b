internal import Console
internal import Query
internal import Statistics

extension Plot.Series {
  /// A curve of estimates, with its limits as a band.
  init(_ name: String, _ stroke: Plot.Stroke = .solid, of estimates: [(seconds: Int64, share: Estimate)], end: Int64) {
    func steps(_ height: (Estimate) -> Double?) -> [Plot.Point] {
      estimates.compactMap { time, share in height(share).map { Plot.Point(x: Double(time), y: $0) } }
    }
    self.init(
      name, stroke, points: steps(\.value), end: Double(end),
      band: stroke == .solid ? (low: steps(\.lo), high: steps(\.hi)) : nil)
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
