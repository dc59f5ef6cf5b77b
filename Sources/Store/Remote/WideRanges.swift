import Locks
public import Lifecycle

/// Another engine that is asked for several shards at once, and keeps those that nobody asked for yet: of a small fleet
/// requests cost more than rows.
public struct WideRanges: RemoteDatabase {
  private let source: any RemoteDatabase
  /// Shards of one request, a power of two; known with the first.
  private let width: Width
  private let keptDevices = KeptShards<RemoteDevices>()
  private let keptJourneys = KeptShards<RemoteJourneys>()
  private let keptWakes = KeptShards<[RemoteWake]>()

  /// - Parameter devices: how many the engine has, roughly. Asked for once, with the first range.
  public init(_ source: any RemoteDatabase, devices: @escaping @Sendable () throws(StoreError) -> Int) {
    self.source = source
    width = Width(devices)
  }

  public var address: String { source.address }
  public var vocabulary: Vocabulary { source.vocabulary }

  public func journeyPlaces(_ app: Int64) throws(StoreError) -> [RemoteJourneys.Place] {
    try source.journeyPlaces(app)
  }
  public func profiles(_ app: Int64) throws(StoreError) -> Set<Int64> { try source.profiles(app) }
  public func weeks(_ app: Int64) throws(StoreError) -> [Int64] { try source.weeks(app) }
  public func settledState() throws(StoreError) -> Int64? { try source.settledState() }
  public func summaryState(_ app: Int64) throws(StoreError) -> SummaryState? { try source.summaryState(app) }
  public func summary(
    _ app: Int64, on releases: [Int64], _ numbers: Range<Int64>
  ) throws(StoreError) -> [SummaryPart]? {
    try source.summary(app, on: releases, numbers)
  }
  public func keep(_ state: SummaryState, _ parts: [SummaryPart], _ app: Int64) throws(StoreError) {
    try source.keep(state, parts, app)
  }
  public func trail(of device: DeviceHash, app: String, limit: Int) throws(StoreError) -> [TrailEvent] {
    try source.trail(of: device, app: app, limit: limit)
  }
  public func nodes(quietSince instant: Timestamp) throws(StoreError) -> QuietNodes {
    try source.nodes(quietSince: instant)
  }
  public func deviceCount() throws(StoreError) -> Int { try source.deviceCount() }

  public func devices(_ range: DeviceRange) throws(StoreError) -> RemoteDevices {
    let width = try width.known()
    guard width > 1, let shard = range.shard else { return try source.devices(range) }
    return try keptDevices.take(range, shard, width, [], RemoteDevices()) { wide throws(StoreError) in
      try source.devices(wide).byShard
    }
  }

  public func journeys(_ range: DeviceRange, on releases: [Int64]) throws(StoreError) -> RemoteJourneys {
    let width = try width.known()
    guard width > 1, let shard = range.shard else { return try source.journeys(range, on: releases) }
    return try keptJourneys.take(range, shard, width, releases, RemoteJourneys()) { wide throws(StoreError) in
      try source.journeys(wide, on: releases).byShard
    }
  }

  public func wakes(_ range: DeviceRange, in weeks: [Int64]) throws(StoreError) -> [RemoteWake] {
    let width = try width.known()
    guard width > 1, let shard = range.shard else { return try source.wakes(range, in: weeks) }
    return try keptWakes.take(range, shard, width, weeks, []) { wide throws(StoreError) in
      Dictionary(grouping: try source.wakes(wide, in: weeks)) { Shards.shard($0.fact.device) }
    }
  }
}

private final class Width: Sendable {
  private let devices: @Sendable () throws(StoreError) -> Int
  private let value = Lock<Int?>(nil)
  /// Devices of one request, where a single shard has fewer.
  private static let most = 20_000

  init(_ devices: @escaping @Sendable () throws(StoreError) -> Int) { self.devices = devices }

  func known() throws(StoreError) -> Int {
    try value.withLock { value throws(StoreError) in
      if let value { return value }
      let devices = try devices()
      var width = 1
      while width < Shards.count, devices / Shards.count * width * 2 <= Self.most { width *= 2 }
      value = width
      return width
    }
  }
}

/// What was fetched of shards and not asked for yet. Who asks for one that is being fetched waits; other ranges are fetched
/// meanwhile.
private final class KeptShards<Part: Sendable>: Sendable {
  private struct Place: Hashable {
    var app: Int64
    var shard: Int
    /// What else was asked.
    var what: [Int64]
  }
  /// Of the shards of one request.
  private final class Range: Sendable { let kept = Lock<[Place: Part]>([:]) }
  private let ranges = (0..<Shards.count).map { _ in Range() }

  func take(
    _ range: DeviceRange, _ shard: Int, _ width: Int, _ what: [Int64], _ empty: Part,
    fetch: (DeviceRange) throws(StoreError) -> [Int: Part]
  ) throws(StoreError) -> Part {
    try ranges[shard / width].kept.withLock { kept throws(StoreError) in
      if let part = kept.removeValue(forKey: Place(app: range.app, shard: shard, what: what)) { return part }
      let first = shard / width * width
      let parts = try fetch(DeviceRange(app: range.app, shards: first..<first + width))
      for other in first..<first + width where other != shard {
        kept[Place(app: range.app, shard: other, what: what)] = parts[other] ?? empty
      }
      return parts[shard] ?? empty
    }
  }
}

extension RemoteDevices {
  fileprivate var byShard: [Int: RemoteDevices] {
    var parts: [Int: RemoteDevices] = [:]
    for contact in contacts { parts[Shards.shard(contact.device), default: .init()].contacts.append(contact) }
    for profile in profiles { parts[Shards.shard(profile.device), default: .init()].profiles.append(profile) }
    for bucket in buckets { parts[Shards.shard(bucket.device), default: .init()].buckets.append(bucket) }
    return parts
  }
}

extension RemoteJourneys {
  fileprivate var byShard: [Int: RemoteJourneys] {
    var parts: [Int: RemoteJourneys] = [:]
    for (place, firsts) in firsts {
      for (shard, own) in Dictionary(grouping: firsts, by: { Shards.shard($0.device) }) {
        parts[shard, default: .init()].firsts[place] = own
      }
    }
    for (place, buckets) in buckets {
      for (shard, own) in Dictionary(grouping: buckets, by: { Shards.shard($0.device) }) {
        parts[shard, default: .init()].buckets[place] = own
      }
    }
    return parts
  }
}
