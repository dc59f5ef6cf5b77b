import Testing

@testable import Store

/// Columns of summaries as rows have them.
@Suite struct SqueezedColumnTests {
  @Test(arguments: [0, 1, 500, 5000, 200_000]) func comesBackAsItWas(_ count: Int) {
    var random = SystemRandomNumberGenerator()
    for width in [4, 12, 40] as [Int64] {
      let values = (0..<count).map { Int64($0) / 3 + Int64.random(in: 0..<(1 << width), using: &random) }
      let packed = PackedColumn.pack(values)
      #expect(SqueezedColumn.packed(SqueezedColumn.stored(packed)) == packed)
    }
    #expect(SqueezedColumn.packed(SqueezedColumn.stored([])) == [])
  }

  /// What hardly gets smaller stays as it is, and so does what is small.
  @Test func isSqueezedWhereThatHelps() {
    let (few, many) = (PackedColumn.pack(Array(0..<600)), PackedColumn.pack((0..<100_000).map { $0 / 7 }))
    #expect(SqueezedColumn.stored(few) == few)
    #expect(SqueezedColumn.stored(many).count * 4 < many.count)
    var random = SystemRandomNumberGenerator()
    let noise = PackedColumn.pack((0..<10_000).map { _ in Int64.random(in: 0..<1 << 56, using: &random) })
    #expect(SqueezedColumn.stored(noise) == noise)
  }

  /// Whatever a torn file holds, it is told from a column or is one of the length that it says.
  @Test func aTornOneIsNone() {
    let stored = SqueezedColumn.stored(PackedColumn.pack((0..<100_000).map { $0 / 7 }))
    for length in [1, 5, 6, 20, stored.count / 2, stored.count - 1] {
      #expect(SqueezedColumn.packed(Array(stored.prefix(length))) == nil)
    }
    var longer = stored
    longer[1] &+= 1
    #expect(SqueezedColumn.packed(longer) == nil)
    let length = SqueezedColumn.packed(stored)?.count
    for place in stride(from: 14, to: stored.count, by: 7) {
      var torn = stored
      torn[place] ^= 0x55
      if let packed = SqueezedColumn.packed(torn), packed.count != length { Issue.record("\(place): \(packed.count)") }
    }
    var wide = stored
    for width in [0, 9, 255] as [UInt8] {
      wide[13] = width
      #expect(SqueezedColumn.packed(wide) == nil)
    }
  }
}
