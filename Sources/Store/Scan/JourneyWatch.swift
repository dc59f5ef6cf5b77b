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
