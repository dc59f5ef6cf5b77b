internal import Console

/// A name that people or devices made up: any length, any script.
struct Name {
  var text: String
  init(_ text: String) { self.text = text }

  /// Isolated from the direction of the text around it; a long one is shortened in the middle and whole in its title.
  func html(atMost limit: Int = 40) -> HTML {
    let short = shortened(to: limit)
    return short == text ? "<bdi>\(text)</bdi>" : "<bdi title=\"\(text)\">\(short)</bdi>"
  }

  func shortened(to limit: Int) -> String {
    let characters = Array(text.isEmpty ? "(no name)" : text)
    guard characters.count > limit else { return String(characters) }
    let head = limit * 2 / 3
    return String(characters.prefix(head)) + "…" + String(characters.suffix(limit - head - 1))
  }

  /// As part of a path: letters, digits, single `.`, `_` and `-`; whatever had to change leaves a digest, so that two names
  /// never share a file, not even where files of different case are the same. None ends like a page: the folder of one name
  /// would have the name of another's page.
  var fileName: String {
    let safe = text.unicodeScalars.map { Self.isSafe($0) ? Character($0) : "-" }
    var name = String(safe.prefix(80)).replacing("..", with: "-")
    if name.isEmpty || name.hasPrefix(".") || name.hasPrefix("-") { name = "r" + name }
    let isItself = name == text && name == name.lowercased() && !name.hasSuffix(".html")
    return isItself ? name : name.prefix(48) + "-" + Digest(text).hex.prefix(8)
  }

  private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": true
    default: false
    }
  }
}

extension HTML {
  /// A sentence in which names that are written from right to left are isolated, so that what follows them stays behind them.
  ///
  /// - Parameter names: those that it may hold, as sentences shorten them.
  static func sentence(_ text: String, naming names: [String]) -> HTML {
    guard let name = names.first else { return "\(text)" }
    let (short, others) = (truncated(harmless(name), to: 40), Array(names.dropFirst()))
    guard short.isRightToLeft, text.contains(short) else { return sentence(text, naming: others) }
    let parts = text.split(separator: short, omittingEmptySubsequences: false)
    return parts.map { sentence(String($0), naming: others) }.joined("<bdi>\(short)</bdi>")
  }
}

extension String {
  /// With a capital at the beginning; a first word with a digit is a name or a number.
  var capitalizedFirst: String {
    prefix { $0 != " " }.contains(where: \.isNumber) ? self : prefix(1).uppercased() + dropFirst()
  }

  /// With a capital at the beginning, unless a name stands there: `v1.1` is not `V1.1`, nor `android` another platform's `Android`.
  ///
  /// - Parameter names: those that it may begin with, as sentences shorten them.
  func capitalizedFirst(butFor names: some Sequence<String>) -> String {
    names.contains { hasPrefix(truncated(harmless($0), to: 40) + " ") } ? self : capitalizedFirst
  }

  /// Whether any of it is: Hebrew, Arabic and the scripts beside them.
  fileprivate var isRightToLeft: Bool {
    let blocks: [ClosedRange<UInt32>] = [
      0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
    ]
    return unicodeScalars.contains { scalar in blocks.contains { $0.contains(scalar.value) } }
  }
}
