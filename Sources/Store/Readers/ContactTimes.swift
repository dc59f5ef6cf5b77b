public import Lifecycle

/// When the devices of a shard were heard of, run by run: for what an outline cannot tell.
public struct ContactTimes {
  static let parts: Set<Int64> = [
    DeviceShard.Part.runCounts.rawValue, DeviceShard.Part.runStarts.rawValue, DeviceShard.Part.runLengths.rawValue,
  ]
  private let offsets: [Int]
  private let starts: PackedView
  private let lengths: PackedView

  init(_ parts: PackedParts) {
    var offsets: [Int] = []
    parts.read(DeviceShard.Part.runCounts.rawValue) { PackedColumn.unpack(lengths: $0, into: &offsets) }
    self.offsets = offsets
    starts = parts.view(DeviceShard.Part.runStarts.rawValue)
    lengths = parts.view(DeviceShard.Part.runLengths.rawValue)
  }

  public init(_ shard: DeviceShard) {
    offsets = shard.runOffsets
    starts = PackedView(values: shard.runs.map(\.start.rawValue))
    lengths = PackedView(values: shard.runs.map { ($0.end - $0.start).rawValue })
  }

  /// Whether a device was heard of after an instant that lies a day or more before the cut-off.
  ///
  /// Within a run no silence is longer than a day, so a run that goes on past the instant has a contact in that day.
  public func spoke(_ index: Int, after instant: Timestamp, until cutOff: Timestamp) -> Bool {
    for run in offsets[index]..<offsets[index + 1]
    where starts[run] <= cutOff.rawValue && starts[run] + lengths[run] > instant.rawValue { return true }
    return false
  }

  /// A device's newest contact up to the cut-off; nil where there is none.
  public func newest(_ index: Int, until cutOff: Timestamp) -> Timestamp? {
    var newest: Int64?
    for run in offsets[index]..<offsets[index + 1] where starts[run] <= cutOff.rawValue {
      newest = max(newest ?? .min, min(starts[run] + lengths[run], cutOff.rawValue))
    }
    return newest.map(Timestamp.init(rawValue:))
  }
}
