extension Snapshot {
  func wakes(_ place: WakePlace, _ stored: borrowing StoredShards) throws(StoreError) -> WakeShard {
    let wakes = try stored.wakes(place)
    return tail.wakes[place].map { wakes.merging($0[...]) } ?? wakes
  }

  func storedWeeks(_ app: Int64) throws(StoreError) -> [Int64] {
    try connection.prepare("SELECT DISTINCT week FROM wake WHERE app = ?").rows(.integer(app)) { $0.integer(0) }
  }
}
