import Lifecycle
import Store
import Testing

@testable import Query

/// Nothing comes in any more: answers say so where much was usual, and a release is not called slow for it.
@Suite struct SilentFleetTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var devices: Int
    /// Hours since the last event.
    var silent: Int64
    /// Those heard of on the last two days; nil for all.
    var atTheWeekend: Int?
    var isSaid: Bool
    var of = "in which time some 700"
    var testDescription: String { name }
  }

  @Test(arguments: [
    Row(name: "three hours of 240 devices", devices: 240, silent: 3, isSaid: true),
    Row(name: "nine days of 240 devices", devices: 240, silent: 216, isSaid: true, of: "and in a day some 6,000"),
    Row(name: "a few minutes", devices: 240, silent: 0, isSaid: false),
    Row(name: "three hours of 20 devices", devices: 20, silent: 3, isSaid: false),
    Row(name: "three hours of a weekend", devices: 240, silent: 3, atTheWeekend: 20, isSaid: false),
  ])
  func saysSo(_ row: Row) throws {
    let fleet = try Self.fleet(row.devices, atTheWeekend: row.atTheWeekend)
    let now = Self.end + .hours(row.silent) + .minutes(6)
    let snapshot = try Snapshot(path: fleet.path)
    let chosen = try fleet.chosen("2.0.0", now: now)
    let adoption = try Adoption.answer(snapshot, chosen).warnings.filter { $0.code == Warning.silentFleet }
    #expect(adoption.isEmpty != row.isSaid)
    #expect(
      adoption.allSatisfy {
        $0.message.hasPrefix("no device was heard of since 2024-03-08 00:00 UTC, \(row.of) events are usual")
          && $0.message.contains("always silent at this hour") == row.of.hasPrefix("in which time")
          && $0.message.hasSuffix("ask with --now 2024-03-08T00:00:00Z")
      }, "\(adoption.map(\.message))")
    let verdict = try Verdict.answer(snapshot, try FleetScope(snapshot.vocabulary, app: nil, now: now))
    #expect(verdict.warnings.contains { $0.code == Warning.silentFleet } == row.isSaid)
  }

  /// 2.0.0 came an hour before the end, and few are known to have it.
  @Test func isNotSlow() throws {
    let fleet = try Self.fleet(240)
    let snapshot = try Snapshot(path: fleet.path)
    let extent = try FleetScope(snapshot.vocabulary, app: nil, now: Self.end + .hours(3) + .minutes(6))
    let row = try #require(try Verdict.answer(snapshot, extent).data.first)
    let speed = try #require(row.reasons.first { $0.subject == .speed })
    #expect(row.release == "2.0.0" && row.condition == .unsettled && speed.condition == .unsettled, "\(row.reasons)")
    #expect(speed.sentence.hasPrefix("whether it is slower than 1.0.0 cannot be told: no device was heard of since"))
    #expect(speed.value == nil)
  }

  private static let end = instant("2024-03-08T00:00:00Z")

  /// A check each hour, for four days; 1.0.0 is there half an hour after it came.
  private static func fleet(_ devices: Int, atTheWeekend few: Int? = nil) throws -> Fleet {
    let fleet = try Fleet()
    let start = end - .days(4)
    for (release, at) in [("1.0.0", start + .hours(23)), ("2.0.0", end - .hours(1))] {
      try fleet.publish([
        Publication(
          app: "com.example.demo", release: ReleaseLabel(rawValue: release), channel: "production", publishedAt: at)
      ])
    }
    func line(_ device: Int, _ stage: String, _ release: String, _ at: Timestamp) -> String {
      "{\"device\":\"d\(device)\",\"channel\":\"production\",\"platform\":\"ios\",\"stage\":\"\(stage)\","
        + "\"release\":\"\(release)\",\"trigger\":\"foreground\",\"at\":\"\(at.rfc3339)\",\"received\":\"\(at.rfc3339)\"}"
    }
    for hour in 0...96 {
      let checks = (0..<(hour < 48 ? devices : few ?? devices)).map { device in
        let release = hour == 96 && device < 10 ? "2.0.0" : hour > 23 ? "1.0.0" : "0.9.0"
        return line(device, "check", release, start + .hours(Int64(hour)))
      }
      let half = start + .hours(23) + .minutes(30)
      let applied = (0..<(hour == 23 ? devices : 0)).map { line($0, "applied", "1.0.0", half) }
      let newest = (0..<(hour == 95 ? 10 : 0)).map { line($0, "applied", "2.0.0", end - .minutes(30)) }
      try fleet.load((checks + applied + newest).joined(separator: "\n"), fold: hour == 96)
    }
    return fleet
  }
}
