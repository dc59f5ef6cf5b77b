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

  /// Every width and up to so many numbers, some absent, against reading one at a time; in place of a longer and of a shorter column.
  @Test(arguments: 1...8) func allNumbersAtOnceAreThoseReadOneByOne(_ width: Int) {
    var dice = Dice(state: UInt64(width))
    let (base, span) = (width < 8 ? -1 << 62 : Int64.min + 1, UInt64.max >> UInt64(64 - 8 * width) - 2)
    var rooms: [[Int64]] = [[], Array(repeating: 7, count: 41)]
    for count in 0...40 {
      let values = (0..<count).map { index -> Int64 in
        if index == 2 || index % 3 == 2 && dice.next() % 2 == 0 { return .max }
        let distance = index < 2 ? UInt64(index) * span : UInt64.random(in: 0...span, using: &dice)
        return base &+ Int64(bitPattern: distance)
      }
      PackedColumn.pack(values).withUnsafeBytes { bytes in
        let column = PackedColumn.Dense(bytes, at: 1)
        #expect(count < 2 || column.width == width)
        #expect((0..<column.count).map { column[$0] } == values)
        for index in rooms.indices {
          PackedColumn.unpack(bytes, into: &rooms[index])
          #expect(rooms[index] == values)
          rooms[index] = index == 0 ? rooms[index] : Array(repeating: 7, count: 41)
        }
      }
    }
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
