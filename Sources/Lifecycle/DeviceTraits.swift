/// What else an app says of its devices: the region, the model, and tags of its own, as one text.
///
/// A line each, `region=DE`, `tag:plan=pro`, in the order of their names: the same traits are the same text.
public struct DeviceTraits: Equatable, Sendable {
  public private(set) var values: [String: String] = [:]

  public static let region = "region"
  public static let deviceModel = "deviceModel"
  /// Of the event's connection the word of `Network`, so that answers can be split by it.
  public static let network = "network"
  /// Before the name of a tag.
  public static let tag = "tag:"
  /// Of one device; further ones, in the order of their names, are left out.
  public static let mostTags = 8
  /// Bytes of a tag's name and of its value.
  public static let longestTag = 32

  public init() {}

  public init(_ text: String?) {
    for (name, value) in Self.pairs(text) { values[String(name)] = String(value) }
  }

  /// The same without a table of them.
  public static func pairs(_ text: String?) -> [(name: Substring, value: Substring)] {
    (text ?? "").utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      return (Substring(line[..<sign]), Substring(line[line.index(after: sign)...]))
    }
  }

  public subscript(name: String) -> String? {
    get { values[name] }
    set { values[name] = newValue.map(Self.line) }
  }

  /// Without ends of lines.
  private static func line(_ text: String) -> String {
    if text.utf8.allSatisfy({ 0x20..<0x7f ~= $0 }) { return text }
    return String(text.map { $0.isNewline ? " " : $0 })
  }

  /// nil where nothing was said.
  public var text: String? {
    values.isEmpty ? nil : values.sorted { $0.key < $1.key }.map(Self.pair).joined(separator: "\n")
  }

  /// A line of such a text.
  public static func pair(_ name: String, _ value: String) -> String { name + "=" + line(value) }

  /// One of them, without reading the others.
  public static func value(_ name: String, in text: String?) -> String? {
    guard let text else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix(name) {
      let rest = line.dropFirst(name.count)
      if rest.first == "=" { return String(rest.dropFirst()) }
    }
    return nil
  }

  /// Whether a tag may be called so.
  public static func isTagName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= longestTag
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }
}
