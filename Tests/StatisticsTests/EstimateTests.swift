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
}
