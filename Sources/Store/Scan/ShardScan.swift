import Lifecycle

extension Snapshot {
  /// Goes through the shards of an app on all cores, each core counting into a state of its own.
  ///
  /// Which shards come to which state is chance: states must add up to the same in any case. This is the only way that
  /// questions read devices, save the trail of a single one.
  public func scan<State>(
    _ need: Need, start: () -> State, _ count: (inout State, borrowing ShardPage) throws -> Void
  ) throws -> [State] {
    try require(need.population)
    guard let appID = appID(need.app) else { return [] }
    let reader = try ShardReader(self, need, app: appID)
    let found = try eachShard(
      need.shards, reader.turn, start: { (room: ShardRoom(reader), state: start()) },
      read: { worker, shard in try reader.read(shard, into: &worker.room) }
    ) { worker, shard in
      try worker.room.unpack(shard, reader)
      if worker.room.page.devices.devices.isEmpty, need.wakes == nil { return }
      try count(&worker.state, worker.room.page)
    }
    return found.map(\.state)
  }

  /// The weeks with any facts, of those that an interval touches.
  func touchedWeeks(_ app: Int64, _ from: Timestamp, _ until: Timestamp) throws(StoreError) -> [Int64] {
    let weeks = WakePlace.week(from)...max(WakePlace.week(from), WakePlace.week(until))
    return try self.weeks(app).filter(weeks.contains).sorted()
  }
}
