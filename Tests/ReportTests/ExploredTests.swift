import Testing

@testable import Report

@Suite struct ExploredTests {
  static let rows: [(hours: Int64, ages: Int)] = [(0, 5), (12, 15), (168, 38), (24 * 365, 81)]

  /// The usual ages are always among them; they ascend, and none is asked about twice.
  @Test(arguments: rows) func agesGoAsFarAsReleases(_ row: (hours: Int64, ages: Int)) {
    let ages = Explored.ages(upTo: row.hours * 3600)
    #expect(ages == Set(ages).sorted() && ages.count == row.ages)
    #expect(Explored.usual.allSatisfy(ages.contains))
    #expect(ages.allSatisfy { $0 <= row.hours * 3600 || Explored.usual.contains($0) })
  }
}
