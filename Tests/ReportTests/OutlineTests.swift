import Testing

@testable import Report

@Suite struct OutlineTests {
  private static let even = StepPath((0...1000).map { .init(x: $0, y: $0 * $0 / 1000) })
  private static let uneven = StepPath((0...300).map { .init(x: $0 * 3 + $0 % 3, y: ($0 * 7919 % 40) + $0 * 2) })
  private static let late = StepPath([
    .init(x: 0, y: 0), .init(x: 400, y: 2), .init(x: 995, y: 500), .init(x: 1000, y: 900),
  ])

  private func height(_ outline: Outline, _ line: Int, at x: Int) -> Double {
    guard let after = outline.corners.firstIndex(where: { $0.x > x }) else {
      return Double(outline.corners.last?.heights[line] ?? 0)
    }
    let (left, right) = (outline.corners[after - 1], outline.corners[after])
    let part = Double(x - left.x) / Double(right.x - left.x)
    return Double(left.heights[line]) + part * Double(right.heights[line] - left.heights[line])
  }

  /// What is drawn is nowhere off by more than the error, and not at all at the end.
  @Test(arguments: [even, uneven, late], [1.0, 3, 10]) func thinnedLinesStayNear(_ path: StepPath, _ error: Double) {
    let thin = Outline([path], until: 1000).thinned(within: error)
    for x in 0...1000 { #expect(abs(height(thin, 0, at: x) - Double(path.height(at: x) ?? 0)) <= error) }
    #expect(thin.corners.last == .init(x: 1000, heights: [path.steps.last?.y ?? 0]))
    #expect(thin.corners.count < 2 * path.steps.count)
  }

  @Test func fewCornersDrawASmoothLine() {
    #expect(Outline([Self.even], until: 1000).thinned(within: 3).corners.count < 20)
  }

  /// One thinned alone would not: lines that add up have their corners at the same places.
  @Test func whatAddsUpStillDoes() {
    let parts = [Self.uneven, Self.late]
    let xs = Set(parts.flatMap { path in path.steps.map(\.x) }).sorted()
    let sum = StepPath(xs.map { x in .init(x: x, y: parts.reduce(0) { $0 + ($1.height(at: x) ?? 0) }) })
    let all = Outline(parts + [sum], until: 1000).thinned(within: 10)
    for x in 0...1000 {
      #expect(abs(height(all.only(0), 0, at: x) + height(all.only(1), 0, at: x) - height(all.only(2), 0, at: x)) < 1e-6)
    }
  }

  @Test func stepsAreDrawn() {
    let steps = StepPath([.init(x: 0, y: 0), .init(x: 100, y: 200), .init(x: 400, y: 700)])
    let outline = Outline([steps], until: 1000)
    #expect(svgSlopes(outline.thinned(within: 3).places) == "M0 1000l100 0 0-200 300 0 0-500 600 0")
    #expect(svgSlopes(Outline([steps], until: 250).places) == "M0 1000l100 0 0-200 150 0")
    #expect(Outline([], until: 10).corners.isEmpty)
    let lower = Outline([StepPath([.init(x: 0, y: 0), .init(x: 300, y: 100)])], until: 500)
    let area = Outline.area(Outline([steps], until: 500), lower)
    #expect(area == "M0 1000l100 0 0-200 300 0 0-500 100 0 0 600-200 0 0 100-300 0z")
  }

  @Test func halvesMeetAtTheCut() {
    let (left, right) = Outline([StepPath([.init(x: 0, y: 0), .init(x: 400, y: 700)])], until: 1000).cut(at: 250)
    #expect(svgSlopes(left.places) == "M0 1000l250 0" && svgSlopes(right.places) == "M250 1000l150 0 0-700 600 0")
    #expect(left.cut(at: 900).left == left && left.cut(at: 900).right.corners.isEmpty)
  }
}
