public struct Plot: Sendable {
  func text(width: Int, glyphs: Glyphs, colour: Bool) -> String { "" }
}
