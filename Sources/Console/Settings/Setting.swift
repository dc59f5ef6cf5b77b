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

extension Option {
  /// Its default, as if somebody had said it.
  var fallbackSetting: Setting? { fallback.map { Setting(option: self, texts: [$0], origin: .fallback) } }

  /// The user's own file, where the option means one; nil where the user has no home. A folder that is not absolute says
  /// nothing, as the XDG Base Directory Specification has it.
  func dataFileSetting(_ environment: [String: String]) -> Setting? {
    guard let dataFile else { return nil }
    let named = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/share" : nil }
    return (named ?? home).map { Setting(option: self, texts: ["\($0)/\(dataFile)"], origin: .fallback) }
  }

  /// Its default as help writes it.
  public var fallbackWords: String? { fallback ?? dataFile.map { "~/.local/share/\($0)" } }
}

extension Setting {
  /// As values; each part of a list for itself.
  func values(now: Instant) throws(Failure) -> [Value] {
    var values: [Value] = []
    for text in option.arity == .list ? texts.flatMap(commaParts) : texts {
      do throws(Misreading) { values.append(try option.kind.value(text, now: now)) } catch {
        let place = origin == .fallback ? "--" + option.name : origin.words
        let name = if case .file = origin { option.key ?? option.name } else { place }
        throw unreadable(text, name, error, place: place, isSecret: option.isSecret)
      }
    }
    return values
  }
}

/// Without the spaces beside commas; what stands alone is taken to the letter, as names may end in a space.
private func commaParts(_ text: String) -> [String] {
  guard text.contains(",") else { return [text] }
  return text.split(separator: ",", omittingEmptySubsequences: false).map { part in
    String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
