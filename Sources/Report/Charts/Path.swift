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
    return "M\(first.x) \(1000 - first.y)" + run(steps.dropFirst(), from: first, until: end)
  }

  /// The area between this, the upper edge, and a lower one.
  static func area(_ upper: StepPath, _ lower: StepPath, until end: Int) -> String {
    guard let first = upper.steps.first, let bottom = lower.steps.last(where: { $0.x <= end }) else { return "" }
    let there = upper.line(until: end)
    return there + "V\(1000 - bottom.y)" + lower.back(from: end, to: first.x) + "z"
  }

  private func run(_ steps: ArraySlice<Step>, from first: Step, until end: Int) -> String {
    var (path, at) = ("", first)
    for step in steps where step.x <= end {
      path += "h\(step.x - at.x)v\(at.y - step.y)"
      at = step
    }
    return path + (end > at.x ? "h\(end - at.x)" : "")
  }

  private func back(from end: Int, to start: Int) -> String {
    var (path, x) = ("", end)
    let within = steps.filter { $0.x <= end }
    for (index, step) in within.enumerated().reversed() {
      path += "h\(max(step.x, start) - x)"
      x = max(step.x, start)
      if index > 0, step.x > start { path += "v\(step.y - within[index - 1].y)" }
    }
    return path
  }

  /// Only what lies in a range of x; the height at its start is kept.
  func part(from start: Int, until end: Int) -> StepPath {
    let held = steps.last { $0.x <= start }.map { [Step(x: start, y: $0.y)] } ?? []
    return StepPath(held + steps.filter { $0.x > start && $0.x <= end })
  }

  /// The height at an x; nil before the first step.
  func height(at x: Int) -> Int? { steps.last { $0.x <= x }?.y }

  /// At most so many steps, on a coarser grid: each rise comes a little later, or earlier, never higher or lower.
  func thinned(to count: Int, early: Bool = false) -> StepPath {
    guard steps.count > count, count > 1 else { return self }
    var grid = 1
    var thin = steps
    while thin.count > count {
      grid += 1
      thin = StepPath(steps.map { Step(x: ($0.x + (early ? 0 : grid - 1)) / grid * grid, y: $0.y) }).steps
    }
    return StepPath(thin)
  }
}
