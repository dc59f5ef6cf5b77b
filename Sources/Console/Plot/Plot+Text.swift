extension Plot {
  /// The plot with its axes, each line at most `width` columns and ended.
  public func text(width: Int, glyphs: Glyphs, colour: Bool = false) -> String {
    let labels = yLabels
    let margin = labels.values.map(\.count).max() ?? 0
    let columns = max(10, width - margin - 3)
    var canvas = Canvas(columns: columns, rows: rows, glyphs: glyphs)
    for series in series.reversed() { draw(series, on: &canvas) }
    let lines = (0..<rows).map { row in
      padded(labels[row] ?? "", to: margin, .right) + " " + side(labels[row] != nil, glyphs)
        + canvas.line(row, colour: colour)
    }
    let space = String(repeating: " ", count: margin + 1)
    let heading = title.isEmpty ? [] : [truncated(harmless(title), to: width)]
    return (heading + legend(width, glyphs) + lines + timeAxis(columns, glyphs).map { space + $0 }).map { $0 + "\n" }
      .joined()
  }

  private func draw(_ series: Series, on canvas: inout Canvas) {
    let isFirst = series.name == self.series.first?.name && series.stroke == self.series.first?.stroke
    var previous: Int?
    for x in 0..<canvas.width {
      let time = horizon * Double(x) / Double(canvas.width - 1)
      guard time <= series.end else { return }
      if let band = series.band { shade(band, at: time, x, on: &canvas) }
      let y = dot(height(of: series.points, at: time), canvas)
      let riser = previous.map { min($0, y)...max($0, y) } ?? y...y
      for dot in series.stroke == .solid ? riser : y...y where series.stroke == .solid || isDot(x, canvas) {
        canvas.draw(x, dot, isFirst ? .first : .second)
      }
      if series.stroke == .dotted, riser.count > 4 {
        for dot in riser where dot % 4 == 0 { canvas.draw(x, dot, isFirst ? .first : .second) }
      }
      previous = y
    }
  }

  private func isDot(_ x: Int, _ canvas: Canvas) -> Bool { canvas.isBraille ? x % 4 < 2 : x % 2 == 0 }

  private func shade(_ band: (low: [Point], high: [Point]), at time: Double, _ x: Int, on canvas: inout Canvas) {
    let high = dot(height(of: band.high, at: time), canvas)
    let low = max(high, dot(height(of: band.low, at: time), canvas))
    for y in high...low where !canvas.isBraille || (x + 2 * y) % 4 == 0 { canvas.draw(x, y, .band) }
  }

  private func dot(_ share: Double, _ canvas: Canvas) -> Int {
    Int(((1 - min(1, max(0, share / top))) * Double(canvas.height - 1)).rounded())
  }
}

/// The axes and the legend.
extension Plot {
  /// A label each fifth, quarter or half of the axis, whichever falls on whole rows.
  private var yLabels: [Int: String] {
    let parts = [5, 4, 2].first { (rows - 1) % $0 == 0 } ?? 1
    let digits = top / Double(parts) * 100 < 1 ? 1 : 0
    let labels = (0...parts).map { part -> (Int, String) in
      let percent = top * 100 * Double(parts - part) / Double(parts)
      return ((rows - 1) * part / parts, decimal(percent, digits) + "%")
    }
    return Dictionary(labels) { first, _ in first }
  }

  private func side(_ isTick: Bool, _ glyphs: Glyphs) -> String {
    glyphs == .unicode ? (isTick ? "┤" : "│") : (isTick ? "+" : "|")
  }

  private func timeAxis(_ columns: Int, _ glyphs: Glyphs) -> [String] {
    let ticks = timeTicks(horizon: horizon, atMost: max(1, columns / 8))
    let places = ticks.map { Int((Double(columns - 1) * $0.seconds / horizon).rounded()) }
    let (corner, rule, tick) = glyphs == .unicode ? ("└", "─", "┴") : ("+", "-", "+")
    let axis = corner + (0..<columns).map { places.contains($0) ? tick : rule }.joined()
    var labels = ""
    for (place, tick) in zip(places, ticks) {
      let start = max(0, min(place + 1 - tick.label.count / 2, columns + 1 - tick.label.count))
      guard labels.isEmpty || start > labels.count else { continue }
      labels = padded(labels, to: start) + tick.label
    }
    return [axis, labels]
  }

  private func legend(_ width: Int, _ glyphs: Glyphs) -> [String] {
    guard series.count > 1 else { return [] }
    let entries = series.map { series in
      let sample =
        switch (series.stroke, glyphs) {
        case (.solid, .unicode): "⠒⠒⠒"
        case (.dotted, .unicode): "⠒ ⠒"
        case (.solid, .ascii): "***"
        case (.dotted, .ascii): ". ."
        }
      return sample + " " + harmless(series.name)
    }
    return [truncated(entries.joined(separator: "   "), to: width)]
  }
}

/// Ticks at times that people count in, at most so many, from 0 to the horizon.
func timeTicks(horizon: Double, atMost count: Int) -> [(seconds: Double, label: String)] {
  let (minute, hour, day) = (60.0, 3600.0, 86_400.0)
  let steps =
    [1, 2, 5, 10, 15, 30].map { $0 } + [1, 2, 5, 10, 15, 30].map { $0 * minute } + [1, 2, 3, 6, 12].map { $0 * hour }
    + [1, 2, 7, 14, 28, 91, 182, 364].map { $0 * day }
  let step = steps.first { horizon / $0 <= Double(count) } ?? horizon
  let unit =
    switch true {
    case horizon > 7 * day && step >= day: (day, "d")
    case step >= hour: (hour, "h")
    case step >= minute: (minute, "m")
    default: (1.0, "s")
    }
  return stride(from: 0, through: horizon * 1.000_001, by: step).map { seconds in
    (seconds, JSON.number(seconds / unit.0).text() + unit.1)
  }
}
