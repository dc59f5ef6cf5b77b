import Lifecycle

/// Two releases that came on different days of the week: among the same ages one has more of a weekend than the other, when people use
/// their phones otherwise.
struct OtherDays: Equatable {
  let own: Timestamp
  let before: Timestamp

  /// nil where Saturdays and Sundays, in UTC, have much the same part in these ages: they differ by less than a quarter of the time.
  ///
  /// - Parameter ages: in seconds.
  init?(_ own: Timestamp, _ before: Timestamp, _ ages: ClosedRange<Int64>) {
    let apart = abs(own.weekend(ages) - before.weekend(ages))
    let isAlike = apart == 0 || 4 * apart < ages.upperBound - ages.lowerBound
    if isAlike || own.weekday == before.weekday { return nil }
    (self.own, self.before) = (own, before)
  }

  /// `published on a Friday, 1.1 on a Monday`
  func words(_ before: String) -> String {
    "published on a \(own.weekday), \(named(before)) on a \(self.before.weekday)"
  }
}

extension OtherDays {
  /// Where both came to a channel and platform; of several the first by name.
  init?(_ own: RiskTables, _ before: RiskTables, _ ages: ClosedRange<Int64>) {
    let places = own.starts.sorted { $0.key < $1.key }
    let found = places.lazy.compactMap { place, start in
      before.starts[place].flatMap { OtherDays(start.publishedAt, $0.publishedAt, ages) }
    }.first
    guard let found else { return nil }
    self = found
  }
}

extension Timestamp {
  /// Seconds of weekends among ages of what began here.
  fileprivate func weekend(_ ages: ClosedRange<Int64>) -> Int64 {
    Self.weekend(before: seconds + ages.upperBound) - Self.weekend(before: seconds + ages.lowerBound)
  }

  /// Since the first Saturday of 1970, two days of each seven.
  private static func weekend(before instant: Int64) -> Int64 {
    let (week, twoDays) = (Int64(604_800), Int64(172_800))
    let since = max(instant - twoDays, 0)
    return since / week * twoDays + min(since % week, twoDays)
  }
}
