internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Store

extension Command {
  static let releaseWithdraw = Command(
    "withdraw", purpose: "Take back a publication that was registered by mistake",
    discussion: """
      Its registration goes, and with it the turn that it ended of the release before. What devices said stays. Of a \
      release that is registered nowhere any more the first event about it stands in for its publication. A release that \
      was out and is not offered any more is not withdrawn but halted: publish it again with a last step to 0%.
      """,
    arguments: [.init("RELEASE", completion: "releases", help: "The release, as it was registered")],
    options: [.database, .app, .onChannel, .onPlatform, .now] + Option.answer,
    examples: [.init("A wrong channel", "uptake release withdraw 2.0.0 --app com.example.demo --channel beta")],
    exits: [.databaseUnusable], seeAlso: ["release list", "release publish"]
  ) { invocation in
    let vocabulary = try invocation.snapshot().vocabulary
    let place = PublicationPlace(
      app: try invocation.text(.app) ?? vocabulary.chosenApp(nil),
      release: ReleaseLabel(rawValue: invocation.arguments[0]), channel: invocation.text(.onChannel) ?? "production",
      platform: invocation.text(.onPlatform))
    let registry = try Registry(existing: try invocation.databasePath())
    guard let known = try registry.withdraw(place, now: invocation.instant) else {
      throw notRegistered(place, vocabulary)
    }
    try invocation.show(publicationsPresentation([known], notes: ["to put it back: \(known.command)"]))
    return .done
  }
}

private func notRegistered(_ place: PublicationPlace, _ vocabulary: Vocabulary) -> Failure {
  let record = vocabulary.releases.first { $0.app == place.app && $0.label == place.release }
  let known = (record?.publications ?? []).map { [$0.channel, $0.platform].compactMap(\.self).joined(separator: "/") }
  let asked = [place.channel, place.platform].compactMap(\.self).joined(separator: "/")
  return Failure(
    "not_registered", "\(place.release.rawValue) is not registered on \(asked)",
    hints: known.isEmpty
      ? ["list what is registered: uptake release list"]
      : ["it is registered on \(known.sorted().joined(separator: ", ")): name one with --channel and --platform"],
    exit: .usage)
}

extension Publication {
  /// What registers it.
  fileprivate var command: String {
    var command = ShellCommand("uptake", "release", "publish").argument(release.rawValue).option("app", app)
      .option("channel", channel)
    if let platform { command = command.option("platform", platform) }
    command = command.option("at", publishedAt.rfc3339)
    if !rollout.isEmpty { command = command.option("rollout", rolloutWords.split(separator: " ").joined()) }
    return "\(mandatory ? command.option("mandatory") : command)"
  }
}
