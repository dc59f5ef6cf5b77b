internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Store

extension Invocation {
  /// As it is to be pasted: about the database that was typed.
  func pasted(_ command: ShellCommand) -> ShellCommand {
    command.carrying(parameters.typedDatabase)
  }

  /// The publication that options and the argument name.
  func publicationPlace(_ vocabulary: Vocabulary) throws -> PublicationPlace {
    try vocabulary.requireKnown(app: text(.app))
    return PublicationPlace(
      app: try text(.app) ?? vocabulary.chosenApp(nil), release: ReleaseLabel(rawValue: arguments[0]),
      channel: text(.onChannel) ?? "production", platform: text(.onPlatform))
  }
}

extension Vocabulary {
  /// Refuses an app that is not in the database, where others are: of an empty one it is no slip.
  func requireKnown(app: String?) throws(QuestionError) {
    guard let app, !apps.isEmpty else { return }
    _ = try chosenApp(app)
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
    if known.isEmpty {
      let list = ShellCommand("uptake", "release", "list")
      return ["list what is registered: \(pasted?(list) ?? list)"]
    }
    if known.contains(where: { $0.channel == channel && $0.platform == nil }) {
      return ["on \(channel) it is registered for all platforms: leave out --platform"]
    }
    let places = known.map(\.placeWords).sorted().joined(separator: ", ")
    return ["it is registered on \(places): name one with --channel and --platform"]
  }
}

extension Publication {
  /// `production`, or `production/ios` where it is for that platform.
  var placeWords: String { [channel, platform].compactMap(\.self).joined(separator: "/") }
}
