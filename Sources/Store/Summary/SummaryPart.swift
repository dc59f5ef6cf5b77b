/// One column of a summary. What its number means is the question's to say.
public struct SummaryPart: Sendable {
  /// 0 where it is about no release.
  public var release: Int64
  public var channel: String
  /// Empty where nobody said.
  public var platform: String
  public var number: Int64
  public let packed: [UInt8]

  /// Unpacked whenever asked for: a column takes ten times the room that its bytes do.
  public var values: [Int64] { packed.withUnsafeBytes(PackedColumn.unpack) }

  /// The numbers at some places up to the first one that is not asked for; hardly more is unpacked.
  public func leading(_ places: Range<Int>, where isWanted: (Int64) -> Bool) -> [Int64] {
    packed.withUnsafeBytes { PackedColumn.leading($0, places, where: isWanted) }
  }

  public init(release: Int64, channel: String, platform: String, number: Int64, values: [Int64]) {
    self.init(release, channel, platform, number, packed: PackedColumn.pack(values))
  }

  init(_ release: Int64, _ channel: String, _ platform: String, _ number: Int64, packed: [UInt8]) {
    self.release = release
    self.channel = channel
    self.platform = platform
    self.number = number
    self.packed = packed
  }

  /// nil where the bytes are no packed column.
  public init?(release: Int64, channel: String, platform: String, number: Int64, packed: [UInt8]) {
    guard packed.withUnsafeBytes(PackedColumn.count) != nil else { return nil }
    self.init(release, channel, platform, number, packed: packed)
  }
}
