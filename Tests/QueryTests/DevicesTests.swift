import Foundation
import Lifecycle
import Store
import Testing

@testable import Query

/// Which single devices stand where, in which order, and page by page.
@Suite struct DevicesTests {
  let now = instant("2024-03-07T08:00:00Z")
  private static let about = "\"release\":\"2.0.0\""

  private static func fleet(_ lines: [String]) throws -> Fleet {
    let fleet = try Fleet()
    try fleet.publish(
      [("2.0.0", 0), ("3.0.0", 50)].map { label, minutes in
        Publication(
          app: "com.example.demo", release: ReleaseLabel(rawValue: label), channel: "production",
          publishedAt: instant("2024-03-04T08:00:00Z") + .minutes(minutes))
      })
    try fleet.load(lines.joined(separator: "\n"))
    return fleet
  }

  private static func way(_ device: String, _ stages: [(String, Double)]) -> [String] {
    stages.map { line(device, $0.0, at: $0.1, about) }
  }

  private func asked(_ fleet: Fleet, _ change: (inout Devices.Options) -> Void = { _ in }) throws -> Devices {
    var options = Devices.Options()
    change(&options)
    return try #require(
      try Devices.answer(Snapshot(path: fleet.path), fleet.chosen("2.0.0", now: now), options).data.first)
  }

  private static let lines: [String] =
    way("a", [("available", 0), ("downloadCompleted", 2), ("ready", 10)])
    + way("b", [("available", 0), ("ready", 5)])
    // Applied, so it does not wait.
    + way("c", [("ready", 5), ("applied", 60)])
    // Another release came instead.
    + way("d", [("ready", 5)]) + [line("d", "applied", at: 100, "\"release\":\"3.0.0\"")]
    // Failed after it was ready; failed before, and mended.
    + way("e", [("ready", 5), ("failed", 7)]) + way("f", [("failed", 3), ("ready", 20)])
    // Too recent; rolled back after it was confirmed.
    + way("g", [("ready", 3 * 1440 - 60)]) + way("h", [("applied", 5), ("confirmed", 6), ("rolledBack", 30)])
    // Only said that it runs it, after it was offered: applied.
    + way("i", [("available", 5), ("check", 100)])

  @Test(arguments: [
    (Devices.Stand.ready, 3), (.failed, 1), (.rolledBack, 1), (.applied, 2), (.confirmed, 0), (.available, 0),
    (.downloadCompleted, 0), (.crashed, 0),
  ]) func standsAt(_ stand: Devices.Stand, _ count: Int) throws {
    let row = try asked(try Self.fleet(Self.lines)) { $0.at = stand }
    #expect(row.devices == count && row.list.count == count && row.next == nil, "\(row.list)")
  }

  @Test func theLongestWaitComesFirst() throws {
    let list = try asked(try Self.fleet(Self.lines)).list
    #expect(list.map(\.since) == [5, 10, 20].map { instant("2024-03-04T08:00:00Z") + .minutes($0) })
    #expect(list[0].secondsSince == 3 * 86_400 - 300)
    #expect(list[0].lastContact == list[0].since && list[0].channel == "production")
    #expect(list.allSatisfy { $0.device.count == 16 && $0.trail.hasSuffix($0.device) && $0.trail.contains("--hashed") })
  }

  @Test func ageAndContactDecide() throws {
    let fleet = try Self.fleet(Self.lines + [line("a", "check", at: 3 * 1440 - 120, "\"release\":\"1.0.0\"")])
    #expect(try asked(fleet) { $0.older = .minutes(30) }.devices == 4)
    #expect(try asked(fleet) { $0.older = .days(4) }.devices == 0)
    #expect(try asked(fleet) { $0.seen = .hours(24) }.devices == 1)
  }

  /// Law: pages laid behind one another are the list, for every size; and each knows how many there are in all.
  @Test func pagesMakeUpTheList() throws {
    let many = (0..<60).flatMap { Self.way("device\($0)", [("ready", Double($0 % 7))]) }
    let fleet = try Self.fleet(many)
    let whole = try asked(fleet).list.map(\.device)
    #expect(whole.count == 60 && Set(whole).count == 60)
    for limit in [1, 7, 59, 60, 61] {
      var (pages, after) = ([String](), DevicePosition?.none)
      repeat {
        let page = try asked(fleet) {
          $0.limit = limit
          $0.after = after
        }
        #expect(page.devices == 60 && page.list.count <= limit)
        pages += page.list.map(\.device)
        after = try page.next.map { try #require(DevicePosition($0)) }
      } while after != nil
      #expect(pages == whole, "\(limit)")
    }
  }

  /// A warehouse gives channels other numbers than a file: what a page ends with names them.
  @Test func aPositionNamesTheChannel() throws {
    let fleet = try Self.fleet((0..<3).flatMap { Self.way("device\($0)", [("ready", Double($0))]) })
    let next = try #require(try asked(fleet) { $0.limit = 1 }.next)
    #expect(next.hasSuffix("-production"))
    let odd = try #require(DevicePosition("1741392000000-00f3a1b2c3d4e5f6-beta-2"))
    #expect(odd.text == "1741392000000-00f3a1b2c3d4e5f6-beta-2")
  }

  @Test(arguments: ["", "1", "1-2", "1-2-3", "x-00f3a1b2c3d4e5f6-1", "1-00f3a1b2c3d4e5f6-", "1-00f3a1b2c3d4e5g6-1"])
  func refusesAsAPosition(_ text: String) { #expect(DevicePosition(text) == nil) }
}
