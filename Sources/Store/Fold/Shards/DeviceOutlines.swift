public import Lifecycle

/// The outlines of a shard's devices as columns, in order of the device hash.
public struct DeviceOutlines: Sendable {
  /// Contacts with less silence between them are one span: no reach window that is at least as long tells them apart.
  public static let longestSilence = Milliseconds.days(7)

  public internal(set) var devices: [UInt64] = []
  /// Numbers of `name`; 0 where a device has no outline, and its runs must be read.
  public internal(set) var channels: [Int64] = []
  /// Where each device's spans begin; one more at the end.
  public internal(set) var spanOffsets: [Int] = [0]
  public internal(set) var spanStarts: [Int64] = []
  public internal(set) var spanEnds: [Int64] = []
  /// The release a device was born with, 0 for none, `unclear` where its runs must be read.
  public internal(set) var births: [Int64] = []
  public internal(set) var birthTimes: [Int64] = []
  public internal(set) var running: [Int64] = []
  public internal(set) var profileOffsets: [Int] = [0]
  public internal(set) var profiles: [Int64] = []
  public internal(set) var profileTimes: [Int64] = []
  /// `time << 7 | bucket`; empty where they were not asked for.
  var buckets: [Int64] = []

  public static let unclear: Int64 = -1

  init() {}

  /// nil where the device had not named one by an instant.
  public func bucket(_ index: Int, until instant: Int64 = .max) -> UInt8? {
    buckets.isEmpty || buckets[index] == .max || buckets[index] >> 7 > instant ? nil : UInt8(buckets[index] & 127)
  }

  /// - Parameter runs: of one device, in order of key and start.
  mutating func append(_ runs: ArraySlice<ContactRun>) {
    let outline = Outline(runs)
    channels.append(outline.channel)
    if outline.channel != 0 {
      if runs.count == 1 { add(runs) } else { add(runs.sorted { $0.start < $1.start }[...]) }
    }
    spanOffsets.append(spanStarts.count)
    running.append(outline.running)
    switch outline.birth {
    case .none: note(birth: 0, at: .max)
    case .unclear: note(birth: Self.unclear, at: .max)
    case .with(let release, let at): note(birth: release, at: at.rawValue)
    }
  }

  /// - Parameter runs: in order of start.
  private mutating func add(_ runs: ArraySlice<ContactRun>) {
    let first = spanStarts.count
    for run in runs {
      let last = spanEnds.count - 1
      if last >= first, run.start - Timestamp(rawValue: spanEnds[last]) < Self.longestSilence {
        spanEnds[last] = max(spanEnds[last], run.end.rawValue)
      } else {
        spanStarts.append(run.start.rawValue)
        spanEnds.append(run.end.rawValue)
      }
    }
  }

  private mutating func note(birth: Int64, at: Int64) {
    births.append(birth)
    birthTimes.append(at)
  }

  /// Made up of two others, without their hashes, profiles and buckets.
  init(_ old: DeviceOutlines, _ new: DeviceOutlines, _ splice: Splice) { take(old, new, splice) }

  /// The same in place of what it held, whose memory is used again.
  mutating func take(_ old: DeviceOutlines, _ new: DeviceOutlines, _ splice: Splice) {
    splice.column(old.channels, new.channels, into: &channels)
    splice.offsets(old.spanOffsets, new.spanOffsets, into: &spanOffsets)
    splice.lists(old.spanStarts, at: old.spanOffsets, new.spanStarts, at: new.spanOffsets, into: &spanStarts)
    splice.lists(old.spanEnds, at: old.spanOffsets, new.spanEnds, at: new.spanOffsets, into: &spanEnds)
    splice.column(old.births, new.births, into: &births)
    splice.column(old.birthTimes, new.birthTimes, into: &birthTimes)
    splice.column(old.running, new.running, into: &running)
  }

  /// Takes over devices of another shard, without their hashes, profiles and buckets.
  mutating func append(_ other: DeviceOutlines, _ range: Range<Int>) {
    channels += other.channels[range]
    let spans = other.spanOffsets[range.lowerBound]..<other.spanOffsets[range.upperBound]
    spanStarts += other.spanStarts[spans]
    spanEnds += other.spanEnds[spans]
    spanOffsets.append(other.spanOffsets, range)
    births += other.births[range]
    birthTimes += other.birthTimes[range]
    running += other.running[range]
  }
}

/// Their parts in the `device` table. Hashes, profiles and buckets are those of the shard itself.
extension DeviceOutlines {
  enum Part: Int64, CaseIterable {
    case channels = 10, spanCounts, spanStarts, spanLengths, births, birthTimes
    case running = 17
  }

  /// Held what a device runs while a release that was rolled back could count as such; goes with the next fold of a shard. A
  /// shard without `Part.running` is read as if it had no outlines: they are made from its runs.
  static let formerRunning: Int64 = 16

  /// The end of each device's last span, for who asks for no more; absent where it has none. Shards that were last written before
  /// version 9 have no such part.
  static let lastContacts: Int64 = 18

  var packed: [(part: Int64, bytes: [UInt8])] {
    Part.allCases.map { (part: $0.rawValue, bytes: packed($0)) }
      + [
        (
          part: Self.lastContacts,
          bytes: PackedColumn.pack(channels.indices.map { lastContact($0) ?? PackedColumn.absent })
        )
      ]
  }

  /// nil where a device has no outline.
  public func lastContact(_ index: Int) -> Int64? {
    let end = spanOffsets[index + 1]
    return spanOffsets[index] == end ? nil : spanEnds[end - 1]
  }

  private var spanLengths: [Int64] {
    zip(spanStarts, spanEnds).map { (Timestamp(rawValue: $1) - Timestamp(rawValue: $0)).rawValue }
  }

  private func packed(_ part: Part) -> [UInt8] {
    switch part {
    case .channels: PackedColumn.pack(channels)
    case .spanCounts: PackedColumn.pack(lengthsOf: spanOffsets)
    case .spanStarts: PackedColumn.pack(spanStarts)
    case .spanLengths: PackedColumn.pack(spanLengths)
    case .births: PackedColumn.pack(births)
    case .birthTimes: PackedColumn.pack(birthTimes)
    case .running: PackedColumn.pack(running)
    }
  }

  /// - Parameter read: the values of a part; empty where it is not stored.
  init(_ read: (Part) -> [Int64]) {
    channels = read(.channels)
    spanOffsets = DeviceShard.offsets(read(.spanCounts))
    spanStarts = read(.spanStarts)
    spanEnds = read(.spanLengths)
    for index in spanEnds.indices { spanEnds[index] += spanStarts[index] }
    births = read(.births)
    birthTimes = read(.birthTimes)
    running = read(.running)
  }
}
