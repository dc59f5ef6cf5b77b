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
  /// What the picture shows, in words: the finding, not the picture.
  var finding: String
  var frame: Frame
  var height: Int
  var drawing: HTML

  var html: HTML {
    """
    <div class="\(frame.rawValue)"><svg role="img" width="100%" height="\(height)" aria-labelledby="\(id)-t \(id)-d">\
    <title id="\(id)-t">\(title)</title><desc id="\(id)-d">\(finding)</desc>\(drawing)</svg></div>
    """
  }
}

/// A text at a place: thousandths across, pixels down.
func svgText(_ text: String, _ x: Int, _ y: Int, _ style: String = "", _ shift: Int = 0) -> HTML {
  let dx: HTML = shift == 0 ? "" : " dx=\(shift)"
  let name: HTML = style.isEmpty ? "" : " class=\"\(style)\""
  return "<text x=\(percent(x)) y=\(y)\(dx)\(name)>\(text)</text>"
}

/// The name at the right end of a line or an area, with a dot of its colour.
func svgLabel(_ name: String, _ ink: Ink, _ x: Int, _ y: Int) -> HTML {
  "<text x=\(percent(x)) y=\(y) dx=7 class=el><tspan class=\"sw \(ink.name)\">●</tspan> \(name)</text>"
}

/// A line between two places, thousandths across and pixels down.
func svgLine(_ x1: Int, _ y1: Int, _ x2: Int, _ y2: Int, _ style: String) -> HTML {
  "<line x1=\(percent(x1)) y1=\(y1) x2=\(percent(x2)) y2=\(y2) class=\"\(style)\"/>"
}

/// A box, thousandths across and pixels down.
func svgBox(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ style: String) -> HTML {
  "<rect x=\"\(percent(x))\" y=\"\(y)\" width=\"\(percent(width))\" height=\"\(height)\" class=\"\(style)\"/>"
}

/// Paths on the grid of thousandths, stretched over a plot of so many pixels' height.
func svgGrid(top: Int = 0, height: Int, _ paths: HTML) -> HTML {
  "<svg y=\"\(top)\" width=\"100%\" height=\"\(height)\" viewBox=\"0 0 1000 1000\" preserveAspectRatio=\"none\">\(paths)</svg>"
}

func svgPath(_ path: String, _ style: String) -> HTML {
  path.isEmpty ? "" : "<path d=\"\(path)\" class=\"\(style)\"/>"
}
