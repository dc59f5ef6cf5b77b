/// What one call was given: arguments and options, read and checked, whether a command line or a request gave them.
public struct Parameters: OptionValues, Sendable {
  /// The words that are no options, in order.
  public let arguments: [String]
  /// The present of the call: fixed where an option says so. Relative times count back from it.
  public let now: Instant
  private let values: [String: [Value]]
  /// Options that have what somebody said, and not what they have by default.
  private let named: Set<String>
  /// What commands that an answer names repeat of the call, as `Program.carried` says; nil where an address among it may hold a
  /// password, which is not to stand on the screen.
  public internal(set) var carried: [(name: String, value: String)]? = []

  /// - Parameters:
  ///   - clock: the option that fixes the present.
  ///   - setting: what was said about an option; nil where nothing was and it has no default.
  init(
    _ options: [Option], arguments: [String], clock: Option?, now: Instant, _ setting: (Option) -> Setting?
  ) throws(Failure) {
    self.arguments = arguments
    var present = now
    if let clock, case .instant(let fixed)? = try setting(clock)?.values(now: now).last { present = fixed }
    var values: [String: [Value]] = [:]
    var named = Set<String>()
    for option in options {
      let said = setting(option)
      values[option.name] = try said?.values(now: present) ?? []
      if let said, said.origin != .fallback { named.insert(option.name) }
    }
    (self.now, self.values, self.named) = (present, values, named)
  }

  /// From what was sent by name; neither environment nor files have a say, and what was not sent has its default.
  ///
  /// Errors name an option as the command line writes it.
  public init(
    _ options: [Option], arguments: [String], sent: [(option: Option, text: String)], clock: Option, now: Instant
  ) throws(Failure) {
    let texts = Dictionary(grouping: sent, by: \.option.name).mapValues { $0.map(\.text) }
    try self.init(options, arguments: arguments, clock: clock, now: now) { option in
      texts[option.name].map { Setting(option: option, texts: $0, origin: .flag("--" + option.name)) }
        ?? option.fallbackSetting
    }
  }

  public func lists(_ option: Option) -> Bool { values[option.name] != nil }
  /// Whether somebody said it.
  public func names(_ option: Option) -> Bool { named.contains(option.name) }

  public func values(of option: Option) -> [Value] {
    guard let values = values[option.name] else {
      preconditionFailure("the option --\(option.name) is not among those listed")
    }
    return values
  }
}
