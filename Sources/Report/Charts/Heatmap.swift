/// A week of hours, one hue from pale to full.
struct Heatmap {
  /// Monday 00 to 01 UTC first, 168 of them; nil where nothing was tried.
  var shares: [Double?]
  var titles: [String]
  static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let cell = 24
  private static let levels = 10

  func picture(id: String, title: String, finding: String? = nil) -> Picture {
    Picture(
      id: id, title: title, finding: finding, frame: .days, height: 7 * Self.cell + 58,
      drawing: days + hours + cells + key)
  }

  private var known: [Double] { shares.compactMap(\.self) }
  private var lowest: Double { known.min() ?? 0 }
  private var highest: Double { known.max() ?? 1 }

  private var days: HTML {
    svgHeights(Self.days.enumerated().map { ($1, $0 * Self.cell + 17) }, shift: -6)
  }
  private var hours: HTML {
    stride(from: 0, to: 24, by: 3).map { hour in
      let label = (hour < 10 ? "0" : "") + String(hour)
      return svgText(label, hour * 1000 / 24, 7 * Self.cell + 16, hour % 6 == 3 ? "tm m" : "tm", 2)
    }.joined()
  }
  private var cells: HTML {
    shares.prefix(168).enumerated().map { index, share in
      let (day, hour) = (index / 24, index % 24)
      return """
        <rect x=\(percent(hour * 1000 / 24)) y=\(day * Self.cell) width=4% height=\(Self.cell - 2)\
        \(share.map { fill(level($0)) } ?? " class=\"h none\"")><title>\(index < titles.count ? titles[index] : "")</title></rect>
        """
    }.joined()
  }
  private func level(_ share: Double) -> Int {
    let place = highest > lowest ? (share - lowest) / (highest - lowest) : 0.5
    return min(Int(place * Double(Self.levels)), Self.levels - 1)
  }
  /// Pale to full; the style of every page would carry rules for each.
  private func fill(_ level: Int) -> HTML {
    " class=h fill-opacity=\(level + 1 < Self.levels ? ".\(level + 1)" : "1")"
  }
  /// What pale and full mean.
  private var key: HTML {
    guard !known.isEmpty else { return "" }
    let y = 7 * Self.cell + 30
    let boxes = (0..<Self.levels).map { level -> HTML in
      "<rect x=\(percent(level * 40)) y=\(y) width=4% height=10\(fill(level)) />"
    }.joined()
    return boxes + svgText(Format.share(lowest), 0, y + 24, "tm")
      + svgText(Format.share(highest), 400, y + 24, "tm e")
  }
}
