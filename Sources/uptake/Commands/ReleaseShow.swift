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
      "first seen on \(ReleaseRecord.place(sighting.channel, sighting.platform)) at \(sighting.firstAt.rfc3339)"
    }
    let record = chosen.target
    try invocation.show(publicationsPresentation(record.publications, notes: record.lacks + sightings))
    return .done
  }
}

extension ReleaseRecord {
  /// From where it was taken back, and else whether it was ever registered.
  fileprivate var lacks: [String] {
    if withdrawals.isEmpty, publications.isEmpty { return ["no publication is registered: uptake release publish"] }
    let gone = withdrawals.filter { gone in
      !publications.contains { $0.channel == gone.channel && $0.platform == gone.platform }
    }
    let places = Dictionary(grouping: gone) { Self.place($0.channel, $0.platform) }
    return places.keys.sorted().compactMap { place in
      places[place]?.map(\.at).max().map { "withdrawn from \(place) at \($0.rfc3339)" }
    }
  }

  fileprivate static func place(_ channel: String, _ platform: String?) -> String {
    platform.map { "\(channel)/\($0)" } ?? channel
  }
}
