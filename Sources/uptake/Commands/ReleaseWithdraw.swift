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
    let place = try invocation.publicationPlace(vocabulary)
    let registry = try Registry(existing: try invocation.databasePath())
    guard let known = try registry.withdraw(place, now: invocation.instant) else {
      throw Failure(notRegistered: place, vocabulary)
    }
    try invocation.show(publicationsPresentation([known], notes: ["to put it back: \(known.command)"]))
    return .done
  }
}
