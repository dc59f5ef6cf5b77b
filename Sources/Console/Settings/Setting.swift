/// Where a value came from.
public enum Origin: Equatable, Sendable {
  case flag(String)
  case environment(String)
  case file(String, line: Int)
  case fallback

  /// `--db`, `UPTAKE_DB`, `./uptake.toml:3`, `default`.
  public var words: String {
    switch self {
    case .flag(let name): name
    case .environment(let name): name
    case .file(let path, let line): "\(path):\(line)"
    case .fallback: "default"
    }
  }
}

/// An option with what was said about it, by the strongest voice: flag, environment, file, default.
public struct Setting: Equatable, Sendable {
  public var option: Option
  /// As it was typed.
  public var texts: [String]
  public var origin: Origin
}
