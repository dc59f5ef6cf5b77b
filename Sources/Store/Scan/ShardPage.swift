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
  let source: RunSource

  init(_ reader: ShardReader) { source = RunSource(reader) }

  /// The contact runs of the devices, read when first asked for: most questions need them of no device.
  public func runs() throws -> RunColumns { try source.runs() }

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
  private var columns: RunColumns

  init(_ reader: ShardReader) {
    self.reader = reader
    columns = RunColumns(in: reader.order)
  }

  func begin(_ shard: Int, _ facts: ArraySlice<DeviceFact>?) {
    (self.shard, self.facts, isRead) = (shard, facts, false)
  }

  /// Lets go of the runs, which may lie where the next shard is read into.
  func clear() { (columns, isRead) = (RunColumns(in: reader.order), false) }

  /// Takes the runs from parts that hold them already.
  func take(_ parts: PackedParts) {
    columns.take(parts)
    isRead = true
  }

  func take(_ shard: DeviceShard) {
    columns = RunColumns(shard, reader.order)
    isRead = true
  }

  func runs() throws -> RunColumns {
    if isRead { return columns }
    var parts = PackedParts()
    if let merged = try reader.merged(shard, facts, &parts) { take(merged) } else { take(parts) }
    return columns
  }
}
