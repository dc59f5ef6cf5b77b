/// Dots on a grid of cells: braille has 2 × 4 of them in a cell, ASCII one.
struct Canvas {
  /// What a dot belongs to.
  struct Ink: OptionSet {
    let rawValue: UInt8
    static let first = Ink(rawValue: 1)
    static let second = Ink(rawValue: 2)
    static let band = Ink(rawValue: 4)
  }

  let columns: Int
  let rows: Int
  let isBraille: Bool
  var width: Int { isBraille ? columns * 2 : columns }
  var height: Int { isBraille ? rows * 4 : rows }
  private var dots: [Ink]

  init(columns: Int, rows: Int, glyphs: Glyphs) {
    (self.columns, self.rows, isBraille) = (columns, rows, glyphs == .unicode)
    dots = Array(repeating: [], count: columns * rows * (glyphs == .unicode ? 8 : 1))
  }

  mutating func draw(_ x: Int, _ y: Int, _ ink: Ink) {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return }
    dots[y * width + x].formUnion(ink)
  }

  /// One line of characters; with colour, cells without the first curve are dim.
  func line(_ row: Int, colour: Bool) -> String {
    let cells = (0..<columns).map { cell($0, row) }
    let last = cells.lastIndex { $0.character != " " } ?? -1
    return cells.prefix(last + 1).map { cell in
      colour && !cell.isFirst && cell.character != " " ? "\u{1B}[2m\(cell.character)\u{1B}[0m" : String(cell.character)
    }.joined()
  }

  private func cell(_ column: Int, _ row: Int) -> (character: Character, isFirst: Bool) {
    isBraille ? braille(column, row) : ascii(dots[row * width + column])
  }

  /// Unicode numbers the dots 1 2 3 7 down the left side and 4 5 6 8 down the right.
  private static let bits: [[UInt32]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

  private func braille(_ column: Int, _ row: Int) -> (character: Character, isFirst: Bool) {
    var (pattern, inks) = (UInt32(0), Ink())
    for (down, bits) in Self.bits.enumerated() {
      for (across, bit) in bits.enumerated() {
        let dot = dots[(row * 4 + down) * width + column * 2 + across]
        if !dot.isEmpty { pattern |= bit }
        inks.formUnion(dot)
      }
    }
    guard pattern > 0, let scalar = Unicode.Scalar(0x2800 + pattern) else { return (" ", false) }
    return (Character(scalar), inks.contains(.first))
  }

  private func ascii(_ inks: Ink) -> (character: Character, isFirst: Bool) {
    if inks.contains(.first) { return (inks.contains(.second) ? "#" : "*", true) }
    return (inks.contains(.second) ? "." : inks.contains(.band) ? ":" : " ", false)
  }
}
