internal import Lifecycle

/// Every option of a run with its value and origin: flag, else environment, else file, else default.
public struct Settings: Sendable {
  public let configuration: Configuration
  private let flags: [Setting]
  private let environment: [String: String]

  init(_ words: CommandWords, _ program: Program, _ host: Host) throws(Failure) {
    var flags: [Setting] = []
    for (option, text) in words.options {
      if let index = flags.firstIndex(where: { $0.option.name == option.name }) {
        flags[index].texts.append(text)
      } else {
        flags.append(Setting(option: option, texts: [text], origin: .flag("--" + option.name)))
      }
    }
    self.flags = flags
    environment = host.environment
    let file = Self.spoken(.config, flags, host.environment)
    configuration = try Configuration(
      program, host, explicit: file.flatMap { setting in setting.texts.last.map { ($0, setting.origin.words) } })
  }

  /// What was said about an option; nil where nobody said anything and it has no default.
  public func setting(_ option: Option) -> Setting? {
    Self.spoken(option, flags, environment) ?? configuration.setting(option)
      ?? option.fallbackSetting ?? option.dataFileSetting(environment)
  }

  private static func spoken(_ option: Option, _ flags: [Setting], _ environment: [String: String]) -> Setting? {
    if let setting = flags.first(where: { $0.option.name == option.name }) { return setting }
    guard let name = option.environment, let text = environment[name], !text.isEmpty else { return nil }
    return Setting(option: option, texts: [text], origin: .environment(name))
  }
}
