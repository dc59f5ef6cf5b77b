import Store

/// The devices that may count otherwise than they were summarised: as they were known then, and now.
struct HeardTwice<Earlier: Tally, Now: Tally>: Mergeable {
  private(set) var earlier: Earlier
  private(set) var now: Now
  /// The newest contact of all that were heard of.
  private(set) var newest: Int64?

  init(earlier: Earlier, now: Now) { (self.earlier, self.now) = (earlier, now) }

  mutating func count(_ page: borrowing ShardPage) throws {
    newest = [newest, page.newest].compactMap(\.self).max()
    guard let changes = page.changes else { return }
    try earlier.count(changes.earlier)
    try now.count(changes.now)
  }

  mutating func add(_ other: Self, times: Int) {
    earlier.add(other.earlier, times: times)
    now.add(other.now, times: times)
    newest = [newest, other.newest].compactMap(\.self).max()
  }
}
