import Testing

@testable import Store

@Suite struct PackedViewTests {
  /// Both forms, every width, nothing at all, and the numbers at the ends of what there is.
  @Test(arguments: 0..<40) func readsWhatUnpackingGives(_ seed: UInt64) {
    var dice = Dice(state: seed)
    let range = Int64(1) << Int64(seed % 62)
    let values = (0..<Int(seed % 7) * 50).map { index -> Int64 in
      switch index % 11 {
      case 0 where seed % 3 == 0: .max
      case 1 where seed % 5 == 0: .min
      case 2 where seed % 5 == 0: .max - 1
      case 3... where seed % 4 == 3: .max
      default: Int64.random(in: -range...range, using: &dice)
      }
    }
    let packed = PackedColumn.pack(values)
    let view = PackedView(packed)
    #expect(view.count == values.count)
    #expect((0..<view.count).map { view[$0] } == values)
    if !values.contains(.max) { #expect(view.greatest == values.max()) }
    let plain = PackedView(values: values)
    #expect((0..<plain.count).map { plain[$0] } == values)
  }

  @Test func whatIsNoColumnHasNoNumbers() {
    let short = Array(PackedColumn.pack([1, 2, 3]).dropLast())
    for bytes in [[], [0], [0, 1, 0, 0, 0], short] { #expect(PackedView(bytes).count == 0) }
  }
}
