/// One option of a command: the row that parsing, help, completion, the man page and settings all read.
public struct Option: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    case flag
    case text
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    /// A share: `0.02`, `2%`, `2pp`.
    case share
    case duration
    case instant
    /// A number of bytes.
    case size
    case path
    case choice([String])
  }

  public enum Arity: Equatable, Sendable {
    case once
    /// May be given several times.
    case repeated
    /// May be given several times, and each time hold several values between commas.
    case list
  }

  /// Without the two dashes.
  public var name: String
  /// The one-letter form.
  public var short: Character?
  public var kind: Kind
  /// How help names the value, such as `FILE`.
  public var value: String
  public var arity: Arity
  /// What it does, as a sentence without a full stop where it is one.
  public var help: String
  /// The value where nothing else says one, as it would be typed.
  public var fallback: String?
  /// Where it names a file of the user's own: that file's place below the user's folder of data, such as `uptake/uptake.db`.
  /// It is meant where nothing else says a value, and said when it is used.
  public var dataFile: String?
  /// The environment variable that sets it.
  public var environment: String?
  /// Its key in the configuration file, such as `serve.listen`.
  public var key: String?
  /// Whether `config show` withholds the value.
  public var isSecret: Bool
  /// The heading of help under which it stands.
  public var group: String
  /// Where completion finds values: a name that the program answers, such as `releases`.
  public var completion: String?
  public var isHidden: Bool

  public init(
    _ name: String, short: Character? = nil, _ kind: Kind = .flag, value: String? = nil, arity: Arity = .once,
    fallback: String? = nil, dataFile: String? = nil, environment: String? = nil, key: String? = nil,
    isSecret: Bool = false, group: String = "OPTIONS", completion: String? = nil, isHidden: Bool = false, help: String
  ) {
    self.name = name
    self.short = short
    self.kind = kind
    self.value = value ?? kind.placeholder
    self.arity = arity
    self.help = help
    self.fallback = fallback
    self.dataFile = dataFile
    self.environment = environment
    self.key = key
    self.isSecret = isSecret
    self.group = group
    self.completion = completion
    self.isHidden = isHidden
  }

  /// Whether a value follows it on the command line.
  public var takesValue: Bool { kind != .flag }

  /// The same option with its own default, for a command that differs.
  public func with(fallback: String?) -> Option {
    var option = self
    option.fallback = fallback
    return option
  }

  /// The same option under another heading of help.
  public func under(_ group: String) -> Option {
    var option = self
    option.group = group
    return option
  }
}

extension Option.Kind {
  var placeholder: String {
    switch self {
    case .flag: ""
    case .text: "TEXT"
    case .integer, .number: "N"
    case .share: "SHARE"
    case .duration: "DURATION"
    case .instant: "TIME"
    case .size: "SIZE"
    case .path: "FILE"
    case .choice(let words): words.count <= 3 ? words.joined(separator: "|") : "WORD"
    }
  }
}
