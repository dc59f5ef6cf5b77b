/// Step curves over time since some start, for a terminal.
public struct Plot: Equatable, Sendable {
  public struct Point: Equatable, Sendable {
    /// Seconds.
    public var x: Double
    /// A share, 0 to 1.
    public var y: Double
    public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
  }

  public enum Stroke: Sendable { case solid, dotted }

  public struct Series: Equatable, Sendable {
    public var name: String
    public var stroke: Stroke
    /// In order of `x`. The curve keeps a height until the next point, and is 0 before the first.
    public var points: [Point]
    /// How far the curve is known; it is not drawn beyond.
    public var end: Double
    /// The uncertainty around the curve, as steps of their own.
    public var band: (low: [Point], high: [Point])?

    public init(
      _ name: String, _ stroke: Stroke = .solid, points: [Point], end: Double,
      band: (low: [Point], high: [Point])? = nil
    ) {
      (self.name, self.stroke, self.points, self.end, self.band) = (name, stroke, points, end, band)
    }

    public static func == (left: Self, right: Self) -> Bool {
      left.name == right.name && left.stroke == right.stroke && left.points == right.points && left.end == right.end
        && left.band?.low == right.band?.low && left.band?.high == right.band?.high
    }
  }

  /// A line above the plot; none where empty.
  public var title = ""
  /// The least height of the axis, so that several plots can share one.
  public var floor = 0.0
  /// The first is the one that matters; where dots meet, it is seen.
  public var series: [Series]
  /// The right end of the time axis in seconds; the left end is 0.
  public var horizon: Double
  /// Lines of the plot itself; 11 gives a label every fifth.
  public var rows: Int

  public init(_ series: [Series], horizon: Double, rows: Int = 11) {
    (self.series, self.horizon, self.rows) = (series, max(horizon, 1), max(rows, 3))
  }

  private func height(_ series: Series) -> Double {
    let shown = series.points.lazy.filter { $0.x <= horizon }.map(\.y).max() ?? 0
    return max(shown, series.band?.high.map(\.y).max() ?? 0)
  }

  /// The height of the axis: the least good number that holds every curve.
  public var top: Double {
    let highest = series.map(height).max() ?? 0
    return [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].first { max(highest, floor) <= $0 } ?? 1
  }
}

/// The height of a step curve at `x`.
func height(of points: [Plot.Point], at x: Double) -> Double {
  var (low, high) = (0, points.count)
  while low < high {
    let middle = (low + high) / 2
    if points[middle].x <= x { low = middle + 1 } else { high = middle }
  }
  return low == 0 ? 0 : points[low - 1].y
}
