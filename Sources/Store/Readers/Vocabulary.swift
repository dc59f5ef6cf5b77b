public import Lifecycle

/// What a device is, as far as its client said.
public struct DeviceProfile: Hashable, Sendable {
  public var platform: String?
  public var osVersion: String?
  public var appVersion: String?
  public var sdkVersion: String?
  public var arm: String?
  public var emulator: Bool?
  /// As `DeviceTraits` writes them.
  public var traits: String?

  public init(
    platform: String?, osVersion: String?, appVersion: String?, sdkVersion: String?, arm: String?, emulator: Bool?,
    traits: String? = nil
  ) {
    (self.platform, self.osVersion, self.appVersion) = (platform, osVersion, appVersion)
    (self.sdkVersion, self.arm, self.emulator, self.traits) = (sdkVersion, arm, emulator, traits)
  }
}

/// When a release was first mentioned on a channel and platform.
public struct Sighting: Equatable, Sendable {
  public var channel: String
  public var platform: String?
  public var firstAt: Timestamp
  /// By an event about the release (available … applied), not one of a device that merely runs it.
  public var firstSubjectAt: Timestamp?

  public init(channel: String, platform: String?, firstAt: Timestamp, firstSubjectAt: Timestamp?) {
    (self.channel, self.platform) = (channel, platform)
    (self.firstAt, self.firstSubjectAt) = (firstAt, firstSubjectAt)
  }
}

/// A release with everything that is registered or was seen of it.
public struct ReleaseRecord: Sendable {
  public var id: Int64
  public var app: String
  public var label: ReleaseLabel
  public var publications: [Publication]
  public var sightings: [Sighting]
  /// Its registration was taken back.
  var isWithdrawn = false

  /// Whether it is a release to anybody: one that was registered by mistake and taken back is not, unless a device named it.
  public var isNamed: Bool { !isWithdrawn || !publications.isEmpty || !sightings.isEmpty }

  public init(id: Int64, app: String, label: ReleaseLabel, publications: [Publication], sightings: [Sighting]) {
    (self.id, self.app, self.label) = (id, app, label)
    (self.publications, self.sightings) = (publications, sightings)
  }
}

/// How many events arrived how late on a day.
public struct ArrivalLag: Equatable, Sendable {
  public var app: String
  /// Days since 1970.
  public var day: Int64
  /// Or `unknown`; below it, events that were received before they say they happened, by quarters of an hour.
  public var seconds: Int64
  public var events: Int64

  public init(app: String, day: Int64, seconds: Int64, events: Int64) {
    (self.app, self.day, self.seconds, self.events) = (app, day, seconds, events)
  }

  /// Their clients have no clock and may have sent them late: how late, nobody knows.
  public static let unknown: Int64 = -1
  public var isKnown: Bool { seconds != Self.unknown }
  /// A clock that is ahead says nothing of lateness.
  public var late: Int64 { max(0, seconds) }

  /// Of events from so far ahead, of a whole day at most; 0 where clocks are trusted so far.
  static func ahead(_ seconds: Int64) -> Int64 {
    guard seconds > trusted else { return 0 }
    return -min(max(1, (seconds + quarter / 2) / quarter), 96) * quarter
  }

  private static let (trusted, quarter): (Int64, Int64) = (300, 900)
}

/// What the numbers in journeys and devices stand for.
public struct Vocabulary: Sendable {
  public internal(set) var names: [Int64: String] = [:]
  let profileWords: ProfileWords
  /// Whole: slow where nearly each device has one of its own.
  public var profiles: [Int64: DeviceProfile] { profileWords.all }
  /// In order of app and label.
  public internal(set) var releases: [ReleaseRecord] = []
  public internal(set) var lags: [ArrivalLag] = []

  /// How many releases and publications there are.
  public var announcements: Int { releases.reduce(releases.count) { $0 + $1.publications.count } }

  /// Every app that an event, a publication or a context names, in order.
  public internal(set) var apps: [String] = []

  /// What events of one app named: another app's channels and platforms are nobody's business.
  public struct Places: Sendable {
    public internal(set) var channels: Set<String> = []
    public internal(set) var platforms: Set<String> = []

    public init(channels: Set<String> = [], platforms: Set<String> = []) {
      (self.channels, self.platforms) = (channels, platforms)
    }
  }
  public internal(set) var places: [String: Places] = [:]

  public func platforms(of app: String) -> Set<String> { places[app]?.platforms ?? [] }
  public func channels(of app: String) -> Set<String> { places[app]?.channels ?? [] }

  public func name(_ id: Int64) -> String { names[id] ?? "" }

  /// What another engine names.
  public init(
    names: [Int64: String] = [:], profiles: [Int64: DeviceProfile] = [:], releases: [ReleaseRecord] = [],
    lags: [ArrivalLag] = [], places: [String: Places] = [:]
  ) {
    (self.names, self.lags, self.places) = (names, lags, places)
    profileWords = ProfileWords(profiles)
    self.releases = releases.sorted { ($0.app, $0.label.rawValue) < ($1.app, $1.label.rawValue) }
    apps = Self.apps(places, releases)
  }

  /// A release that was withdrawn and that nobody ever named leaves no app behind.
  private static func apps(_ places: [String: Places], _ releases: [ReleaseRecord]) -> [String] {
    let known = releases.filter { !$0.publications.isEmpty || !$0.sightings.isEmpty }
    return Set(places.keys).union(known.map(\.app)).sorted()
  }
}

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

  /// Reads the audit only where a release has neither publications nor sightings.
  private func markWithdrawn(_ records: inout [ReleaseRecord], _ connection: borrowing Connection) throws(StoreError) {
    let unheard = records.indices.filter { records[$0].publications.isEmpty && records[$0].sightings.isEmpty }
    if unheard.isEmpty { return }
    let withdrawn = Set(
      try connection.prepare("SELECT app, facts ->> '$.release' FROM audit WHERE act = 'withdraw'").rows {
        [$0.text(0), $0.text(1)]
      })
    for index in unheard where withdrawn.contains([records[index].app, records[index].label.rawValue]) {
      records[index].isWithdrawn = true
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

extension DeviceProfile {
  init(_ row: borrowing Row) {
    self.init(
      platform: row.optionalText(1), osVersion: row.optionalText(2), appVersion: row.optionalText(3),
      sdkVersion: row.optionalText(4), arm: row.optionalText(5), emulator: row.optionalInteger(6).map { $0 != 0 },
      traits: row.optionalText(7))
  }
}

extension Sighting {
  init(_ channel: String, _ platform: String?, any: Int64, subject: Int64) {
    self.init(
      channel: channel, platform: platform, firstAt: Timestamp(stored: any),
      firstSubjectAt: subject == .max ? nil : Timestamp(stored: subject))
  }
}

extension ReleaseRecord {
  mutating func note(_ sighting: Sighting) {
    if let place = sightings.firstIndex(where: { $0.channel == sighting.channel && $0.platform == sighting.platform }) {
      sightings[place].firstAt = min(sightings[place].firstAt, sighting.firstAt)
      let subjects = [sightings[place].firstSubjectAt, sighting.firstSubjectAt].compactMap { $0 }
      sightings[place].firstSubjectAt = subjects.min()
    } else {
      sightings.append(sighting)
      sightings.sort { ($0.channel, $0.platform ?? "") < ($1.channel, $1.platform ?? "") }
    }
  }
}
