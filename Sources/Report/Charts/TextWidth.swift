/// How wide a text of a picture is about: fonts differ, and nothing measures them here.
enum TextWidth {
  /// In pixels, in bold letters of 12 pixels of a wide font.
  static func of(_ text: String) -> Double { text.reduce(0) { $0 + width($1) } }

  private static func width(_ character: Character) -> Double {
    switch character {
    case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!", " ", "·", "(", ")": 4.5
    case "f", "r", "t", "-", "/": 5.5
    case "m", "w", "M", "W", "@", "%": 13
    case "A"..."Z", "0"..."9", "…": 9
    case "\u{0}"..."\u{2ff}": 7.8
    default: character.unicodeScalars.first.map { $0.value < 0x1100 } == true ? 9 : 15
    }
  }

  /// The text, shortened in the middle as far as it takes.
  static func fitted(_ text: String, _ pixels: Double) -> String {
    var (limit, short) = (text.count, text)
    while of(short) > pixels, limit > 4 {
      limit -= 1
      short = Name(text).shortened(to: limit)
    }
    return short
  }
}
