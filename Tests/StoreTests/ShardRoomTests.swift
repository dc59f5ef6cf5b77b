import Lifecycle
import Testing

@testable import Store

/// Memory that is used for shard after shard must not show one shard's numbers in the next.
@Suite struct ShardRoomTests {
  private func shard(_ devices: Range<UInt64>, bucket: Int8) -> DeviceShard {
    let facts = devices.map {
      DeviceFact(
        device: $0, at: Timestamp(rawValue: 1000), key: ContactRun.key(channel: 1, claim: .silent, release: 0),
        profile: 1, namedBucket: bucket)
    }
    return DeviceShard().merging(facts[...])
  }

  private func parts(_ shard: DeviceShard) -> PackedParts {
    var parts = PackedParts()
    for (part, bytes) in shard.packed { bytes.withUnsafeBytes { parts.append(part: part, $0) } }
    return parts
  }

  @Test func whatAQuestionDoesNotReadIsNotLeftOverFromAnotherShard() {
    // A shard of which nothing is folded is laid out whole, whatever is asked.
    var outlines = shard(0..<2, bucket: 7).completeOutlines
    #expect(outlines.bucket(1) == 7)
    let isUnpacked = outlines.unpack(parts(shard(10..<15, bucket: 3)), [])
    #expect(isUnpacked)
    #expect(outlines.devices == Array(10..<15))
    #expect((0..<5).allSatisfy { outlines.buckets.isEmpty && outlines.bucket($0) == nil })
    #expect(outlines.profileTimes == Array(repeating: 1000, count: 5))
  }

  @Test func whatItReadsIsTheShardsOwn() {
    var outlines = shard(0..<9, bucket: 7).completeOutlines
    let isUnpacked = outlines.unpack(parts(shard(10..<15, bucket: 3)), .buckets)
    #expect(isUnpacked)
    #expect((0..<5).allSatisfy { outlines.bucket($0) == 3 })
    #expect(outlines.profileTimes == Array(repeating: 1000, count: 5))
    #expect(outlines.spanOffsets == Array(0...5))
  }

  @Test func whatIsMadeUpOfTwoTakesThePlaceOfAnotherShard() {
    var outlines = shard(0..<9, bucket: 7).completeOutlines
    outlines.take(shard(10..<15, bucket: 3).completeOutlines, shard(13..<17, bucket: 5).completeOutlines, .buckets)
    #expect(outlines.devices == Array(10..<17))
    #expect((0..<7).map { outlines.bucket($0) } == [3, 3, 3, 5, 5, 5, 5])
    #expect(outlines.profileOffsets == Array(0...7) && outlines.spanOffsets == Array(0...7))
    #expect(outlines.profileTimes == Array(repeating: 1000, count: 7))
    outlines.take(shard(20..<22, bucket: 3).completeOutlines, shard(20..<21, bucket: 5).completeOutlines, [])
    #expect(outlines.devices == [20, 21] && outlines.bucket(0) == nil)
  }
}
