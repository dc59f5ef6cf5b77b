import Testing

@testable import Store

@Suite struct PackedColumnTests {
  static let columns: [[Int64]] = [
    [], [0], [.max], [.max, .max], [1, 2, 3], [-5, .max, 5], [0, 254], [0, 255], [0, 256], [0, 65534], [0, 65535],
    [.min, 0], [.min, .max - 1], [1_709_540_000_000 << 3, .max, .max, .max, .max], Array(repeating: 7, count: 1000),
    (0..<1000).map { $0 % 10 == 0 ? $0 * $0 * $0 * 97 : .max }, (0..<1000).map { $0 << 33 },
  ]

  @Test(arguments: columns) func comesBackAsItWas(_ column: [Int64]) {
    let bytes = PackedColumn.pack(column)
    #expect(bytes.withUnsafeBytes(PackedColumn.unpack) == column)
  }

  @Test func isSmall() {
    let times = (0..<10_000).map { Int64(1_709_540_000_000 + $0 * 60_000) << 3 | 1 }
    #expect(PackedColumn.pack(times).count < 10_000 * 5 + 20)
    #expect(PackedColumn.pack(times.enumerated().map { $0 % 50 == 0 ? $1 : .max }).count < 10_000 / 50 * 8 + 40)
  }

  /// What was packed is a column; a byte less or more is none.
  @Test(arguments: 0..<30) func aColumnIsToldFromWhatIsNone(_ seed: UInt64) {
    var dice = Dice(state: seed)
    let values = (0..<Int(seed) * 3).map { _ in
      Int.random(in: 0..<10, using: &dice) < Int(seed % 11)
        ? .max : Int64.random(in: 0..<(1 << Int64(seed)), using: &dice)
    }
    let packed = PackedColumn.pack(values)
    #expect(packed.withUnsafeBytes(PackedColumn.count) == values.count)
    #expect((packed + [0]).withUnsafeBytes(PackedColumn.count) == nil)
    for length in packed.indices { #expect(Array(packed[..<length]).withUnsafeBytes(PackedColumn.count) == nil) }
  }
}
