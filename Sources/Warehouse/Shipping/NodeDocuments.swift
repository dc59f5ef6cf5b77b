import Lifecycle
import Store

/// What a node knows beside its events, as documents that replace each other: publications, first sightings, lags by day.
struct NodeDocuments {
  /// By kind; rows in RowBinary.
  private(set) var bodies: [String: [UInt8]] = [:]

  static let publications = "publications"
  static let changes = "changes"
  static let sightings = "sightings"
  static let impossible = "impossible"
  static let lags = "lags "

  /// Of a kind that is a day's lags, the day.
  static func day(_ kind: String) -> Int64? { kind.hasPrefix(lags) ? Int64(kind.dropFirst(lags.count)) : nil }

  /// - Parameter changes: of publications; read before the vocabulary: one that is changed in between is told as changed earlier.
  init(_ vocabulary: Vocabulary, _ changes: [ChangedPublication], _ impossible: [ImpossibleAtNode]) {
    bodies[Self.publications] = Self.publications(vocabulary)
    bodies[Self.changes] = Self.changes(changes)
    bodies[Self.sightings] = Self.sightings(vocabulary)
    bodies[Self.impossible] = Self.impossible(impossible)
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

  private static func changes(_ changes: [ChangedPublication]) -> [UInt8] {
    var rows = RowWriter()
    for change in changes {
      rows.add(change.place.app)
      rows.add(change.place.release.rawValue)
      rows.add(change.place.channel)
      rows.add(change.place.platform ?? "")
      rows.add(change.at.rawValue)
    }
    return rows.bytes
  }

  private static func impossible(_ devices: [ImpossibleAtNode]) -> [UInt8] {
    var rows = RowWriter()
    for app in devices {
      for (rule, count) in app.devices.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        rows.add(app.app)
        for number in [rule.rawValue, Int64(count), Int64(app.of)] { rows.add(number) }
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

  /// How many publications two states of a node do not have alike.
  static func changedPublications(
    _ before: [String: [UInt8]], _ after: [String: [UInt8]], _ place: String
  ) throws(StoreError) -> Int {
    let (before, after) = (
      Set(try readPublications(before[publications] ?? [], place)),
      Set(try readPublications(after[publications] ?? [], place))
    )
    return Set(before.symmetricDifference(after).map(PublicationPlace.init)).count
  }

  static func readChanges(_ body: [UInt8], _ place: String) throws(StoreError) -> [ChangedPublication] {
    var (rows, found) = (RowReader(body, place), [ChangedPublication]())
    while !rows.isAtEnd {
      let (app, release, channel, platform) = (try rows.text(), try rows.text(), try rows.text(), try rows.text())
      let publication = PublicationPlace(
        app: app, release: ReleaseLabel(rawValue: release), channel: channel,
        platform: platform.isEmpty ? nil : platform)
      found.append(ChangedPublication(publication, at: Timestamp(rawValue: try rows.number())))
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

  /// A rule that only a newer program knows is passed over.
  static func readImpossible(
    _ body: [UInt8], _ node: UInt64, _ place: String
  ) throws(StoreError) -> [ImpossibleAtNode] {
    var (rows, found) = (RowReader(body, place), [String: ImpossibleAtNode]())
    while !rows.isAtEnd {
      let app = try rows.text()
      let (rule, count, of) = (try rows.number(Int64.self), try rows.number(Int64.self), try rows.number(Int64.self))
      guard let rule = ImpossibleHistories.Rule(rawValue: rule) else { continue }
      found[app, default: ImpossibleAtNode(app: app, node: node, devices: [:], of: Int(of))].devices[rule] = Int(count)
    }
    return found.values.sorted { $0.app < $1.app }
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
