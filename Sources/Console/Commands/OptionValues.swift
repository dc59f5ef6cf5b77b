/// What holds the values of options, read and checked: a call of a command, or the parameters alone.
public protocol OptionValues {
  /// In the order they were given; traps where the option is not listed.
  func values(of option: Option) -> [Value]
  func lists(_ option: Option) -> Bool
}

/// Options by kind. Asking for another kind than the option's, or for an option that is not listed, traps.
extension OptionValues {
  public func flag(_ option: Option) -> Bool { values(of: option).last == .flag(true) }

  public func text(_ option: Option) -> String? { texts(option).last }
  public func texts(_ option: Option) -> [String] { values(of: option).map { $0.text(option) } }

  public func integer(_ option: Option) -> Int? { values(of: option).last?.integer(option) }
  public func number(_ option: Option) -> Double? { numbers(option).last }
  public func numbers(_ option: Option) -> [Double] { values(of: option).map { $0.number(option) } }
  public func duration(_ option: Option) -> Duration? { durations(option).last }
  public func durations(_ option: Option) -> [Duration] { values(of: option).map { $0.duration(option) } }
  public func instant(_ option: Option) -> Instant? { values(of: option).last?.instant(option) }

  /// A word of a closed vocabulary; the option is `.choice` of exactly its raw values.
  public func choice<Word: RawRepresentable<String>>(_ option: Option, as type: Word.Type = Word.self) -> Word? {
    choices(option, as: type).last
  }

  public func choices<Word: RawRepresentable<String>>(_ option: Option, as type: Word.Type = Word.self) -> [Word] {
    texts(option).map { text in
      guard let word = Word(rawValue: text) else {
        preconditionFailure("--\(option.name) permits \(text), \(Word.self) does not")
      }
      return word
    }
  }

  /// Reads an option where it is listed.
  public func ifListed<Read>(_ option: Option, _ read: (Option) -> Read?) -> Read? {
    lists(option) ? read(option) : nil
  }
}

extension Value {
  fileprivate func text(_ option: Option) -> String {
    guard case .text(let value) = self else { wrongKind(option) }
    return value
  }
  fileprivate func integer(_ option: Option) -> Int {
    guard case .integer(let value) = self else { wrongKind(option) }
    return value
  }
  fileprivate func number(_ option: Option) -> Double {
    guard case .number(let value) = self else { wrongKind(option) }
    return value
  }
  fileprivate func duration(_ option: Option) -> Duration {
    guard case .duration(let value) = self else { wrongKind(option) }
    return value
  }
  fileprivate func instant(_ option: Option) -> Instant {
    guard case .instant(let value) = self else { wrongKind(option) }
    return value
  }
  private func wrongKind(_ option: Option) -> Never { preconditionFailure("--\(option.name) is of another kind") }
}
