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
  /// Empty where they were not asked for.
  public internal(set) var profileTimes: [Int64] = []
  /// `time << 7 | bucket`; empty where they were not asked for.
  var buckets: [Int64] = []

  public static let unclear: Int64 = -1

  public func bucket(_ index: Int) -> UInt8? {
    buckets.isEmpty || buckets[index] == .max ? nil : UInt8(buckets[index] & 127)
  }

  mutating func append(_ outline: Outline) {
    channels.append(outline.channel)
    for span in outline.spans {
      spanStarts.append(span.start.rawValue)
      spanEnds.append(span.end.rawValue)
    }
    spanOffsets.append(spanStarts.count)
    running.append(outline.running)
    switch outline.birth {
    case .none: note(birth: 0, at: .max)
    case .unclear: note(birth: Self.unclear, at: .max)
    case .with(let release, let at): note(birth: release, at: at.rawValue)
    }
  }

  private mutating func note(birth: Int64, at: Int64) {
    births.append(birth)
    birthTimes.append(at)
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
    case channels = 10, spanCounts, spanStarts, spanLengths, births, birthTimes, running
  }

  var packed: [(part: Int64, bytes: [UInt8])] {
    Part.allCases.map { (part: $0.rawValue, bytes: PackedColumn.pack(values($0))) }
  }

  private func values(_ part: Part) -> [Int64] {
    switch part {
    case .channels: channels
    case .spanCounts: zip(spanOffsets, spanOffsets.dropFirst()).map { Int64($1 - $0) }
    case .spanStarts: spanStarts
    case .spanLengths: zip(spanStarts, spanEnds).map { $1 - $0 }
    case .births: births
    case .birthTimes: birthTimes
    case .running: running
    }
  }

  /// - Parameter read: the values of a part; empty where it is not stored.
  init(_ read: (Part) throws(StoreError) -> [Int64]) throws(StoreError) {
    channels = try read(.channels)
    spanOffsets = DeviceShard.offsets(try read(.spanCounts))
    spanStarts = try read(.spanStarts)
    spanEnds = try read(.spanLengths)
    for index in spanEnds.indices { spanEnds[index] += spanStarts[index] }
    births = try read(.births)
    birthTimes = try read(.birthTimes)
    running = try read(.running)
  }
}
