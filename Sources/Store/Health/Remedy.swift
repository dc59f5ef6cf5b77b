public import Lifecycle

/// What to do about something, as words, names and commands.
///
/// Only literals of the program become words: a name or a path from outside goes in as a name or as part of a command,
/// so that whoever prints it quotes it.
public struct Remedy: Hashable, Sendable {
  public struct Command: Hashable, Sendable {
    public struct Option: Hashable, Sendable {
      public var name: String
      /// nil where it takes none.
      public var value: String?

      public init(name: String, value: String?) { (self.name, self.value) = (name, value) }
    }
    /// Behind the program's name, such as `release`, `publish`.
    public var words: [String]
    public var options: [Option] = []
    public var arguments: [String] = []
  }

  public enum Part: Hashable, Sendable {
    case words(String)
    case name(String)
    case command(Command)
  }
  public var parts: [Part]

  /// Several in one line.
  public static func each(_ remedies: [Remedy]) -> Remedy {
    Remedy(parts: Array(remedies.map(\.parts).joined(separator: [.words("; ")])))
  }

  /// For an archive that is not there, or a folder of such.
  ///
  /// - Parameter database: nil where it is not known by its path.
  public static func lostArchive(_ place: String, of database: String?) -> Remedy {
    "put it back where it was; where it is lost for good: \(command: "retain", options: ["lost": place, "db": database ?? "FILE"])"
  }

  /// At most five names, such as those that a mistyped one may have meant.
  public static func names(_ names: [String]) -> Remedy {
    let shown = Array(names.prefix(5).map { [Part.name($0)] }.joined(separator: [.words(", ")]))
    return Remedy(parts: shown + (names.count > 5 ? [.words(", …")] : []))
  }
}

extension Remedy: ExpressibleByStringInterpolation {
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []
    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ words: String) { if !words.isEmpty { parts.append(.words(words)) } }
    public mutating func appendInterpolation(name: String) { parts.append(.name(name)) }
    public mutating func appendInterpolation(_ time: Timestamp) { parts.append(.words(time.rfc3339)) }
    public mutating func appendInterpolation(_ other: Remedy) { parts += other.parts }

    /// `uptake`, then these words, arguments and options.
    public mutating func appendInterpolation(
      command words: String..., argument: String? = nil, options: KeyValuePairs<String, String?> = [:]
    ) {
      let options = options.map { Command.Option(name: $0.key, value: $0.value) }
      parts.append(.command(Command(words: words, options: options, arguments: argument.map { [$0] } ?? [])))
    }
  }

  public init(stringLiteral words: String) { parts = [.words(words)] }
  public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }
}
