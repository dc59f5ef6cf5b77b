internal import Statistics

/// Horizontal bars, or dots with intervals, one row each; names stand above their marks, so that any length fits.
struct Rows {
  enum Mark {
    /// From 0 to the value, a whisker over it for the interval.
    case bar
    /// A dot on the interval.
    case dot
  }
  struct Row {
    var name: String
    /// What stands at the right end: the numbers in words.
    var words: String
    var value: Double?
    var lo: Double?
    var hi: Double?
    var ink = Ink.main
    var isMarked = false
  }
  var mark: Mark
  var rows: [Row]
  var ticks: [Tick]
  var scale: Scale
  /// A line to compare with: a limit, the whole, no difference.
  var reference: (value: Double, label: String)?
  static let rowHeight = 40

  func picture(id: String, title: String, finding: String) -> Picture {
    Picture(
      id: id, title: title, finding: finding, frame: .rows, height: bottom + (ticks.isEmpty ? 0 : 26),
      drawing: axes + rows.enumerated().map { draw($1, at: 18 + $0 * Self.rowHeight) }.joined())
  }

  private var bottom: Int { (reference == nil ? 4 : 18) + rows.count * Self.rowHeight }

  private var axes: HTML {
    let lines = ticks.enumerated().map { index, tick -> HTML in
      let x = scale.place(tick.value)
      let side = x < 30 ? " s" : x > 970 ? " e" : ""
      return svgLine(x, 4, x, bottom, "g")
        + svgText(tick.label, x, bottom + 18, (index % 2 == 1 ? "tx m" : "tx") + side)
    }
    guard let reference else { return lines.joined() }
    let x = scale.place(reference.value)
    return lines.joined() + svgLine(x, 4, x, bottom, "mk")
      + svgText(reference.label, x, bottom - 4, x > 700 ? "tm e" : "tm", x > 700 ? -4 : 4)
  }

  private func draw(_ row: Row, at y: Int) -> HTML {
    let style = row.isMarked ? "rn w" : "rn"
    let words = svgText(row.name, 0, y, style) + svgText(row.words, 1000, y, "rv")
    guard let value = row.value else { return words }
    let middle = y + 13
    let whisker: HTML =
      if let lo = row.lo, let hi = row.hi {
        svgLine(scale.place(lo), middle, scale.place(hi), middle, "wh \(row.ink.name)")
      } else { "" }
    switch mark {
    case .bar:
      return svgBox(0, y + 6, max(1, scale.place(value)), 14, "a \(row.ink.name)") + words + whisker
    case .dot:
      return words + whisker
        + "<circle cx=\(percent(scale.place(value))) cy=\(middle) r=4.5 class=\"dt \(row.ink.name)\"/>"
    }
  }
}
