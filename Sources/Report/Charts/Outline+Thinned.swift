extension Outline {
  /// With as few corners as a greedy search finds, so that no line moves up or down by more than an error. Both ends stay.
  ///
  /// From a corner it goes straight to the farthest one to which no corner between lies too far from the way. Big steps stay steps;
  /// many small ones become a slope through their middles. One pass for each corner that is kept; tested in
  /// Tests/ReportTests/OutlineTests.
  func thinned(within error: Double) -> Outline {
    guard var at = corners.first else { return self }
    var (thin, next) = ([at], 1)
    while next < corners.count {
      (at, next) = farthest(from: at, next, error)
      thin.append(at)
    }
    return Outline(thin)
  }

  /// Where the way from a corner goes, and the first corner that is not passed then.
  private func farthest(from start: Corner, _ first: Int, _ error: Double) -> (Corner, next: Int) {
    var (view, best) = (View(from: start, error), (corners[first], first + 1))
    for index in first..<corners.count {
      let corner = corners[index]
      if view.sees(corner) { best = (corner, index + 1) }
      view.narrow(to: corner)
      if view.isClosed { break }
      guard index + 1 < corners.count - 1, let middle = corner.middle(to: corners[index + 1], error) else { continue }
      if view.sees(middle) { best = (middle, index + 2) }
    }
    return best
  }
}

/// By how much a line of a chart may be off, in thousandths of a plot of so many pixels: by a pixel, or more where a page would be too
/// large (`PageDetail`).
func chartError(_ plotHeight: Int, _ pixels: Double) -> Double { 1000 * pixels / Double(plotHeight) }

/// The slopes, line by line, on which one passes all corners so far near enough.
private struct View {
  private let start: Outline.Corner
  private let error: Double
  private var slopes: [(low: Double, high: Double)]
  private(set) var isClosed = false

  init(from start: Outline.Corner, _ error: Double) {
    (self.start, self.error) = (start, error)
    slopes = start.heights.map { _ in (-.infinity, .infinity) }
  }

  private func rise(_ corner: Outline.Corner, _ line: Int) -> Double {
    Double(corner.heights[line] - start.heights[line])
  }

  func sees(_ corner: Outline.Corner) -> Bool {
    let width = Double(corner.x - start.x)
    return !isClosed && width > 0
      && slopes.indices.allSatisfy { line in
        let slope = rise(corner, line) / width
        return slope >= slopes[line].low && slope <= slopes[line].high
      }
  }

  mutating func narrow(to corner: Outline.Corner) {
    let width = Double(corner.x - start.x)
    for line in slopes.indices {
      let rise = rise(corner, line)
      guard width > 0 else {
        isClosed = isClosed || abs(rise) > error
        continue
      }
      slopes[line] = (max(slopes[line].low, (rise - error) / width), min(slopes[line].high, (rise + error) / width))
      isClosed = isClosed || slopes[line].low > slopes[line].high
    }
  }
}

extension Outline.Corner {
  /// Halfway up a step that is small enough to be passed there.
  fileprivate func middle(to next: Self, _ error: Double) -> Self? {
    guard next.x == x else { return nil }
    let middle = zip(heights, next.heights).map { ($0 + $1) / 2 }
    let isNear = middle.indices.allSatisfy { line in
      abs(Double(middle[line] - heights[line])) <= error && abs(Double(next.heights[line] - middle[line])) <= error
    }
    return isNear ? Self(x: x, heights: middle) : nil
  }
}
