internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Store

extension Invocation {
  /// The publication that options and the argument name.
  func publicationPlace(_ vocabulary: Vocabulary) throws -> PublicationPlace {
    PublicationPlace(
      app: try text(.app) ?? vocabulary.chosenApp(nil), release: ReleaseLabel(rawValue: arguments[0]),
      channel: text(.onChannel) ?? "production", platform: text(.onPlatform))
  }
}

extension Failure {
  init(notRegistered place: PublicationPlace, _ vocabulary: Vocabulary) {
    let record = vocabulary.releases.first { $0.app == place.app && $0.label == place.release }
    func words(_ channel: String, _ platform: String?) -> String {
      [channel, platform].compactMap(\.self).joined(separator: "/")
    }
    let known = (record?.publications ?? []).map { words($0.channel, $0.platform) }
    let asked = words(place.channel, place.platform)
    self.init(
      "not_registered", "\(place.release.rawValue) is not registered on \(asked)",
      hints: known.isEmpty
        ? ["list what is registered: uptake release list"]
        : ["it is registered on \(known.sorted().joined(separator: ", ")): name one with --channel and --platform"],
      exit: .usage)
  }
}

extension Publication {
  /// What registers it.
  var command: ShellCommand { command(rollout.map(step)) }

  /// What registers it with one more step, taken when the command is run.
  func command(goingOnTo percent: Double) -> ShellCommand {
    command(rollout.map(step) + ["\(percent.formatted)%@now"])
  }

  private func command(_ steps: [String]) -> ShellCommand {
    var command = named("publish").option("at", publishedAt.rfc3339)
    if !steps.isEmpty { command = command.option("rollout", steps.joined(separator: ",")) }
    return mandatory ? command.option("mandatory") : command
  }

  /// A command about it.
  func named(_ word: String) -> ShellCommand {
    let command = ShellCommand("uptake", "release", word).argument(release.rawValue).option("app", app)
      .option("channel", channel)
    return platform.map { command.option("platform", $0) } ?? command
  }

  /// Hours after the publication where these are exact, else an instant.
  private func step(_ step: RolloutStep) -> String {
    let after = (step.at - publishedAt).rawValue
    let (share, isExact) = (step.percent.formatted, after >= 0 && after % 1_800_000 == 0)
    return "\(share)%@\(isExact ? (Double(after) / 3_600_000).formatted + "h" : step.at.rfc3339)"
  }
}

extension Double {
  fileprivate var formatted: String { self == rounded() ? String(Int(self)) : String(self) }
}
