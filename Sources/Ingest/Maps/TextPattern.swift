/// Text with named parts, as nginx's `log_format` writes it: `$remote_addr - [$time_local] "$request" $status`.
///
/// A part reaches to the next occurrence of the text behind it, the last one to the end; nothing is tried twice, so a line
/// costs its length. `$_` is passed over, `$$` is a dollar sign, `${name}` ends a name before a letter.
public struct TextPattern: Equatable, Sendable {
  fileprivate enum Piece: Equatable { case literal([UInt8]), part(String) }

  public let text: String
  private let pieces: [Piece]
  /// In order, without those that are passed over.
  public var names: [String] {
    pieces.compactMap { if case .part(let name) = $0, name != "_" { name } else { nil } }
  }

  public init(_ text: String) throws(MapSyntaxError) {
    self.text = text
    var pieces: [Piece] = []
    var rest = text[...]
    while let next = rest.popFirst() {
      guard next == "$", rest.first != "$" else {
        if next == "$" { rest.removeFirst() }
        pieces.append(literal: Array(String(next).utf8))
        continue
      }
      guard let name = Self.name(&rest) else {
        throw MapSyntaxError(
          "the pattern \(quotedWord(text)) has a $ without a name",
          hint: "write $name, $_ to pass over, or $$ for a dollar sign")
      }
      if case .part = pieces.last {
        throw MapSyntaxError(
          "nothing stands between two parts of the pattern \(quotedWord(text)), before $\(name)",
          hint: "put the text between them there, or one name for both")
      }
      pieces.append(.part(name))
    }
    self.pieces = pieces
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw MapSyntaxError("the pattern names $\(twice) twice", hint: "write $_ for what is not wanted")
    }
  }

  private static func name(_ rest: inout Substring) -> String? {
    let isBraced = rest.first == "{"
    if isBraced { rest.removeFirst() }
    // Names begin with a letter, so that `$_bot` passes over what stands before "bot".
    let name =
      rest.first == "_" ? rest.prefix(1) : rest.prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
    rest = rest[name.endIndex...]
    if isBraced, rest.popFirst() != "}" { return nil }
    return name.isEmpty ? nil : String(name)
  }

  /// The parts of a text that is of this form as a whole; nil for another.
  func match(_ text: String) -> [(name: String, text: String)]? {
    let bytes = Array(text.utf8)
    var (parts, at): ([(String, String)], Int) = ([], 0)
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .literal(let literal):
        guard bytes[at...].starts(with: literal) else { return nil }
        at += literal.count
      case .part(let name):
        guard let end = end(of: index, bytes, from: at) else { return nil }
        if name != "_" { parts.append((name, String(decoding: bytes[at..<end], as: UTF8.self))) }
        at = end
      }
    }
    return at == bytes.count ? parts : nil
  }

  /// A last literal ends the text; any other is looked for from the front.
  private func end(of part: Int, _ bytes: [UInt8], from start: Int) -> Int? {
    guard part + 1 < pieces.count, case .literal(let literal) = pieces[part + 1] else { return bytes.count }
    let last = bytes.count - literal.count
    guard last >= start else { return nil }
    if part + 2 == pieces.count { return bytes[last...].elementsEqual(literal) ? last : nil }
    return (start...last).first { bytes[$0] == literal[0] && bytes[$0...].starts(with: literal) }
  }
}

extension [TextPattern.Piece] {
  fileprivate mutating func append(literal: [UInt8]) {
    if case .literal(let before) = last {
      self[count - 1] = .literal(before + literal)
    } else {
      append(.literal(literal))
    }
  }
}
