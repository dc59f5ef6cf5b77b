internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Store

extension Command {
  static let releaseShow = Command(
    "show", purpose: "Show what is registered and what was seen of one release",
    arguments: [.init("RELEASE", completion: "releases", help: "The release")],
    options: [.database, .app] + Option.answer,
    examples: [.init("Where and when it was published", "uptake release show 2.0.0")],
    exits: [.databaseUnusable], seeAlso: ["release list", "adoption"]
  ) { invocation in
    let vocabulary = try invocation.snapshot().vocabulary
    let chosen = try ReleaseScope(
      vocabulary, app: invocation.text(.app), release: ReleaseLabel(rawValue: invocation.arguments[0]),
      now: Timestamp(rawValue: invocation.now.rawValue))
    let sightings = chosen.target.sightings.map { sighting in
      "first seen on \([sighting.channel, sighting.platform].compactMap { $0 }.joined(separator: "/")) at \(sighting.firstAt.rfc3339)"
    }
    let missing = chosen.target.publications.isEmpty ? ["no publication is registered: uptake release publish"] : []
    try invocation.show(publicationsPresentation(chosen.target.publications, notes: missing + sightings))
    return .done
  }
}
