import Lifecycle
import Store

/// What a node knows beside its events, as documents that replace each other: publications, first sightings, lags by day.
struct NodeDocuments {
  /// By kind; rows in RowBinary.
  private(set) var bodies: [String: [UInt8]] = [:]

  static let publications = "publications"
  static let sightings = "sightings"
  static let lags = "lags "

  /// Of a kind that is a day's lags, the day.
  static func day(_ kind: String) -> Int64? { kind.hasPrefix(lags) ? Int64(kind.dropFirst(lags.count)) : nil }

  init(_ vocabulary: Vocabulary) {
    bodies[Self.publications] = Self.publications(vocabulary)
    bodies[Self.sightings] = Self.sightings(vocabulary)
    for (day, lags) in Dictionary(grouping: vocabulary.lags, by: \.day) {
      var rows = RowWriter()
      for lag in lags.sorted(by: { ($0.app, $0.seconds) < ($1.app, $1.seconds) }) {
        rows.add(lag.app)
        rows.add(lag.seconds)
        rows.add(lag.events)
      }
      bodies[Self.lags + "\(day)"] = rows.bytes
    }
  }

  private static func publications(_ vocabulary: Vocabulary) -> [UInt8] {
    var rows = RowWriter()
    for publication in vocabulary.releases.flatMap(\.publications) {
      rows.add(publication.app)
      rows.add(publication.release.rawValue)
      rows.add(publication.channel)
      rows.add(publication.platform ?? "")
      rows.add(publication.publishedAt.rawValue)
      rows.add(UInt8(publication.mandatory ? 1 : 0))
      rows.add(UInt32(publication.rollout.count))
      for step in publication.rollout {
        rows.add(step.at.rawValue)
        rows.add(step.percent)
      }
    }
    return rows.bytes
  }

  private static func sightings(_ vocabulary: Vocabulary) -> [UInt8] {
    var rows = RowWriter()
    for release in vocabulary.releases {
      for sighting in release.sightings {
        rows.add(release.app)
        rows.add(release.label.rawValue)
        rows.add(sighting.channel)
        rows.add(sighting.platform ?? "")
        rows.add(sighting.firstAt.rawValue)
        rows.add(sighting.firstSubjectAt?.rawValue ?? .max)
      }
    }
    return rows.bytes
  }
}

// MARK: read again

extension NodeDocuments {
  static func readPublications(_ body: [UInt8], _ place: String) throws(StoreError) -> [Publication] {
    var (rows, found) = (RowReader(body, place), [Publication]())
    while !rows.isAtEnd {
      let (app, release) = (try rows.text(), try rows.text())
      let (channel, platform) = (try rows.text(), try rows.text())
      let at = Timestamp(rawValue: try rows.number())
      let isMandatory = try rows.number(UInt8.self) != 0
      var steps: [RolloutStep] = []
      for _ in 0..<(try rows.number(UInt32.self)) {
        steps.append(RolloutStep(at: Timestamp(rawValue: try rows.number()), percent: try rows.real()))
      }
      found.append(
        Publication(
          app: app, release: ReleaseLabel(rawValue: release), channel: channel,
          platform: platform.isEmpty ? nil : platform, publishedAt: at, rollout: steps, mandatory: isMandatory))
    }
    return found
  }

  static func readSightings(
    _ body: [UInt8], _ place: String
  ) throws(StoreError) -> [(app: String, release: String, sighting: Sighting)] {
    var rows = RowReader(body, place)
    var found: [(app: String, release: String, sighting: Sighting)] = []
    while !rows.isAtEnd {
      let (app, release, channel, platform) = (try rows.text(), try rows.text(), try rows.text(), try rows.text())
      let (first, subject) = (try rows.number(Int64.self), try rows.number(Int64.self))
      found.append(
        (
          app, release,
          Sighting(
            channel: channel, platform: platform.isEmpty ? nil : platform, firstAt: Timestamp(rawValue: first),
            firstSubjectAt: subject == .max ? nil : Timestamp(rawValue: subject))
        ))
    }
    return found
  }

  static func readLags(_ body: [UInt8], _ day: Int64, _ place: String) throws(StoreError) -> [ArrivalLag] {
    var (rows, found) = (RowReader(body, place), [ArrivalLag]())
    while !rows.isAtEnd {
      found.append(
        ArrivalLag(app: try rows.text(), day: day, seconds: try rows.number(), events: try rows.number()))
    }
    return found
  }
}
