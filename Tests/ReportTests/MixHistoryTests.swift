import Lifecycle
import Testing

@testable import Query
@testable import Report

@Suite struct MixHistoryTests {
  private static func point(_ hour: Int64) -> Reach.Past {
    Reach.Past(at: Timestamp(rawValue: hour * 3_600_000), reachable: 9, running: [], runningWithheld: 0)
  }
  private func hours(_ publications: [Int64]) -> [Int64] {
    let drawn = [0, 6, 12].map(Self.point).held(until: publications.map { Timestamp(rawValue: $0 * 3_600_000) })
    return drawn.flatMap { [$0.at.rawValue / 3_600_000, $0.point.at.rawValue / 3_600_000] }
  }

  /// What was so at the instant before a publication is drawn up to the publication.
  @Test func nothingChangesBeforeAPublication() {
    #expect(hours([]) == [0, 0, 6, 6, 12, 12])
    #expect(hours([-4, 6, 8, 11, 30]) == [0, 0, 6, 6, 8, 6, 11, 6, 12, 12])
  }

  static let spans: [(hours: Double, labels: [String])] = [
    (30, ["06-23 12:00", "06-23 18:00", "06-24 00:00", "06-24 06:00", "06-24 12:00"]),
    (4, ["06-23 11:00", "06-23 12:00", "06-23 13:00", "06-23 14:00"]),
    (7 * 24, ["06-24", "06-25", "06-26", "06-27", "06-28", "06-29", "06-30"]),
  ]

  /// From 2025-06-23 10:30 on.
  @Test(arguments: spans) func ticksNameTheTimeOfDay(_ row: (hours: Double, labels: [String])) {
    let ticks = Ticks.dates(from: Timestamp(rawValue: 1_750_674_600_000), span: row.hours * 3600)
    #expect(ticks.map(\.label) == row.labels)
  }
}
