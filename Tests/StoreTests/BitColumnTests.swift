import Testing

@testable import Store

@Suite struct BitColumnTests {
  /// Of every width, and of lists of nothing.
  @Test(arguments: 0...32) func readsWhatItWrote(_ width: Int) {
    let most = UInt32((UInt64(1) << UInt64(width)) - 1)
    for count in [0, 1, 7, 64, 1001] {
      let numbers = (0..<count).map { UInt32($0 % 3 == 0 ? 0 : (UInt64($0) &* 2_654_435_761) & UInt64(most)) } + [most]
      let bytes = BitColumn.pack(numbers)
      var read: [UInt32] = []
      #expect(BitColumn.unpack(bytes[...], into: &read) && read == numbers)
      #expect(!BitColumn.isWhole(bytes.dropLast()) && !BitColumn.isWhole(bytes[...] + [0]))
    }
  }

  @Test func namesAreThoseThatWereGiven() {
    let values: [String?] = [nil, "b", "a", nil, "", "b"]
    let bytes = NamedColumn.pack(values)
    var numbers = [UInt32](repeating: 9, count: 7)
    NamedColumn(bytes).write(into: &numbers, from: 1) { ["": 5, "a": 1, "b": 2][$0] ?? 0 }
    #expect(NamedColumn.isWhole(bytes) && numbers == [9, 0, 2, 1, 0, 5, 2])
    #expect(!NamedColumn.isWhole(bytes.dropLast()) && !NamedColumn.isWhole([1, 0]))
  }
}
