import Lifecycle

/// The days since a publication, in which crashes of long launched devices are counted: each begins where the one before ended, so what is
/// known of a day that is over stays.
struct LateDays: Equatable {
  /// Of a release that is older, the first days are left out.
  private static let most: Int64 = 366
  static let length = Milliseconds.days(1).rawValue
  private let publishedAt: Int64
  /// The number of the first day, from the publication.
  let first: Int
  let count: Int
  /// When the last one ends, or is asked about.
  let now: Int64

  /// nil before the publication.
  init?(from publishedAt: Timestamp, until now: Timestamp) {
    guard publishedAt < now else { return nil }
    let days = (now - publishedAt).rawValue / Self.length + 1
    (self.publishedAt, self.now) = (publishedAt.rawValue, now.rawValue)
    (first, count) = (Int(max(days - Self.most, 0)), Int(min(days, Self.most)))
  }

  var start: Int64 { publishedAt + Int64(first) * Self.length }

  func interval(_ day: Int) -> (start: Timestamp, end: Timestamp) {
    let begin = start + Int64(day) * Self.length
    return (Timestamp(rawValue: begin), Timestamp(rawValue: min(begin + Self.length, now)))
  }
}
