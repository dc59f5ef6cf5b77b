/// A drawing with its words: it fills the width it is given, its height is in pixels.
///
/// Horizontal places are percentages of the plot, so that text keeps its size on every screen; what hangs over at the
/// left and right lies in the padding that `frame` gives.
struct Picture {
  /// How much hangs over: share labels left and names right, row names above their rows, or nothing.
  enum Frame: String { case curves = "pc", rows = "pr", days = "pd" }
  /// Unique on the page.
  var id: String
  var title: String
  /// What the picture shows, in words: the finding, not the picture. nil where a paragraph says it.
  var finding: String?
  var frame: Frame
  var height: Int
  var drawing: HTML
  /// The names of its lines or areas, for screens where these find no room at their ends.
  var key: [(name: String, style: String)] = []
  /// Areas that lie on each other: where their colours cannot be told apart, their order can.
  var isStacked = false

  private var keyHTML: HTML {
    guard !key.isEmpty else { return "" }
    let names = key.map { name, style -> HTML in
      "<bdi\(svgClass(isStacked ? "a \(style)" : style))>\(name)</bdi>"
    }
    return "<p class=key aria-hidden=true>\(isStacked && key.count > 1 ? "From the bottom: " : "")\(names)</p>"
  }

  var html: HTML { markup.kept(as: file) }

  /// Its title is its name; the finding describes it, which is not to be heard twice where a paragraph says it.
  private var markup: HTML {
    let paragraph: HTML = finding == nil ? " aria-describedby=\(id)-d" : ""
    let description: HTML = finding.map { "<desc>\($0)</desc>" } ?? ""
    return """
      <div class=\(frame.rawValue)>\(keyHTML)<svg role=img width=100% height=\(height)\(paragraph)><title>\(title)</title>\
      \(description)\(drawing)</svg></div>
      """
  }
}

/// Quotes are kept for several names: pages hold many of these.
private func svgClass(_ names: String) -> HTML {
  names.contains(" ") ? " class=\"\(names)\"" : " class=\(names)"
}

/// A text at a place: thousandths across, pixels down.
func svgText(_ text: String, _ x: Int, _ y: Int, _ style: String = "", _ shift: Int = 0) -> HTML {
  let dx: HTML = shift == 0 ? "" : " dx=\(shift)"
  return "<text x=\(percent(x)) y=\(y)\(dx)\(style.isEmpty ? "" : svgClass(style))>\(text)</text>"
}

/// Texts of one style in a row, thousandths across.
func svgWords(_ words: [(text: String, x: Int)], y: Int, _ style: String) -> HTML {
  let texts = words.enumerated().map { place, word -> HTML in
    // Where it is narrow every other goes.
    let rank: HTML = place % 2 == 1 ? " class=m" : ""
    let x: HTML = word.x == 0 ? "" : " x=\(percent(word.x))"
    return word.text.isEmpty ? "" : "<text\(x)\(rank)>\(word.text)</text>"
  }
  return "<g\(svgClass(style)) transform=translate(0,\(y))>\(texts)</g>"
}

/// Names of heights, left of the plot.
func svgHeights(_ heights: [(text: String, y: Int)], shift: Int = -8) -> HTML {
  let texts = heights.map { height -> HTML in "<text y=\(height.y)>\(height.text)</text>" }
  return "<g class=ty transform=translate(\(shift))>\(texts)</g>"
}

/// The name at the right end of a line or an area, with a dot of its colour; no longer than the room between two pictures.
func svgLabel(_ name: String, _ ink: Ink, _ x: Int, _ y: Int) -> HTML {
  let short = TextWidth.fitted(name, 150)
  return "<text x=\(percent(x)) y=\(y) dx=7 class=el><tspan class=\"sw \(ink.name)\">●</tspan> \(short)</text>"
}

/// A line between two places, thousandths across and pixels down.
func svgLine(_ x1: Int, _ y1: Int, _ x2: Int, _ y2: Int, _ style: String) -> HTML {
  "<line x1=\(percent(x1)) y1=\(y1) x2=\(percent(x2)) y2=\(y2)\(svgClass(style)) />"
}

/// A box, thousandths across and pixels down.
func svgBox(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ style: String) -> HTML {
  "<rect x=\(percent(x)) y=\(y) width=\(percent(width)) height=\(height)\(svgClass(style)) />"
}

/// Paths on the grid of thousandths, stretched over a plot of so many pixels' height.
func svgGrid(top: Int = 0, height: Int, _ paths: HTML) -> HTML {
  "<svg y=\(top) width=100% height=\(height) viewBox=\"0 0 1000 1000\" preserveAspectRatio=none>\(paths)</svg>"
}

func svgPath(_ path: String, _ style: String) -> HTML {
  path.isEmpty ? "" : "<path d=\"\(path)\"\(svgClass(style)) />"
}

/// Straight lines on the grid of thousandths: across the plot at heights, and ticks below it, so many pixels long.
func svgRules(heights: [Int], ticks: [Int], plotHeight: Int) -> HTML {
  let across = heights.map { "M0 \(1000 - $0)h1000" }.joined()
  let below = ticks.map { "M\($0) 1000v\(5000 / plotHeight)" }.joined()
  return svgPath(across, "g") + svgPath("M0 1000h1000" + below, "ax")
}

/// The names of ticks below the plot.
func svgTickWords(_ ticks: [Tick], _ across: Scale, _ bottom: Int) -> HTML {
  svgWords(ticks.map { ($0.label, across.place($0.value)) }, y: bottom + 19, "tx")
}

/// Straight from place to place, by relative moves: whole numbers, nothing drifts.
func svgSlopes(_ places: [(Int, Int)]) -> String {
  guard let first = places.first else { return "" }
  var (path, at) = ("M\(first.0) \(first.1)l", first)
  for place in places.dropFirst() {
    let (right, down) = (place.0 - at.0, place.1 - at.1)
    path += (path.last == "l" || right < 0 ? "" : " ") + "\(right)" + (down < 0 ? "" : " ") + "\(down)"
    at = place
  }
  return places.count > 1 ? path : String(path.dropLast())
}
