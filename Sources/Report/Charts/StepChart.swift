/// Rising shares over time as stepped lines with stepped bands.
struct StepChart {
  struct Point {
    var seconds: Double
    var share: Double
    var lo: Double?
    var hi: Double?
  }
  struct Line {
    var name: String
    var ink: Ink
    /// Where the line rises, left to right; it starts at 0.
    var points: [Point]
    var hasBand = true
    /// From here on one more update would move the line by over a percentage point, or events are still to come: it pales.
    var fadesFrom: Double?
    /// The line is known until here.
    var until: Double
    /// Where devices left without an update.
    var censored: [Double] = []
    var shape = Shape.steps
  }
  enum Shape {
    /// Holds each height up to the next point.
    case steps
    /// Goes straight from one sample to the next.
    case sampled
    /// Goes straight and is dashed: what is expected, not what was seen.
    case forecast
  }
  struct Marker {
    var seconds: Double
    var label: String
  }
  /// Numbers under the plot, at its ticks.
  struct RiskRow {
    var name: String
    /// One per tick; nil where it is not known.
    var numbers: [String?]
  }

  var lines: [Line]
  var markers: [Marker] = []
  /// A dashed line at one half, to read medians from.
  var showsHalf = false
  var axis = "time since a device could have it"
  var ticks: [Tick]
  var horizon: Double
  var scaleKind = Scale.Kind.linear
  var lowest = 0.0
  var risk: [RiskRow] = []
  var readings: [Reading] = []
  var highest: Double?
  var plotHeight = 280
  /// By so many pixels a line may be off.
  var pixels = 1.0
  /// The first line is the sum of all others.
  var addsUp = false

  var across: Scale { Scale(lowest: lowest, highest: horizon, kind: scaleKind) }
  var shareTicks: [Tick] {
    let peak = lines.flatMap { line in drawn(line).map { $0.hi ?? $0.share } }.max() ?? 0
    return Ticks.shares(to: highest ?? peak)
  }
  var up: Scale { Scale(lowest: 0, highest: shareTicks.last?.value ?? 1) }
  static let top = 22
  static let riskRowHeight = 34
  var bottom: Int { Self.top + plotHeight }

  func picture(id: String, title: String, finding: String? = nil) -> Picture {
    Picture(
      id: id, title: title, finding: finding, frame: .curves,
      height: bottom + 40 + (risk.isEmpty ? 0 : 8 + risk.count * Self.riskRowHeight),
      drawing: words
        + svgGrid(top: Self.top, height: plotHeight, rules + lines.map(bands).joined() + allStrokes + censorMarks)
        + markerWords + endLabels + riskRows + readingAreas,
      key: lines.map { ($0.name, $0.shape == .forecast ? "fc \($0.ink.name)" : $0.ink.name) })
  }
}

extension StepChart {
  /// What lies beyond the right end is not drawn there: it would look as if it happened at that instant.
  private func drawn(_ line: Line) -> ArraySlice<Point> { line.points.prefix { $0.seconds <= horizon } }

  /// Pixels down for a share.
  private func y(_ share: Double) -> Int { bottom - up.place(share) * plotHeight / 1000 }

  private var rules: HTML {
    let half = showsHalf && up.highest > 0.5 ? "M0 \(1000 - up.place(0.5))h1000" : ""
    let falls = shownMarkers.map { "M\(across.place($0.seconds)) \(-6000 / plotHeight)V1000" }.joined()
    return svgRules(
      heights: shareTicks.map { up.place($0.value) }, ticks: ticks.map { across.place($0.value) },
      plotHeight: plotHeight) + svgPath(half, "half") + svgPath(falls, "mk")
  }

  private var words: HTML {
    svgHeights(shareTicks.map { ($0.label, y($0.value) + 4) })
      + svgTickWords(ticks, across, bottom) + svgText(axis, 1000, bottom + 36, "tn")
  }

  private func path(_ line: Line, _ height: (Point) -> Double?) -> StepPath {
    let (across, up) = (across, up)
    let steps = drawn(line).compactMap { point in
      height(point).map { StepPath.Step(x: across.place(point.seconds), y: up.place($0)) }
    }
    return StepPath([StepPath.Step(x: 0, y: 0)] + steps)
  }

  private func outline(_ line: Line, _ height: (Point) -> Double?) -> Outline {
    Outline([path(line, height)], until: end(line)).thinned(within: chartError(plotHeight, pixels))
  }

  /// Line by line; those that add up share their places.
  private var outlines: [Outline] {
    guard addsUp else { return lines.map { outline($0, \.share) } }
    let all = Outline(lines.map { path($0, \.share) }, until: lines.map(end).max() ?? 0).thinned(
      within: chartError(plotHeight, pixels))
    return lines.indices.map(all.only)
  }

  private func end(_ line: Line) -> Int { across.place(min(line.until, horizon)) }
  private func fade(_ line: Line) -> Int { line.fadesFrom.map { min(across.place($0), end(line)) } ?? end(line) }

  private func bands(_ line: Line) -> HTML {
    if line.shape != .steps { return svgPath(fan(line), "b \(line.ink.name)") }
    guard line.hasBand else { return "" }
    // Before the first limits exist the band has no height.
    let (upper, lower) = (outline(line) { $0.hi ?? $0.share }, outline(line) { $0.lo ?? $0.share })
    let (fade, end) = (fade(line), end(line))
    let (firm, pale) = (
      Outline.area(upper.cut(at: fade).left, lower.cut(at: fade).left),
      Outline.area(upper.cut(at: fade).right, lower.cut(at: fade).right)
    )
    return svgPath(firm, "b \(line.ink.name)") + (fade < end ? svgPath(pale, "b f \(line.ink.name)") : "")
  }

  private var allStrokes: HTML { zip(lines, outlines).map(strokes).joined() }

  private func strokes(_ line: Line, _ outline: Outline) -> HTML {
    if line.shape != .steps {
      // A pale part begins where the firm one ends.
      let points = drawn(line)
      let firm = points.prefix { $0.seconds <= line.fadesFrom ?? .infinity }
      let pale = firm.count < points.count ? points.dropFirst(max(firm.count - 1, 0)) : []
      return svgPath(slopes(firm), line.shape == .forecast ? "l fc \(line.ink.name)" : "l \(line.ink.name)")
        + svgPath(slopes(pale), "l f \(line.ink.name)")
    }
    let (fade, end) = (fade(line), end(line))
    let (firm, pale) = outline.cut(at: fade)
    return svgPath(svgSlopes(firm.places), "l \(line.ink.name)")
      + (fade < end ? svgPath(svgSlopes(pale.places), "l f \(line.ink.name)") : "")
  }

  /// Straight from point to point.
  private func slopes(_ points: ArraySlice<Point>) -> String { svgSlopes(edge(points, \.share).places) }

  private func edge(_ points: ArraySlice<Point>, _ height: (Point) -> Double?) -> Outline {
    let (across, up) = (across, up)
    let corners = points.map { point in
      Outline.Corner(x: across.place(point.seconds), heights: [up.place(height(point) ?? point.share)])
    }
    return Outline(corners).thinned(within: chartError(plotHeight, pixels))
  }

  private func fan(_ line: Line) -> String {
    Outline.area(edge(drawn(line), \.hi), edge(drawn(line), \.lo))
  }
}

extension StepChart {
  fileprivate var shownMarkers: [Marker] { markers.filter { $0.seconds <= horizon } }

  /// Marks that stand too near for words of their own share a list of them; at the right end they stand left of their mark, with
  /// those before where these would lie below them.
  private var markerWords: HTML {
    var groups: [(x: Int, labels: [String])] = []
    for marker in shownMarkers {
      let x = across.place(marker.seconds)
      if let last = groups.last, x - last.x < 90 * last.labels.count {
        groups[groups.count - 1].labels.append(marker.label)
      } else {
        groups.append((x, [marker.label]))
      }
    }
    while let last = groups.last, let before = groups.dropLast().last, last.x > 1000 - 90 * last.labels.count,
      last.x - 90 * last.labels.count < before.x + 90 * before.labels.count
    {
      groups.removeLast(2)
      groups.append((last.x, before.labels + last.labels))
    }
    return groups.map { x, labels in
      let isAtEnd = x > 1000 - 90 * labels.count
      return svgText(labels.joined(separator: ", "), x, Self.top - 9, isAtEnd ? "tm e" : "tm", isAtEnd ? -3 : 3)
    }.joined()
  }

  private var censorMarks: HTML {
    lines.map { line in
      let whole = path(line, \.share)
      // Four pixels up and down.
      let half = 4000 / plotHeight
      let strokes = line.censored.filter { $0 <= horizon }.map { seconds in
        let x = across.place(seconds)
        return "M\(x) \(1000 - (whole.height(at: x) ?? 0) - half)v\(2 * half)"
      }
      return svgPath(strokes.joined(), "c \(line.ink.name)")
    }.joined()
  }

  private var endLabels: HTML {
    let ends = lines.map(end)
    let wishes = lines.indices.map { last(lines[$0]) + 4 + lift($0, ends) }
    let heights = Labels.apart(wishes, by: 15, in: Double(Self.top) + 4...Double(bottom) - 2, at: ends)
    return zip(lines, zip(ends, heights)).map { line, place in
      svgLabel(line.name, line.ink, place.0, Int(place.1.rounded()))
    }.joined()
  }

  /// Pixels down to where a line ends.
  private func last(_ line: Line) -> Double {
    let last =
      line.shape != .steps
      ? drawn(line).last?.share : line.points.last { $0.seconds <= min(line.until, horizon) }?.share
    return Double(y(last ?? 0))
  }

  /// A name amid the plot keeps off the nearest line that goes on there, so that it is not taken for that one's.
  private func lift(_ index: Int, _ ends: [Int]) -> Double {
    let own = last(lines[index])
    let others = lines.indices.filter { ends[$0] > ends[index] }.compactMap { other in
      path(lines[other], \.share).height(at: ends[index]).map { Double(bottom - $0 * plotHeight / 1000) }
    }
    guard let nearest = others.min(by: { abs($0 - own) < abs($1 - own) }), abs(nearest - own) < 15 else { return 0 }
    return nearest < own ? 8 : -8
  }

  private var riskRows: HTML {
    risk.enumerated().map { index, row in
      let y = bottom + 58 + index * Self.riskRowHeight
      let numbers = zip(ticks, row.numbers).map { tick, number in (number ?? "", across.place(tick.value)) }
      // A name stands over numbers, and only where one of them is left.
      let known = numbers.indices.filter { !numbers[$0].0.isEmpty }
      guard !known.isEmpty else { return "" }
      let style = known.contains { $0 % 2 == 0 } ? "rk" : "rk m"
      return svgText(row.name, 0, y, style, -8) + svgWords(numbers, y: y + 15, "tx n")
    }.joined()
  }
}
