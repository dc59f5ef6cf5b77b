import Testing

@testable import Console

/// Numbers as people read them.
struct FormattingTests {
  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000"), (100_000, "100,000"),
  ])
  func groups(_ count: Int, _ words: String) { #expect(grouped(count) == words) }

  @Test(arguments: [
    (1.005, 2, "1.01"), (2.5, 0, "3"), (-0.04, 1, "0.0"), (0.05, 1, "0.1"), (-12.34, 1, "-12.3"), (0, 3, "0.000"),
    (99.95, 1, "100.0"), (.nan, 1, "—"), (0.007, 2, "0.01"),
  ]) func rounds(_ value: Double, _ digits: Int, _ words: String) { #expect(decimal(value, digits) == words) }

  @Test(arguments: [
    (0.459, "45.9%"), (0, "0.0%"), (1, "100.0%"), (0.0001, "<0.1%"), (0.99999, ">99.9%"), (0.0005, "0.1%"),
    (0.9995, ">99.9%"), (0.9994, "99.9%"),
  ]) func showsAShare(_ value: Double, _ words: String) {
    #expect(share(value) == words)
  }

  @Test(arguments: [(0.068, "+6.8 pp"), (-0.021, "−2.1 pp"), (0.0001, "0.0 pp")])
  func showsADifference(_ value: Double, _ words: String) { #expect(points(value) == words) }

  @Test(arguments: [
    (0.48, "480ms"), (12.34, "12.3s"), (2160, "36m"), (97_920, "27.2h"), (604_800, "7.0d"), (0, "0.0s"),
    (0.9996, "1.0s"),
    (59.94, "59.9s"), (59.96, "60s"), (97, "97s"), (179.4, "179s"), (179.6, "3.0m"), (569, "9.5m"), (599, "10m"),
    (3599, "1.0h"), (259_199, "3.0d"), (86_400, "24.0h"), (-7200, "−2.0h"), (-97, "−97s"), (.infinity, "—"),
  ]) func showsADuration(_ seconds: Double, _ words: String) { #expect(duration(seconds: seconds) == words) }

  /// From a second on, two lengths that differ by a tenth never look the same.
  @Test(arguments: 1...2_000_000 / 997) func tellsLengthsApart(_ step: Int) {
    let seconds = Double(step * 997) / 4
    #expect(duration(seconds: seconds) != duration(seconds: seconds * 1.1))
    #expect(duration(seconds: Double(step)) != duration(seconds: Double(step) * 1.1))
  }

  @Test func givesLimitsInTheUnitOfTheValue() {
    let unit = Cell.Unit.duration
    #expect(unit.words(97) + " " + unit.words(.init(92, 102), beside: 97, .unicode) == "97s (92–102)")
    #expect(unit.words(252) + " " + unit.words(.init(240, 660), beside: 252, .unicode) == "4.2m (4.0–11.0)")
  }
}

@Suite struct DurationDifferenceTests {
  static let rows: [(seconds: Double, lo: Double, hi: Double, words: String)] = [
    (-126, -1584, 1332, "−2.1m (−26.4 to +22.2)"), (2580, -2160, 7320, "+43.0m (−36.0 to +122.0)"),
    (1200, 300, 2400, "+20.0m (+5.0 to +40.0)"), (0, -60, 60, "0.0m (−1.0 to +1.0)"),
  ]

  /// One unit in a column, and a sign on both limits.
  @Test(arguments: rows) func isSigned(_ row: (seconds: Double, lo: Double, hi: Double, words: String)) {
    let cell = Cell.quantity(row.seconds, .init(row.lo, row.hi), .durationDifference(inUnitOf: 2580))
    let words = cell.words(.unicode)
    #expect(words.value + " " + words.interval == row.words)
  }

  /// `57.0s (57.0–42260.0)` and `2.2h (0.0–8.0)` stood there.
  @Test(arguments: [
    (57, 57, 42_260, "(57.0s–11.7h)"), (7920, 57, 28_800, "(57.0s–8.0h)"), (115_560, 103_320, 130_680, "(28.7–36.3)"),
    (7920, 0, 28_800, "(0.0–8.0)"),
  ]) func aLimitFarFromTheValueHasItsOwnUnit(_ value: Double, _ low: Double, _ high: Double, _ words: String) {
    #expect(Cell.duration(seconds: value, .init(low, high)).words(.unicode).interval == words)
  }
}
