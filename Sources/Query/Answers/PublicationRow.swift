public import Lifecycle

/// When and how a release came to a channel, as an answer shows it.
public struct PublicationRow: Encodable, Hashable, Sendable {
  /// A step of the rollout, on the clock that starts at publication.
  public struct Step: Encodable, Hashable, Sendable {
    public var at: Timestamp
    public var ageSeconds: Int64
    public var percent: Double
  }
  public var channel: String
  /// Null where one publication holds for all platforms.
  @Nullable public var platform: String?
  public var publishedAt: Timestamp
  /// English name, in UTC.
  public var weekday: String
  public var hour: Int
  public var isInferred: Bool
  public var isMandatory: Bool
  public var rollout: [Step]
  @Nullable public var supersededAt: Timestamp?

  init(_ place: Group, _ start: Timeline.Start, supersededAt: Timestamp?) {
    channel = place.channel ?? Group.unnamed
    _platform = Nullable(wrappedValue: place.platform)
    publishedAt = start.publishedAt
    weekday = start.publishedAt.weekday
    hour = start.publishedAt.hour
    isInferred = start.isInferred
    isMandatory = start.mandatory
    rollout = start.rollout.map {
      Step(at: $0.at, ageSeconds: ($0.at - start.publishedAt).rawValue / 1000, percent: $0.percent)
    }
    _supersededAt = Nullable(wrappedValue: supersededAt)
  }
}

extension PublicationRow {
  /// In order of channel and platform; one row where all platforms of a channel share it.
  static func rows(_ starts: [Group: Timeline.Start], _ supersededAt: [Group: Timestamp]) -> [PublicationRow] {
    let rows: [PublicationRow] = starts.sorted { $0.key < $1.key }.map {
      PublicationRow($0.key, $0.value, supersededAt: supersededAt[$0.key])
    }
    let channels = Dictionary(grouping: rows, by: \.channel).sorted { $0.key < $1.key }.map(\.value)
    return channels.flatMap { (rows: [PublicationRow]) -> [PublicationRow] in
      Set(rows.map(\.withoutPlatform)).count == 1 ? [rows[0].withoutPlatform] : rows
    }
  }

  private var withoutPlatform: PublicationRow {
    var copy = self
    copy.platform = nil
    return copy
  }
}

extension PublicationRow {
  /// Whether some were let in later than others.
  public var isStaged: Bool { rollout.dropFirst().contains { $0.percent > (rollout.first?.percent ?? 0) } }
}

extension [PublicationRow] {
  /// Seconds from the publication to the last step of those that came in steps; nil where none did, or one is to stay below 100 %.
  var completeAfter: Int64? {
    let staged = filter(\.isStaged)
    let ends = staged.compactMap { row in row.rollout.first { $0.percent >= 100 }?.ageSeconds }
    return ends.count == staged.count ? ends.max() : nil
  }
}

extension RiskTables {
  /// The publications that a group's figures start from.
  func publications(_ group: Group) -> [PublicationRow] {
    PublicationRow.rows(starts.filter { place, _ in group.contains(place) }, supersededAt)
  }
}

extension Group {
  /// Whether a channel and platform belong to the group.
  func contains(_ place: Group) -> Bool {
    (channel.map { $0 == place.channel ?? Self.unnamed } ?? true)
      && (platform.map { $0 == place.platform ?? Self.unnamed } ?? true)
  }
}

extension Timestamp {
  /// Hours since the last midnight UTC.
  var hour: Int { Int(((seconds % 86_400) + 86_400) % 86_400 / 3600) }

  /// The day of the week in UTC; 1970-01-01 was a Thursday.
  var weekday: String {
    let days = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
    let day = (seconds - Int64(hour) * 3600) / 86_400 - (seconds < 0 && seconds % 86_400 != 0 ? 1 : 0)
    return days[Int((day % 7 + 7) % 7)]
  }
}
