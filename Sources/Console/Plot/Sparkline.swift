/// A curve in one line, one character a value; values are 0 to 1, a value outside is drawn at the edge.
///
/// 0 is a bar of the lowest height, so that the line has no holes; not a number is a space.
public func sparkline(_ values: [Double], _ glyphs: Glyphs) -> String {
  let bars = glyphs.bars
  return String(
    values.map { value -> Character in
      guard !value.isNaN else { return " " }
      return bars[min(bars.count - 1, Int(max(0, min(1, value)) * Double(bars.count)))]
    })
}
