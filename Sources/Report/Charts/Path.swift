/// Stepped paths on the grid of thousandths. Whole numbers and relative moves keep them short; nothing drifts.
struct StepPath {
  /// A height that holds from an x on.
  struct Step: Equatable {
    var x: Int
    var y: Int
  }
  /// Left to right, each x once, each with another height than the one before.
  private(set) var steps: [Step] = []

  /// - Parameter points: left to right, in thousandths; of several at one x the last counts.
  init(_ points: [Step]) {
    for point in points {
      if steps.last?.x == point.x { steps.removeLast() }
      if steps.last?.y != point.y { steps.append(point) }
    }
  }

  /// The line to an end, up being positive: `M0 1000h12v-30…`.
  func line(until end: Int) -> String {
    guard let first = steps.first, end >= first.x else { return "" }
    var (path, at) = ("M\(first.x) \(1000 - first.y)", first)
    for step in steps.dropFirst() where step.x <= end {
      path += "h\(step.x - at.x)v\(at.y - step.y)"
      at = step
    }
    return path + (end > at.x ? "h\(end - at.x)" : "")
  }

  /// The height at an x; nil before the first step.
  func height(at x: Int) -> Int? { steps.last { $0.x <= x }?.y }
}
