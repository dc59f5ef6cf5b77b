public import Lifecycle

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

/// A publication that was taken back.
public struct Withdrawal: Equatable, Sendable {
  public var channel: String
  /// nil where it was for all.
  public var platform: String?
  public var publishedAt: Timestamp?
  public var at: Timestamp
}

/// A release with everything that is registered or was seen of it.
public struct ReleaseRecord: Sendable {
  public var id: Int64
  public var app: String
  public var label: ReleaseLabel
  public var publications: [Publication]
  public var sightings: [Sighting]
  /// Its publications that were taken back, in that order; of a warehouse none is known.
  public internal(set) var withdrawals: [Withdrawal] = []

  /// Whether it is a release to anybody: one that was registered by mistake and taken back is not, unless a device named it.
  public var isNamed: Bool { withdrawals.isEmpty || !publications.isEmpty || !sightings.isEmpty }

  public init(id: Int64, app: String, label: ReleaseLabel, publications: [Publication], sightings: [Sighting]) {
    (self.id, self.app, self.label) = (id, app, label)
    (self.publications, self.sightings) = (publications, sightings)
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
