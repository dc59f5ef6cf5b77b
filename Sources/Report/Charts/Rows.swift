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
    /// Its own, marked across the bar.
    var limit: Double?
  }
  var mark: Mark
  var rows: [Row]
  var ticks: [Tick]
  var scale: Scale
  /// A line to compare with: a limit, the whole, no difference.
  var reference: (value: Double, label: String)?
  static let rowHeight = 40
  /// What a phone shows of a row, in pixels.
  private static let narrowest = 310.0

  func picture(id: String, title: String, finding: String? = nil) -> Picture {
    Picture(
      id: id, title: title, finding: finding, frame: .rows, height: bottom + (ticks.isEmpty ? 0 : 26),
      drawing: axes + marks)
  }

  /// Neighbours of one colour share it.
  private var marks: HTML {
    var drawn: HTML = ""
    for (place, row) in rows.enumerated() {
      if place == 0 || row.ink != rows[place - 1].ink {
        let end: HTML = place == 0 ? "" : "</g>"
        drawn += "\(end)<g class=\(row.ink.name)>"
      }
      drawn += draw(row, at: 18 + place * Self.rowHeight)
    }
    return rows.isEmpty ? "" : drawn + "</g>"
  }

  private var bottom: Int { (reference == nil ? 4 : 18) + rows.count * Self.rowHeight }

  private var axes: HTML {
    guard !ticks.isEmpty else { return mark(reference) }
    let words = ticks.enumerated().map { index, tick -> HTML in
      let x = scale.place(tick.value)
      let side = x < 30 ? " s" : x > 970 ? " e" : ""
      return svgText(tick.label, x, bottom + 18, (index % 2 == 1 ? "tx m" : "tx") + side)
    }
    let falls = ticks.map { "M\(scale.place($0.value)) 0v1000" }.joined()
    return svgGrid(top: 4, height: bottom - 4, svgPath(falls, "g")) + words.joined() + mark(reference)
  }

  private func mark(_ reference: (value: Double, label: String)?) -> HTML {
    guard let reference else { return "" }
    let x = scale.place(reference.value)
    return svgLine(x, 4, x, bottom, "mk")
      + svgText(reference.label, x, bottom - 4, x > 700 ? "tm e" : "tm", x > 700 ? -4 : 4)
  }

  /// At the right end; beside a long name the interval goes where it is narrow, where both would lie on each other.
  private func figure(_ row: Row, at y: Int) -> HTML {
    let isTooWide = TextWidth.of(row.name) + TextWidth.of(row.words) > Self.narrowest
    guard isTooWide, let interval = row.words.firstRange(of: " (") else { return svgText(row.words, 1000, y, "rv") }
    let (value, rest) = (String(row.words[..<interval.lowerBound]), String(row.words[interval.lowerBound...]))
    return "<text x=100% y=\(y) class=rv>\(value)<tspan class=m>\(rest)</tspan></text>"
  }

  private func draw(_ row: Row, at y: Int) -> HTML {
    let style = row.isMarked ? "rn w" : "rn"
    let words = svgText(row.name, 0, y, style) + figure(row, at: y)
    guard let value = row.value else { return words }
    let middle = y + 13
    let limit = row.limit.map(scale.place).map { svgLine($0, y + 2, $0, y + 24, "mk") } ?? ""
    let whisker: HTML =
      if let lo = row.lo, let hi = row.hi {
        svgBox(scale.place(lo), middle - 1, scale.place(hi) - scale.place(lo), 2, "wh")
      } else { "" }
    switch mark {
    case .bar:
      return svgBox(0, y + 6, max(1, scale.place(value)), 14, "a") + words + whisker + limit
    case .dot:
      return words + whisker + limit
        + "<circle cx=\(percent(scale.place(value))) cy=\(middle) r=4.5 class=dt />"
    }
  }
}
