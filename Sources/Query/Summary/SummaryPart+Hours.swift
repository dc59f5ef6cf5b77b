import Store

extension SummaryPart {
  /// Of an open summary, which is made anew again and again, the instants of an hour lie in a column of their own: all but those of the last
  /// hours stay as they are. First launches that are too young, then entries into one stage after the other.
  static let hours: Range<Int64> = 400..<400 + hoursApart * Int64(StageCounts.count + 1)
  private static let hoursApart: Int64 = 64

  /// - Parameter kind: 0 for launches, 1 and more for stages.
  static func hours(_ kind: Int) -> Range<Int64> {
    let first = hours.lowerBound + hoursApart * Int64(kind)
    return first..<first + hoursApart
  }

  /// Instants that lie no more than a day or two from each other.
  /// - Parameter values: those of one kind, with their instants before `bits`.
  static func byHour(_ release: Int64, _ group: Group, _ kind: Int, _ values: [Int64], bits: Int64) -> [SummaryPart] {
    Dictionary(grouping: values) { hours(kind).lowerBound + ($0 >> bits) / 3_600_000 & (hoursApart - 1) }
      .map { SummaryPart(release, group, $0, $1.sorted()) }
  }
}

extension [Int64: SummaryPart] {
  /// What lies in columns by hour.
  func byHour(_ kind: Int) -> [Int64] { SummaryPart.hours(kind).flatMap { self[$0]?.values ?? [] } }
}
