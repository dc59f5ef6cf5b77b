internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Store

extension Invocation {
  /// As it is to be pasted: about the database that was typed.
  func pasted(_ command: ShellCommand) -> ShellCommand {
    command.carrying((parameters.carried ?? []).filter { $0.name == Option.database.name })
  }

  /// The publication that options and the argument name.
  func publicationPlace(_ vocabulary: Vocabulary) throws -> PublicationPlace {
    PublicationPlace(
      app: try text(.app) ?? vocabulary.chosenApp(nil), release: ReleaseLabel(rawValue: arguments[0]),
      channel: text(.onChannel) ?? "production", platform: text(.onPlatform))
  }
}

extension Failure {
  /// - Parameter pasted: makes a command one about the database that was typed; nil where nobody wants to register it.
  init(
    notRegistered place: PublicationPlace, _ vocabulary: Vocabulary,
    registering pasted: ((ShellCommand) -> ShellCommand)? = nil
  ) {
    let record = vocabulary.releases.first { $0.app == place.app && $0.label == place.release }
    let heard = record.flatMap {
      Timeline(vocabulary, app: place.app).start($0.id, channel: place.channel, platform: place.platform)
    }
    let (known, platforms) = (record?.publications ?? [], vocabulary.platforms(of: place.app).sorted())
    let unheard = place.platform.flatMap { platforms.contains($0) ? nil : $0 }
    self.init(
      "not_registered", "\(place.release.rawValue) is not registered on \(place.words)",
      suggestions: unheard.map { Console.suggestions(for: $0, among: platforms) } ?? [],
      hints: place.hints(known, heard?.publishedAt, pasted)
        + (unheard == nil || platforms.isEmpty
          ? [] : ["devices are on \(platforms.joined(separator: ", "))"]),
      exit: .usage)
  }
}

extension PublicationPlace {
  fileprivate var words: String { [channel, platform].compactMap(\.self).joined(separator: "/") }

  /// - Parameter heard: when devices first named it there.
  fileprivate func hints(
    _ known: [Publication], _ heard: Timestamp?, _ pasted: ((ShellCommand) -> ShellCommand)?
  ) -> [String] {
    if known.isEmpty, let heard, let pasted {
      let publication = Publication(
        app: app, release: release, channel: channel, platform: platform, publishedAt: heard)
      return [
        "devices name it since \(heard.words): register it first, as of when it came: \(pasted(publication.command))"
      ]
    }
    if known.isEmpty { return ["list what is registered: uptake release list"] }
    if known.contains(where: { $0.channel == channel && $0.platform == nil }) {
      return ["on \(channel) it is registered for all platforms: leave out --platform"]
    }
    let places = known.map(\.placeWords).sorted().joined(separator: ", ")
    return ["it is registered on \(places): name one with --channel and --platform"]
  }
}

extension Publication {
  /// What registers it.
  var command: ShellCommand {
    var command = named("publish").option("at", publishedAt.rfc3339)
    if !rollout.isEmpty { command = command.option("rollout", rollout.map(step).joined(separator: ",")) }
    return mandatory ? command.option("mandatory") : command
  }

  /// What lets a share of the devices have it from the time on at which the command is run.
  func widening(to percent: Double) -> ShellCommand { named("widen", percent.formatted) }

  /// A command about it.
  func named(_ word: String, _ more: String...) -> ShellCommand {
    let words = ShellCommand("uptake", "release", word).argument(release.rawValue)
    let command = more.reduce(words) { $0.argument($1) }.option("app", app).option("channel", channel)
    return platform.map { command.option("platform", $0) } ?? command
  }

  /// `production`, or `production/ios` where it is for that platform.
  var placeWords: String { [channel, platform].compactMap(\.self).joined(separator: "/") }

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
