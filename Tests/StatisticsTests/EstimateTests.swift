import Foundation
import Statistics
import Testing

struct EstimateTests {
  @Test func absentNumbersAreWrittenAsNull() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let known = Estimate(0.5, lo: 0.25, hi: 0.75, level: 0.95, method: .wilson)
    let unknown = Estimate(nil, level: 0.95, method: .kaplanMeierQuantile, reason: .notReached)
    #expect(
      String(decoding: try encoder.encode(known), as: UTF8.self)
        == #"{"hi":0.75,"level":0.95,"lo":0.25,"method":"wilson","value":0.5}"#)
    #expect(
      String(decoding: try encoder.encode(unknown), as: UTF8.self)
        == #"{"hi":null,"level":0.95,"lo":null,"method":"kaplanMeierQuantile","reason":"notReached","value":null}"#)
    #expect(try JSONDecoder().decode(Estimate.self, from: encoder.encode(unknown)) == unknown)
  }

  /// Normal limits that leave the range lie inside it, around the value, and those that do not are as they were.
  @Test func limitsStayWhereValuesCanBe() throws {
    for value in [0, 1e-9, 0.1, 0.5, 0.97, 1] {
      for margin in [0.001, 0.2, 1, 40, 1e9] {
        let normal = Estimate(value, lo: value - margin, hi: value + margin, level: 0.95, method: .restrictedMean)
        let kept = normal.kept(within: 0...1)
        let (lo, hi) = (try #require(kept.lo), try #require(kept.hi))
        #expect(0 <= lo && lo <= value && value <= hi && hi <= 1, "\(value) ± \(margin): \(lo) to \(hi)")
        if value - margin >= 0 && value + margin <= 1 { #expect(kept == normal) }
        if value >= 0.1, value < 1, margin <= 0.2 { #expect(lo > 0 && hi < 1, "\(value) ± \(margin)") }
      }
    }
  }
}
