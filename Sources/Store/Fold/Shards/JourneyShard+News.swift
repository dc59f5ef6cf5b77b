import Lifecycle

/// What first times tell beyond what was known before them.
extension JourneyShard {
  /// The first of them counts as a claim.
  static let claims: [Milestone] = [.applied, .confirmed, .running]

  /// Whether a device had applied or confirmed the release before an instant. Then it says nothing new by naming it in a check.
  func isNamed(_ index: Int, before first: Int64) -> Bool {
    min(self.first(.applied, index), self.first(.confirmed, index)).rawValue >> 3 < first >> 3
  }

  /// When the last thing happened that was new; nil where nothing did.
  var lastNews: Int64? {
    var last: Int64?
    func note(_ at: Int64) { last = max(last ?? at, at) }
    for milestone in Milestone.allCases {
      for (index, first) in columns[milestone.rawValue].enumerated() where first != .max {
        if first >> 3 > last ?? .min, milestone != .running || !isNamed(index, before: first) { note(first >> 3) }
      }
    }
    for bucket in buckets where bucket != .max { note(bucket >> 7) }
    return last
  }

  /// Whether any device claimed the release before an instant.
  func isClaimed(before instant: Int64) -> Bool {
    Self.claims.contains { columns[$0.rawValue].contains { $0 < instant << 3 } }
  }
}

/// What must be known of the journeys on a release in a channel to leave them unread, shard by shard.
public struct JourneyWatch: Sendable, Equatable {
  /// When the last thing happened that was new; `.min` where nothing did.
  public private(set) var news = [Int64](repeating: .min, count: Shards.count)
  /// Shards with a device that claimed the release before the instant from which on that would be a first word.
  public private(set) var early: Set<Int> = []

  public init() {}

  /// nil where that is no watch.
  public init?(news: [Int64], early: [Int64]) {
    guard news.count == Shards.count else { return nil }
    (self.news, self.early) = (news, Set(early.map { Int(truncatingIfNeeded: $0) }))
  }

  /// - Parameter instant: nil where no claim is a first word.
  public mutating func note(_ journeys: JourneyShard, early instant: Int64?) {
    guard let shard = journeys.devices.first.map(Shards.shard) else { return }
    news[shard] = max(news[shard], journeys.lastNews ?? .min)
    if let instant, journeys.isClaimed(before: instant) { early.insert(shard) }
  }

  public mutating func add(_ other: JourneyWatch) {
    news = zip(news, other.news).map(max)
    early.formUnion(other.early)
  }
}
