import Lifecycle
import Statistics
import Testing

@testable import Query
@testable import Report

@Suite struct MixHistoryTests {
  private static func at(_ hour: Int64) -> Timestamp { Timestamp(rawValue: hour * 3_600_000) }

  private static func point(_ hour: Int64, _ shares: [String: Double]) -> Reach.Past {
    let running = shares.map { release, share in
      Reach.Running(release: release, devices: 0, share: Estimate(share, level: 0.95, method: .wilson))
    }
    return Reach.Past(at: at(hour), reachable: 9, running: running, runningWithheld: 0)
  }

  /// Each release in per cent, in order of time.
  private func drawn(_ release: String, _ publications: [String: Int64]) -> [Int64: Int] {
    let history: [(Int64, [String: Double])] = [
      (0, ["a": 1]), (6, ["a": 0.5, "b": 0.5]), (12, ["a": 0.2, "b": 0.4, "c": 0.4]),
    ]
    let points = history.map { Self.point($0.0, $0.1) }.drawn(publications.mapValues(Self.at))
    return Dictionary(
      uniqueKeysWithValues: points.map {
        ($0.at.rawValue / 3_600_000, Int((100 * ($0.shares[release] ?? 0)).rounded()))
      })
  }

  /// Nobody runs a release before its publication; the others go on as they did, and all are all.
  @Test func nothingIsRunBeforeItsPublication() {
    #expect(drawn("a", [:]) == [0: 100, 6: 50, 12: 20])
    // Halfway to 12 o'clock a would have 35 and b 45 of the 80 that are not c.
    let publications: [String: Int64] = ["a": -4, "b": 0, "c": 9]
    #expect(drawn("a", publications) == [0: 100, 6: 50, 9: 44, 12: 20])
    #expect(drawn("b", publications) == [0: 0, 6: 50, 9: 56, 12: 40])
    #expect(drawn("c", publications) == [0: 0, 6: 0, 9: 0, 12: 40])
    // One that came a while before grows from its own publication on.
    #expect(drawn("b", ["b": 3, "c": 4]) == [0: 0, 3: 0, 4: 20, 6: 50, 12: 40])
  }

  /// What is not told of stays as much, and who runs a release before its publication goes on.
  @Test func whatIsWithheldStays() throws {
    let points = [Self.point(0, ["a": 0.4, "b": 0.4]), Self.point(6, ["a": 0.4, "b": 0.4])].drawn(["b": Self.at(3)])
    #expect(points.map { $0.shares["b"] } == [0.4, 0.4, 0.4])
    #expect(points.allSatisfy { abs($0.shares.values.reduce(0, +) - 0.8) < 1e-9 })
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
