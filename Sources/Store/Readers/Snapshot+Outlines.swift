import Dispatch

/// Which columns a question reads of every shard; the fewer, the faster.
public struct ColumnChoice: Sendable {
  /// Of the journeys.
  public var milestones: [Milestone]
  public var hasReasons: Bool
  /// Of the devices.
  public var hasProfileTimes: Bool
  /// Of both.
  public var hasBuckets: Bool

  public init(_ milestones: [Milestone], reasons: Bool = false, profileTimes: Bool = false, buckets: Bool = false) {
    self.milestones = milestones
    hasReasons = reasons
    hasProfileTimes = profileTimes
    hasBuckets = buckets
  }
}

/// One shard of an app's devices in outline, beside their journeys.
public struct OutlinePage {
  public let outlines: DeviceOutlines
  public let journeys: [Snapshot.Journeys]
}

extension Snapshot {
  /// Goes through the shards of an app's devices on all cores, each collecting into a state of its own.
  ///
  /// Which shards come to which state is chance: states must add up to the same in any case. Reading the file is done in
  /// turn, since one transaction belongs to one connection; unpacking and all that follows goes side by side.
  ///
  /// - Parameter body: its last argument reads all that is stored of the shard's devices, for those whose outline says
  ///   too little.
  public func eachOutline<State>(
    app: String, releases: Set<Int64>, _ columns: ColumnChoice, start: () -> State,
    _ body: (inout State, OutlinePage, () throws -> DeviceShard) throws -> Void
  ) throws -> [State] {
    guard let appID = appID(app) else { return [] }
    let stored = try StoredParts(connection)
    let (places, ranks) = (try journeyPlaces(releases), nameRanks)
    var states = (0..<coreCount).map { _ in start() }
    var failures = states.map { _ -> (any Error)? in nil }
    let turn = DispatchSemaphore(value: 1)
    var next = 0
    func inTurn<T>(_ read: () throws -> T) rethrows -> T {
      turn.wait()
      defer { turn.signal() }
      return try read()
    }
    states.withUnsafeMutableBufferPointer { states in
      failures.withUnsafeMutableBufferPointer { failures in
        sideBySide(states.count) { worker in
          do {
            while let raw = try inTurn({ try rawPage(&next, appID, places, stored, columns) }) {
              let page = try page(raw, ranks)
              guard !page.outlines.devices.isEmpty else { continue }
              try body(&states[worker], page) { () throws in
                let parts = try inTurn { try stored.devices(raw.place, nil) }
                return merged(try DeviceShard(parts), raw.place)
              }
            }
          } catch { failures[worker] = error }
        }
      }
    }
    if let failure = failures.lazy.compactMap(\.self).first { throw failure }
    return states
  }

  private struct RawPage {
    var place: DevicePlace
    var devices: StoredParts.Parts
    var journeys: [(place: JourneyPlace, parts: StoredParts.Parts)]
  }

  /// The next shard that holds any devices; nil after the last.
  private func rawPage(
    _ next: inout Int, _ app: Int64, _ places: [(release: Int64, channel: Int64)], _ stored: borrowing StoredParts,
    _ columns: ColumnChoice
  ) throws(StoreError) -> RawPage? {
    guard next < Shards.count else { return nil }
    let shard = next
    next += 1
    let place = DevicePlace(shard: shard, app: app)
    let isPlain = tail.devices[place] == nil
    var page = RawPage(
      place: place, devices: try stored.devices(place, isPlain ? DeviceOutlines.parts(columns) : nil), journeys: [])
    // A file of before there were outlines: they are made from the rest.
    if isPlain, page.devices[DeviceOutlines.Part.channels.rawValue] == nil {
      page.devices = try stored.devices(place, nil)
    }
    for (release, channel) in places {
      let place = JourneyPlace(shard: shard, release: release, channel: channel)
      let wanted = tail.journeys[place] == nil ? JourneyShard.parts(columns) : nil
      page.journeys.append((place, try stored.journeys(place, wanted)))
    }
    return page
  }

  private func page(_ raw: RawPage, _ ranks: [Int64: Int]) throws(StoreError) -> OutlinePage {
    var journeys: [Journeys] = []
    for (place, parts) in raw.journeys {
      var shard = JourneyShard(parts)
      if let facts = tail.journeys[place] { shard = shard.merging(facts[...]) { ranks[$0] ?? .max } }
      guard !shard.devices.isEmpty else { continue }
      journeys.append(Journeys(release: place.release, channel: place.channel, shard: shard))
    }
    return OutlinePage(outlines: try outlines(raw), journeys: journeys)
  }

  private func outlines(_ raw: RawPage) throws(StoreError) -> DeviceOutlines {
    if tail.devices[raw.place] == nil, let outlines = try DeviceOutlines(raw.devices) { return outlines }
    return merged(try DeviceShard(raw.devices), raw.place).completeOutlines
  }

  private func merged(_ devices: DeviceShard, _ place: DevicePlace) -> DeviceShard {
    tail.devices[place].map { devices.merging($0[...]) } ?? devices
  }
}
