import Store

/// Where first attempts begin, column by column.
struct AttemptColumns {
  private let columns: [[Int64]]
  private let offers: [Int64]

  init(_ shard: JourneyShard) {
    columns = [.downloadStarted, .downloadCompleted, .verified, .ready, .applied, .failed].compactMap(shard.column)
    offers = shard.column(.available) ?? []
  }

  /// As `JourneyView.attemptStart`.
  func attempt(_ place: Int) -> FirstTime? {
    var first = Int64.max
    for column in columns { first = min(first, column[place]) }
    return first == .max ? nil : FirstTime(rawValue: first)
  }

  func offer(_ place: Int) -> FirstTime? {
    offers.isEmpty || offers[place] == .max ? nil : FirstTime(rawValue: offers[place])
  }
}
