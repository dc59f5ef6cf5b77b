public import Lifecycle

/// What a scan reads of every shard; the less, the faster.
public struct Need: Sendable {
  public var app: String
  public var population: Population
  /// Of the journeys, by release; those on other releases are not read.
  public var journeys: [Int64: JourneyColumns]
  /// Journeys on a release only where the shard has pushes about it.
  public var onlyPushedReleases = false
  public var devices: DeviceColumns
  public var wakes: WakeSpan?
  /// Of which devices what was known before is shown beside what is known by now.
  public var changes: ChangeSpan?
  /// The number of the last event that is looked at, of those that the snapshot tells of; nil for all.
  public var last: Int64?
  /// Which shards are read: devices lie in them by their hash, so that a part of them is a random sample.
  public var shards = Need.allShards
  public static let allShards = 0..<Shards.count

  public init(
    app: String, _ population: Population, journeys: [Int64: JourneyColumns] = [:], devices: DeviceColumns = [],
    wakes: WakeSpan? = nil
  ) {
    (self.app, self.population) = (app, population)
    (self.journeys, self.devices, self.wakes) = (journeys, devices, wakes)
  }

  /// Pushes and wake-ups of the weeks that an interval touches.
  public struct WakeSpan: Equatable, Sendable {
    public var from: Timestamp
    public var until: Timestamp
    /// A number of `release`: only devices that were sent a push about it; nil for all.
    public var pushedAbout: Int64?

    public init(from: Timestamp, until: Timestamp, pushedAbout: Int64? = nil) {
      (self.from, self.until, self.pushedAbout) = (from, until, pushedAbout)
    }
  }
}

/// What is read of devices beside their spans of contact and their profiles.
public struct DeviceColumns: OptionSet, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let buckets = DeviceColumns(rawValue: 1)
  /// Every contact run. Without it, runs are read where somebody asks for them.
  public static let runs = DeviceColumns(rawValue: 2)
}

/// What is read of the journeys on a release: first times by milestone, reasons of failures, rollout buckets.
public struct JourneyColumns: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let reasons = JourneyColumns(rawValue: 1 << 30)
  public static let buckets = JourneyColumns(rawValue: 1 << 31)
  /// What says that a device has a release, or had it.
  public static let claims = JourneyColumns(JourneyShard.allClaims)
  public static let all = JourneyColumns(Milestone.allCases).union([.reasons, .buckets])

  public init(_ milestones: [Milestone]) {
    rawValue = milestones.reduce(0) { $0 | 1 << UInt32($1.rawValue) }
  }

  /// Where they lie in the `journey` table.
  var parts: Set<Int64> {
    var parts: Set = [JourneyShard.devicesPart]
    for milestone in Milestone.allCases where contains(JourneyColumns([milestone])) {
      parts.insert(Int64(milestone.rawValue))
    }
    if contains(.reasons) { parts.insert(JourneyShard.reasonsPart) }
    if contains(.buckets) { parts.insert(JourneyShard.bucketsPart) }
    return parts
  }
}

extension Need {
  /// What serves both at once; nil where one needs facts that would change the answer of the other.
  public func union(_ other: Need) -> Need? {
    guard app == other.app, population == other.population, last == other.last, other.changes == nil,
      shards == other.shards, let wakes = Self.union(wakes, other.wakes)
    else {
      return nil
    }
    var both = self
    both.wakes = wakes.span
    both.onlyPushedReleases = onlyPushedReleases && other.onlyPushedReleases
    both.devices.formUnion(other.devices)
    both.journeys.merge(other.journeys) { $0.union($1) }
    return both
  }

  /// Facts before an interval or after it could be taken for others, so intervals must be the same.
  private static func union(_ one: WakeSpan?, _ other: WakeSpan?) -> (span: WakeSpan?, Void)? {
    guard let one, let other else { return (one ?? other, ()) }
    return one == other ? (one, ()) : nil
  }
}
