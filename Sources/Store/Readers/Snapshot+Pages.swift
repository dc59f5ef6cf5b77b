public import Lifecycle

/// What a question about pushes, wake-ups or stages reads of every shard; the less, the faster.
public struct PageChoice: Sendable {
  /// Facts of the weeks that an interval touches.
  public struct Wakes: Sendable {
    public var from: Timestamp
    public var until: Timestamp
    /// A number of `release`: only devices that were sent a push about it; nil for all.
    public var pushedAbout: Int64?

    public init(from: Timestamp, until: Timestamp, pushedAbout: Int64? = nil) {
      (self.from, self.until, self.pushedAbout) = (from, until, pushedAbout)
    }
  }

  public var app: String
  /// Of the journeys by release; those on other releases are not read.
  public var milestones: [Int64: [Milestone]]
  /// Journeys on a release only where the shard has pushes about it.
  public var isOfPushed: Bool
  public var wakes: Wakes?

  public init(app: String, milestones: [Int64: [Milestone]], isOfPushed: Bool = false, wakes: Wakes? = nil) {
    (self.app, self.milestones, self.isOfPushed, self.wakes) = (app, milestones, isOfPushed, wakes)
  }
}

/// One shard of an app, each part in device order.
///
/// A device may be in one part and not in another: who was sent pushes need never have spoken.
public struct DevicePage {
  /// Channels, spans and profiles; nothing else of them.
  public let outlines: DeviceOutlines
  public let journeys: [Snapshot.Journeys]
  public var wakes: WakeWalk
}

extension Snapshot {
  /// Goes through the shards of an app on all cores, each collecting into a state of its own that adds up with others.
  ///
  /// - Parameter body: its last argument reads when the devices of the page were heard of, for those whose outline says
  ///   too little.
  public func eachPage<State>(
    _ choice: PageChoice, start: () -> State,
    _ body: (inout State, inout DevicePage, () throws -> ContactTimes) throws -> Void
  ) throws -> [State] {
    guard let appID = appID(choice.app) else { return [] }
    let reading = try PageReading(self, choice, app: appID)
    let found = try eachShard(
      start: { (room: PageRoom(reading), state: start()) },
      read: { worker, shard in
        let place = DevicePlace(shard: shard, app: appID)
        try reading.read(place, into: &worker.room)
        return place
      }
    ) { worker, place, turn in
      let merged = try worker.room.merged(place, reading)
      var page = try worker.room.page(place, reading, merged, turn)
      try body(&worker.state, &page) { () throws in
        if let merged { return ContactTimes(merged) }
        var parts = PackedParts()
        try turn.take { try reading.stored.read(place, ContactTimes.parts, into: &parts) }
        return ContactTimes(parts)
      }
    }
    return found.map(\.state)
  }

  /// The weeks with any facts, of those that an interval touches.
  func touchedWeeks(_ app: Int64, _ from: Timestamp, _ until: Timestamp) throws(StoreError) -> [Int64] {
    let weeks = WakePlace.week(from)...max(WakePlace.week(from), WakePlace.week(until))
    let known = Set(try storedWeeks(app) + tail.wakes.keys.filter { $0.app == app }.map(\.week))
    return known.filter(weeks.contains).sorted()
  }
}
