import Lifecycle

/// Two releases that came to a channel and platform at different hours of the day. Who is asleep when a release comes cannot update, so
/// up to the same age, short of whole days, one has more of the day behind it than the other.
struct OtherHours: Equatable {
  let own: Timestamp
  let before: Timestamp

  private static let tolerance = Milliseconds.hours(2)

  /// nil where the hours are much the same, whatever the days.
  init?(_ own: Timestamp, _ before: Timestamp) {
    let day = Milliseconds.days(1).rawValue
    let apart = abs((own - before).rawValue % day)
    if min(apart, day - apart) <= Self.tolerance.rawValue { return nil }
    (self.own, self.before) = (own, before)
  }

  /// `published at 20:00 UTC, 1.1 at 08:00`
  func words(_ before: String) -> String {
    "published at \(self.own.timeOfDay) UTC, \(named(before)) at \(self.before.timeOfDay)"
  }
}

extension Timestamp {
  /// `08:05`, in UTC.
  var timeOfDay: String { String(rfc3339.dropFirst(11).prefix(5)) }
}

extension OtherHours {
  /// Where both came to a channel and platform; of several the first by name.
  init?(_ own: RiskTables, _ before: RiskTables) {
    let places = own.starts.sorted { $0.key < $1.key }
    let found = places.lazy.compactMap { place, start in
      before.starts[place].flatMap { OtherHours(start.publishedAt, $0.publishedAt) }
    }.first
    guard let found else { return nil }
    self = found
  }
}

extension ComparedAges {
  /// Of the first and the second.
  var otherHours: OtherHours? { OtherHours(tables[0], tables[1]) }
}

extension Compare {
  /// Where both are known and not much the same.
  var otherHours: OtherHours? {
    first.publishedAt.flatMap { own in second.publishedAt.flatMap { OtherHours(own, $0) } }
  }

  /// Whether part of a difference at an age may be the hour of the day at which each came.
  public var cameAtOtherHours: Bool { otherHours != nil }
}

extension Adoption {
  /// `published at 23:00 UTC, 1.2 at 20:00`, for the release and the one before it on the same channel and platform; nil where they came at
  /// much the same hour.
  public var otherHours: String? {
    guard let baseline else { return nil }
    return publications.lazy.compactMap { own in
      baseline.publications.first { $0.channel == own.channel && $0.platform == own.platform }
        .flatMap { OtherHours(own.publishedAt, $0.publishedAt) }
    }.first?.words(baseline.release)
  }
}
