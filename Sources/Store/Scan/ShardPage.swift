import Lifecycle

/// One shard of an app as columns, each part in device order.
///
/// A device may be in one part and not in another: who was sent pushes need never have spoken.
public struct ShardPage {
  public internal(set) var devices = DeviceOutlines()
  /// Of each device the number of its platform: the first that it named.
  public internal(set) var platforms: [Int32] = []
  public internal(set) var emulators: [Bool] = []
  /// Those that there are in the shard.
  public internal(set) var journeys: [Snapshot.Journeys] = []
  /// To be copied by whoever goes through them.
  public internal(set) var wakes = WakeWalk([], until: .init(rawValue: .max), of: nil)
  /// Where they are asked for.
  public internal(set) var changes: ShardChanges?
  /// The same of releases that ended, where only what was heard since a summary is looked at.
  public internal(set) var ended: ShardChanges?
  /// Likewise: the newest contact of that up to the cutoff, in milliseconds.
  public internal(set) var newest: Int64?
  /// Likewise: what is told of those that are not shown, where a summary is moved on.
  public internal(set) var moved: MovedContacts?
  let source: RunSource

  init(_ reader: ShardReader) { self.init(RunSource(reader)) }
  init(_ source: RunSource) { self.source = source }

  /// The contact runs of the devices, read when first asked for: most questions need them of no device.
  public func runs() throws -> RunColumns { try source.runs() }

  /// The contact runs of one device at least: of few devices they are read one by one.
  public func runs(of index: Int) throws -> RunColumns { try source.runs(of: index, devices.devices) }

  /// The journeys on a release in a channel; nil where the shard has none.
  public func journeys(_ release: Int64, _ channel: Int64) -> JourneyShard? {
    journeys.first { $0.release == release && $0.channel == channel }?.shard
  }
}

/// Reads the contact runs of the shard at hand, once.
final class RunSource {
  private let reader: ShardReader
  private var shard = 0
  /// About its devices, not folded.
  private var facts: ArraySlice<DeviceFact>?
  private var isRead = false
  /// Only of these devices of the shard.
  private let part: Part?
  private var singles: KnownRuns
  /// Those that were asked for one by one, by index.
  private var found: [Int: RunColumns] = [:]

  struct Part {
    /// In order.
    var devices: [UInt64]
    /// Of so many devices there are in the shard.
    var count: Int
  }

  /// Whole columns are read faster than one device in so many.
  static let fewest = 16

  private var columns: RunColumns

  /// - Parameter stored: of the shard, where others ask for the same devices.
  init(_ reader: ShardReader, of part: Part? = nil, stored: KnownRuns? = nil) {
    (self.reader, self.part, singles) = (reader, part, stored ?? KnownRuns(reader))
    columns = RunColumns(in: reader.order)
  }

  func begin(_ shard: Int, _ facts: ArraySlice<DeviceFact>?) {
    (self.shard, self.facts, isRead) = (shard, facts, false)
  }

  /// Lets go of the runs, which may lie where the next shard is read into. Only for who has the turn.
  func clear() {
    (columns, isRead) = (RunColumns(in: reader.order), false)
    (singles, found) = (KnownRuns(reader), [:])
  }

  /// Takes the runs from parts that hold them already.
  ///
  /// - Parameter facts: what is not folded, in order of device.
  func take(_ parts: PackedParts, _ facts: ArraySlice<DeviceFact>?) {
    if let facts { columns = RunColumns(parts, facts, reader.order) } else { columns.take(parts) }
    isRead = true
  }

  func take(_ shard: DeviceShard) {
    columns = RunColumns(shard, reader.order)
    isRead = true
  }

  func runs() throws -> RunColumns {
    if isRead { return columns }
    let parts = try reader.runs(shard)
    if let part {
      columns = RunColumns(parts, facts?.about(part.devices) ?? [], of: part.devices, reader.order)
      isRead = true
    } else {
      take(parts, facts)
    }
    return columns
  }
}

// MARK: one by one

extension RunSource {
  /// - Parameter devices: all of the page.
  func runs(of index: Int, _ devices: [UInt64]) throws -> RunColumns {
    if isRead { return columns }
    if let runs = found[index] { return runs }
    let (device, all) = (devices[index], part?.count ?? devices.count)
    guard singles.knows(device) || (singles.count + 1) * Self.fewest < all, let own = try ownRuns(device) else {
      return try runs()
    }
    let runs = RunColumns(own, of: index, reader.order)
    found[index] = runs
    return runs
  }

  /// Read by itself; nil where the shard must be read whole.
  func ownRuns(_ device: UInt64) throws(StoreError) -> [ContactRun]? {
    guard var own = try singles.runs(of: device, in: shard) else { return nil }
    for fact in facts?.about(device) ?? [] { own.note(fact.key, at: fact.at) }
    return own
  }

  /// Of one device as they are stored.
  func storedRuns(of index: Int, _ devices: [UInt64]) throws -> [ContactRun] {
    if let own = try ownRuns(devices[index]) { return own }
    let columns = try runs()
    return columns.range(index).map { run in
      let kind = columns.kind(run)
      return ContactRun(
        key: ContactRun.key(channel: kind.channel, claim: kind.claim, release: kind.release),
        start: Timestamp(rawValue: columns.starts[run]), end: Timestamp(rawValue: columns.ends[run]))
    }
  }
}

extension ArraySlice<DeviceFact> {
  /// Those about one device, where all are in order of device.
  fileprivate func about(_ device: UInt64) -> ArraySlice {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].device >= device { high = middle } else { low = middle + 1 }
    }
    return self[low...].prefix { $0.device == device }
  }
}
