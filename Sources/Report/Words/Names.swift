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
