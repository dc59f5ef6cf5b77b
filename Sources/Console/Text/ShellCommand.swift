/// A command line for a person to paste into a POSIX shell.
///
/// It is made of words and quotes each as it is written out, so that a name which came from outside stays one word and
/// never becomes an option, whatever is in it. Written out it has no line break and nothing that drives a terminal.
public struct ShellCommand: Equatable, Sendable, CustomStringConvertible {
  private enum Part {
    case word(String)
    case option(String, String?)
    case argument(String)
  }
  private var parts: [Part]

  /// - Parameter words: the program and the words that call its command.
  public init(_ words: String...) { self.init(words) }
  public init(_ words: [String]) { parts = words.map(Part.word) }

  /// `--name value`, or `--name` alone where it takes none.
  public func option(_ name: String, _ value: String? = nil) -> Self { adding(.option(name, value)) }

  public func argument(_ word: String) -> Self { adding(.argument(word)) }

  /// With options that it does not have yet.
  public func carrying(_ options: [(name: String, value: String)]) -> Self {
    options.reduce(self) { $0.has($1.name) ? $0 : $0.option($1.name, $1.value) }
  }

  /// The word behind the program, which calls its command.
  public var command: String? { if parts.count > 1, case .word(let word) = parts[1] { word } else { nil } }

  private func has(_ name: String) -> Bool {
    parts.contains { if case .option(name, _) = $0 { true } else { false } }
  }

  private func adding(_ part: Part) -> Self {
    var longer = self
    longer.parts.append(part)
    return longer
  }

  /// Whether options can be typed behind it as it is written out.
  public var isOpen: Bool { !isOdd && !endsWithBreak }

  public var description: String {
    let words = words
    guard endsWithBreak, let program = words.first else { return words.map(shellWord).joined(separator: " ") }
    let rest = words.dropFirst().map { escaped($0.utf8.filter { $0 != 0 }) }.joined(separator: "\\000")
    return "printf '\(rest)' | xargs -0 \(shellWord(program))"
  }

  /// In the order in which it was made, but for arguments where one could be taken for an option: then all of them
  /// stand last and behind `--`.
  private var words: [String] {
    let arguments = parts.compactMap { if case .argument(let word) = $0 { word } else { nil } }
    let isOdd = isOdd
    let before = parts.flatMap { part in
      switch part {
      case .word(let word): [word]
      case .option(let name, let value): Self.words(name, value)
      case .argument(let word): isOdd ? [] : [word]
      }
    }
    return isOdd ? before + ["--"] + arguments : before
  }

  /// A value that begins with a dash belongs to its option only behind an equals sign.
  private static func words(_ name: String, _ value: String?) -> [String] {
    guard let value else { return ["--" + name] }
    return value.hasPrefix("-") ? ["--\(name)=\(value)"] : ["--" + name, value]
  }

  private var isOdd: Bool {
    parts.contains { if case .argument(let word) = $0 { word.hasPrefix("-") } else { false } }
  }

  /// A shell takes line breaks off the end of what `$(…)` prints, so a word that ends with one goes in by another way.
  private var endsWithBreak: Bool { words.contains { $0.utf8.last == UInt8(ascii: "\n") } }

  public static func == (left: Self, right: Self) -> Bool { left.description == right.description }
}

extension ShellCommand: Encodable {
  /// As it is written out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// One word for a POSIX shell: as it is where that is safe, else quoted.
///
/// What drives a terminal, ends a line or hides its order is written as octal escapes of `printf`, since neither such a
/// word in quotes nor its visible form could be pasted. No command line can hold U+0000: it is left out.
public func shellWord(_ word: String) -> String {
  if isPlainShellWord(word) { return word }
  if harmless(word) == word { return "'" + word.replacingScalars { $0 == "'" ? "'\\''" : nil } + "'" }
  return octal(word)
}

/// Whether a shell reads the word as it is, wherever it stands on the line.
func isPlainShellWord(_ word: String) -> Bool {
  !word.isEmpty && word.utf8.allSatisfy(isPlain)
}

private func isPlain(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  default: "._-/:,+@".utf8.contains(byte)
  }
}

private func octal(_ word: String) -> String { "\"$(printf '\(escaped(word.utf8.filter { $0 != 0 }))')\"" }

private func escaped(_ bytes: some Sequence<UInt8>) -> String {
  bytes.reduce(into: "") { text, byte in
    let digits = String(byte, radix: 8)
    text +=
      isPlain(byte) && byte != UInt8(ascii: "-")
      ? String(UnicodeScalar(byte)) : "\\" + String(repeating: "0", count: 3 - digits.count) + digits
  }
}
