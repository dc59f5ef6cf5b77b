internal import Lifecycle

extension Vocabulary {
  /// The names that are folded already: cheap, for completion.
  public init(path: String) throws(StoreError) {
    if let remote = try RemoteDatabases.open(path) {
      self = remote.vocabulary
      return
    }
    let connection = try Connection(path: path, mode: .read)
    try Schema.requireCurrent(connection)
    try self.init(connection)
  }

  init(_ connection: borrowing Connection) throws(StoreError) {
    profileWords = try ProfileWords(connection)
    for (id, text) in try connection.prepare("SELECT id, text FROM name").rows(row: { ($0.integer(0), $0.text(1)) }) {
      names[id] = text
    }
    places = try readPlaces(connection)
    releases = try readReleases(connection)
    apps = Self.apps(places, releases)
    lags = try connection.prepare("SELECT n.text, day, seconds, events FROM lag JOIN name n ON n.id = lag.app").rows {
      ArrivalLag(app: $0.text(0), day: $0.integer(1), seconds: $0.integer(2), events: $0.integer(3))
    }
  }

  /// Takes in what events that are not folded yet add.
  mutating func merge(_ tail: Sightings) {
    for index in releases.indices {
      for (place, first) in tail.firsts where place.release == releases[index].id {
        let platform = place.platform == 0 ? nil : name(place.platform)
        releases[index].note(Sighting(name(place.channel), platform, any: first.any, subject: first.subject))
      }
    }
    for (place, events) in tail.lags {
      lags.append(ArrivalLag(app: name(place.app), day: place.day, seconds: place.seconds, events: events))
    }
  }

  private func readPlaces(_ connection: borrowing Connection) throws(StoreError) -> [String: Places] {
    let pages = try VocabularyPages(connection)
    let rows = try connection.prepare(
      "SELECT DISTINCT c.app, c.channel, p.platform FROM context c JOIN profile p ON p.id = c.profile WHERE c.id > ?"
    ).rows(.integer(try pages.count(.context) * VocabularyPages.rows)) { ($0.text(0), $0.text(1), $0.optionalText(2)) }
    var places: [String: Places] = [:]
    for (app, channel, platform) in rows {
      places[app, default: Places()].channels.insert(channel)
      if let platform { places[app, default: Places()].platforms.insert(platform) }
    }
    for column in try pages.column(.context, ContextPage.places) {
      for place in ContextPage.places(column.bytes)?.list ?? [] {
        let app = name(Int64(place.app))
        places[app, default: Places()].channels.insert(name(Int64(place.channel)))
        if place.platform != 0 { places[app, default: Places()].platforms.insert(name(Int64(place.platform))) }
      }
    }
    return places
  }

  private func readReleases(_ connection: borrowing Connection) throws(StoreError) -> [ReleaseRecord] {
    var records = try connection.prepare("SELECT id, app, label FROM release ORDER BY app, label").rows {
      ReleaseRecord(
        id: $0.integer(0), app: $0.text(1), label: ReleaseLabel(rawValue: $0.text(2)), publications: [], sightings: [])
    }
    let places = Dictionary(uniqueKeysWithValues: records.enumerated().map { ($1.id, $0) })
    for (release, publication) in try readPublications(connection, records, places) {
      if let place = places[release] { records[place].publications.append(publication) }
    }
    let sightings = try connection.prepare(
      "SELECT release, channel, platform, first_at, first_subject_at FROM sighting"
    ).rows {
      row in
      let platform = row.integer(2) == 0 ? nil : name(row.integer(2))
      return (
        row.integer(0),
        Sighting(name(row.integer(1)), platform, any: row.integer(3), subject: row.optionalInteger(4) ?? .max)
      )
    }
    for (release, sighting) in sightings { if let place = places[release] { records[place].note(sighting) } }
    try markWithdrawn(&records, connection)
    return records
  }

  private func markWithdrawn(_ records: inout [ReleaseRecord], _ connection: borrowing Connection) throws(StoreError) {
    let rows = try connection.prepare(
      """
      SELECT app, facts ->> '$.release', facts ->> '$.channel', facts ->> '$.platform', facts ->> '$.publishedAt', at
      FROM audit WHERE act = 'withdraw' ORDER BY id
      """
    ).rows { row in
      (
        app: row.text(0), label: row.text(1),
        Withdrawal(
          channel: row.text(2), platform: row.optionalText(3),
          publishedAt: try? Timestamp(rfc3339: row.optionalText(4) ?? ""), at: Timestamp(stored: row.integer(5)))
      )
    }
    if rows.isEmpty { return }
    let places = Dictionary(uniqueKeysWithValues: records.enumerated().map { ([$1.app, $1.label.rawValue], $0) })
    for (app, label, withdrawal) in rows {
      if let place = places[[app, label]] { records[place].withdrawals.append(withdrawal) }
    }
  }

  private func readPublications(
    _ connection: borrowing Connection, _ records: [ReleaseRecord], _ places: [Int64: Int]
  ) throws(StoreError) -> [(Int64, Publication)] {
    let rows = try connection.prepare(
      "SELECT id, release, channel, platform, published_at, mandatory FROM publication ORDER BY channel, platform"
    ).rows { row in
      let record = records[places[row.integer(1)] ?? 0]
      let platform = row.text(3).isEmpty ? nil : row.text(3)
      return (
        id: row.integer(0), release: row.integer(1),
        publication: Publication(
          app: record.app, release: record.label, channel: row.text(2), platform: platform,
          publishedAt: Timestamp(stored: row.integer(4)), mandatory: row.integer(5) != 0)
      )
    }
    let steps = try connection.prepare("SELECT at, percent FROM rollout_step WHERE publication = ? ORDER BY at")
    var result: [(Int64, Publication)] = []
    for var row in rows {
      row.publication.rollout = try steps.rows(.integer(row.id)) {
        RolloutStep(at: Timestamp(stored: $0.integer(0)), percent: $0.real(1))
      }
      result.append((row.release, row.publication))
    }
    return result
  }
}
