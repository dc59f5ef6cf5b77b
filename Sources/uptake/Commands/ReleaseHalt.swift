internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Store

private extension Option {
  static let at = Option("at", .instant, help: "When it was halted; now where not given")
}

extension Command {
  static let releaseHalt = Command(
    "halt", purpose: "Register that no other device gets a release any more",
    discussion: """
      Its rollout goes to 0% as a last step; when it was published stays, and so do the steps that it took. From then on nobody \
      counts as waiting for it, and it sets no limit for the releases after it. Halt it where you publish, too: this \
      registers it, and does nothing to devices.
      """,
    arguments: [.init("RELEASE", completion: "releases", help: "The release, as it was registered")],
    options: [.database, .app, .onChannel, .onPlatform, .at, .now] + Option.answer,
    examples: [.init("Now", "uptake release halt 2.0.0 --app com.example.demo")],
    exits: [.databaseUnusable], seeAlso: ["release publish", "verdict"]
  ) { invocation in
    let vocabulary = try invocation.snapshot().vocabulary
    let place = try invocation.publicationPlace(vocabulary)
    let record = vocabulary.releases.first { $0.app == place.app && $0.label == place.release }
    guard
      let known = record?.publications.first(where: { $0.channel == place.channel && $0.platform == place.platform })
    else { throw Failure(notRegistered: place, vocabulary) }
    let instant = Timestamp(rawValue: (invocation.instant(.at) ?? invocation.now).rawValue)
    let halted = try known.halted(at: instant)
    try Registry(path: try invocation.databasePath()).publish(halted, now: invocation.instant)
    try invocation.show(
      publicationsPresentation([halted], notes: halted.dropped(from: known) + [halted.opening(as: known)]))
    return .done
  }
}

extension Publication {
  fileprivate func halted(at instant: Timestamp) throws(Failure) -> Publication {
    guard instant > publishedAt else {
      throw Failure(
        "not_published_yet",
        "\(release.rawValue) comes to \(channel) only at \(Instant(rawValue: publishedAt.rawValue).words)",
        hints: ["take it back: \(named("withdraw"))", "or name a later time with --at"], exit: .usage)
    }
    var copy = self
    let taken = (rollout.isEmpty ? [RolloutStep(at: publishedAt, percent: 100)] : rollout).filter { $0.at < instant }
    copy.rollout = taken + (taken.last?.percent == 0 ? [] : [RolloutStep(at: instant, percent: 0)])
    return copy
  }

  /// To those that had it before the halt; where nobody had it yet, to those that were to be the first.
  fileprivate func opening(as known: Publication) -> String {
    let percent = (rollout.last { $0.percent > 0 } ?? known.rollout.first { $0.percent > 0 })?.percent ?? 100
    return "to open it again at \(percentWords(percent))%: \(command(goingOnTo: percent))"
  }

  /// Steps that were planned, and are not taken now.
  fileprivate func dropped(from known: Publication) -> [String] {
    let dropped = known.rollout.filter { step in !rollout.contains { $0.at == step.at } }
    if dropped.isEmpty { return [] }
    let steps = dropped.map { "\(percentWords($0.percent))% at \(Instant(rawValue: $0.at.rawValue).words)" }
    return ["planned steps are dropped: \(steps.joined(separator: ", "))"]
  }
}

private func percentWords(_ percent: Double) -> String { decimal(percent, percent == percent.rounded() ? 0 : 1) }
