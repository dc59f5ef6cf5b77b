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
      was out and is not offered any more is halted, not withdrawn: use release halt.
      """,
    arguments: [.init("RELEASE", completion: "releases", help: "The release, as it was registered")],
    options: [.database, .app, .onChannel, .onPlatform, .now] + Option.answer,
    examples: [.init("A wrong channel", "uptake release withdraw 2.0.0 --app com.example.demo --channel beta")],
    exits: [.databaseUnusable], seeAlso: ["release list", "release publish"]
  ) { invocation in
    let vocabulary = try invocation.snapshot().vocabulary
    let place = try invocation.publicationPlace(vocabulary)
    let registry = try Registry(existing: try invocation.databasePath())
    guard let known = try registry.withdraw(place, now: invocation.instant) else {
      throw Failure(notRegistered: place, vocabulary)
    }
    let back = "to put it back: \(invocation.pasted(known.command))"
    let notes = invocation.notes(ofWithdrawn: known, vocabulary) + [back]
    try invocation.show(publicationsPresentation([known], notes: notes))
    return .done
  }
}

extension Invocation {
  /// What is out goes on, whether it is registered or not.
  fileprivate func notes(ofWithdrawn publication: Publication, _ vocabulary: Vocabulary) -> [String] {
    let record = vocabulary.record(of: publication)
    if let platform = publication.platform,
      let other = record?.publications.first(where: { $0.channel == publication.channel && $0.platform == nil })
    {
      return ["\(platform) goes by the publication for all platforms again: \(other.rolloutWords)"]
    }
    let seen = (record?.sightings ?? []).filter { sighting in
      sighting.channel == publication.channel
        && (publication.platform == nil || sighting.platform == publication.platform)
    }
    guard let first = seen.map(\.firstAt).min(), first <= instant else { return [] }
    return [
      "devices have had \(publication.release.rawValue) on \(publication.placeWords) since \(first.words): without its publication"
        + " status and verdict leave out the harm that it does there",
      "what ends a rollout is a halt, once it is put back: \(pasted(publication.command(to: "halt")))",
    ]
  }
}
