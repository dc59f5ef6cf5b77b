/// Lines over one list of places, on the grid of thousandths, up being positive.
///
/// Where heights add up, what is drawn of them adds up, too: all lines have their corners at the same places.
struct Outline: Equatable {
  /// The height of each line at an x.
  struct Corner: Equatable {
    var x: Int
    var heights: [Int]
  }
  /// Left to right; where a line steps, an x stands twice.
  private(set) var corners: [Corner]

  init(_ corners: [Corner]) { self.corners = corners }

  /// Stepped lines up to an end.
  init(_ paths: [StepPath], until end: Int) {
    var (next, corners) = (paths.map { _ in 0 }, [Corner]())
    for x in Set(paths.flatMap { path in path.steps.map(\.x) }).sorted() where x <= end {
      if let last = corners.last { corners.append(Corner(x: x, heights: last.heights)) }
      for (index, path) in paths.enumerated() where next[index] < path.steps.count && path.steps[next[index]].x == x {
        next[index] += 1
      }
      let heights = zip(paths, next).map { path, next in next > 0 ? path.steps[next - 1].y : 0 }
      corners.append(Corner(x: x, heights: heights))
    }
    if let last = corners.last, last.x < end { corners.append(Corner(x: end, heights: last.heights)) }
    self.corners = corners
  }

  /// One of its lines, without the corners that only others need.
  func only(_ line: Int) -> Outline {
    Outline(corners.map { Corner(x: $0.x, heights: [$0.heights[line]]) }).thinned(within: 0)
  }

  /// What lies left and right of an x.
  func cut(at x: Int) -> (left: Outline, right: Outline) {
    guard let after = corners.firstIndex(where: { $0.x > x }) else { return (self, Outline([])) }
    guard after > 0 else { return (Outline([]), self) }
    let between = Corner(x: x, heights: corners[after - 1].heights(at: x, to: corners[after]))
    let isCorner = corners[after - 1].x == x
    return (
      Outline(Array(corners[..<after]) + (isCorner ? [] : [between])), Outline([between] + Array(corners[after...]))
    )
  }

  /// Where its first line goes, as places with heights from above.
  var places: [(Int, Int)] { corners.map { ($0.x, 1000 - $0.heights[0]) } }

  /// The area between the first lines of two.
  static func area(_ upper: Outline, _ lower: Outline) -> String {
    let edge = upper.places + lower.places.reversed()
    return edge.isEmpty ? "" : svgSlopes(edge) + "z"
  }
}

extension Outline.Corner {
  /// On the way straight to another, at a place between.
  fileprivate func heights(at x: Int, to other: Self) -> [Int] {
    zip(heights, other.heights).map {
      $0 + Int((Double((x - self.x) * ($1 - $0)) / Double(other.x - self.x)).rounded())
    }
  }
}
