internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Store

extension Option {
  static let onChannels = Option(
    "channel", .text, arity: .list, fallback: "production", completion: "channels",
    help: "The channels it is published to")
}

/// What is registered where a command about a rollout means something.
struct KnownPublication {
  /// As it is registered; for the platform that is meant, where it is registered for all.
  var publication: Publication
  /// It is registered for all platforms, and this one gets a publication of its own.
  var isApart: Bool
}

extension Invocation {
  /// What is registered on each channel that is named, for the platform that is. A channel whose name has a comma is named as a whole
  /// where the release has a publication on none of its parts: else one of these would stay open without a word.
  ///
  /// - Parameter withApart: where no platform is named, publications for one platform alone are meant, too.
  func registered(_ vocabulary: Vocabulary, withApart: Bool = false) throws -> [KnownPublication] {
    var place = try publicationPlace(vocabulary)
    let known = texts(.onChannels).map { channel in
      place.channel = channel
      return (place: place, publications: vocabulary.known(at: place, withApart: withApart))
    }
    guard let missing = known.first(where: { $0.publications.isEmpty }) else { return known.flatMap(\.publications) }
    place.channel = texts(.onChannels).joined(separator: ",")
    let failure = Failure(notRegistered: missing.place, vocabulary, registering: pasted)
    let whole = vocabulary.known(at: place, withApart: withApart)
    guard let first = whole.first else { throw failure }
    var odd = first.publication
    guard let record = vocabulary.record(of: odd), record.hasParts(of: odd.channel) else { return whole }
    if first.isApart { odd.platform = nil }
    throw failure.hinting(
      "\(odd.channel) is the name of one channel; to take it back: \(pasted(odd.command(to: "withdraw")))")
  }

  /// Registers what a command made of them, all or none. What somebody else changed since it was read, such as by a halt, stays as
  /// it is.
  func register(_ publications: [Publication], over known: [KnownPublication]) throws {
    if let clash = try clash(registering: publications, over: known) {
      throw Failure(changedMeanwhile: clash.publication, to: clash.registered, among: publications.count)
    }
  }

  /// nil where all are registered.
  func clash(registering publications: [Publication], over known: [KnownPublication]) throws -> PublicationClash? {
    let changes = zip(publications, known).map { (publication: $0, known: $1.isApart ? nil : $1.publication) }
    return try Registry(path: try databasePath()).publish(changes, now: instant)
  }

  /// What to know of each change: planned steps that went, and a publication that is new.
  func changeNotes(_ known: KnownPublication, _ publication: Publication) -> [String] {
    let (before, place) = (known.publication, publication.placeWords)
    let dropped = before.rollout.filter { step in !publication.rollout.contains { $0.at == step.at } }
    let planned = dropped.isEmpty ? [] : ["\(place): planned steps are dropped: \(stepWords(dropped))"]
    guard known.isApart else { return planned }
    return planned + [
      "\(place) has a publication of its own from now on, with the time and the steps of the one for all platforms",
      "to take it back: \(pasted(publication.command(to: "withdraw")))",
    ]
  }
}

extension Vocabulary {
  /// The one at the place; with those apart, and no platform named, all of the channel, the one for all platforms first. Empty where
  /// nothing is registered.
  fileprivate func known(at place: PublicationPlace, withApart: Bool) -> [KnownPublication] {
    let record = releases.first { $0.app == place.app && $0.label == place.release }
    let onChannel = record?.publications.filter { $0.channel == place.channel } ?? []
    guard withApart, place.platform == nil else { return [known(at: place, among: onChannel)].compactMap(\.self) }
    return onChannel.sorted { ($0.platform ?? "") < ($1.platform ?? "") }
      .map { KnownPublication(publication: $0, isApart: false) }
  }

  /// A platform that devices are on goes by the publication for all, where it has none of its own.
  private func known(at place: PublicationPlace, among onChannel: [Publication]) -> KnownPublication? {
    if let own = onChannel.first(where: { $0.platform == place.platform }) {
      return KnownPublication(publication: own, isApart: false)
    }
    guard var copy = onChannel.first(where: { $0.platform == nil }), let platform = place.platform,
      platforms(of: place.app).contains(platform)
    else { return nil }
    copy.platform = platform
    return KnownPublication(publication: copy, isApart: true)
  }
}

extension ReleaseRecord {
  /// The channel has a comma in its name, and the release a publication on what stands before or behind it.
  func hasParts(of channel: String) -> Bool {
    let parts = channel.split(separator: ",").map(String.init)
    return parts.count > 1 && publications.contains { parts.contains($0.channel) }
  }
}

extension Failure {
  fileprivate func hinting(_ hint: String) -> Failure {
    var copy = self
    copy.hints.append(hint)
    return copy
  }
}

extension Publication {
  /// The steps that let somebody have it; one to everybody where none are registered.
  var steps: [RolloutStep] { rollout.isEmpty ? [RolloutStep(at: publishedAt, percent: 100)] : rollout }

  /// How far it has come; nil before the first step.
  func step(at instant: Timestamp) -> RolloutStep? { steps.last { $0.at <= instant } }
}
