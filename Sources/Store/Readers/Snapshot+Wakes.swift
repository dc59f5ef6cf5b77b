extension Snapshot {
  func wakes(
    _ place: WakePlace, _ stored: borrowing StoredShards, _ facts: Facts
  ) throws(StoreError) -> WakeShard {
    let wakes = try stored.wakes(place)
    return facts.wakes[place].map(wakes.merging) ?? wakes
  }

  /// The weeks with any facts, folded or not.
  func weeks(_ app: Int64) throws(StoreError) -> Set<Int64> {
    Set(try storedWeeks(app) + waiting.head.places.weeks.filter { $0.app == app }.map(\.week))
  }

  func storedWeeks(_ app: Int64) throws(StoreError) -> [Int64] {
    if let remote { return try remote.weeks(app) }
    return try connection.prepare("SELECT DISTINCT week FROM wake WHERE app = ?").rows(.integer(app)) { $0.integer(0) }
  }
}
