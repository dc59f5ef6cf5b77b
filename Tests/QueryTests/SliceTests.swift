import Foundation
import Lifecycle
import Store
import Testing

@testable import Query

/// Pushes and wake-ups by versions of the system and of the client, as devices named them at the time.
@Suite struct SliceTests {
  private static let trigger = "\"trigger\":\"silentPush\",\"push\":"

  private func fleet() throws -> Fleet {
    let fleet = try Fleet()
    try fleet.load(
      [
        line("a", "check", at: -10, "\"osVersion\":\"17.0\",\"sdkVersion\":\"1\""),
        line("a", "pushSent", at: 0, "\"push\":\"x\""),
        line("a", "wakeStarted", at: 1, Self.trigger + "\"x\""),
        // It moves to a newer system: later pushes belong to that.
        line("a", "check", at: 1000, "\"osVersion\":\"18.0\",\"sdkVersion\":\"1\""),
        line("a", "pushSent", at: 2000, "\"push\":\"y\""),
        line("b", "check", at: -10, "\"osVersion\":\"18.0\",\"sdkVersion\":\"2\""),
        line("b", "pushSent", at: 0, "\"push\":\"z\""),
        line("b", "wakeStarted", at: 3, Self.trigger + "\"z\""),
        line("c", "pushSent", at: 0, "\"push\":\"w\""),
      ].joined(separator: "\n"))
    return fleet
  }

  @Test(arguments: [
    ([Push.Grouping.slice(.osVersion)], ["17.0: 1", "18.0: 2", "unknown: 1"]),
    ([.slice(.sdkVersion)], ["1: 2", "2: 1", "unknown: 1"]),
    ([.slice(.osVersion), .slice(.sdkVersion)], ["17.0 1: 1", "18.0 1: 1", "18.0 2: 1", "unknown unknown: 1"]),
  ]) func splitsPushes(_ by: [Push.Grouping], _ says: [String]) throws {
    var options = Push.Options()
    options.by = by
    let rows = try fleet().pushes(instant("2024-03-07T08:00:00Z"), { _ in }, options).data
    let found = rows.map { row in "\(by.map { row.group.parts[$0.rawValue] ?? "" }.joined(separator: " ")): \(row.sent)"
    }
    #expect(found.sorted() == says.map { $0.replacing("unknown", with: Group.unnamed) }.sorted())
  }

  /// Work in the background belongs to the network that it ran on, not to all that the device ever was on.
  @Test func splitsWakeUpsByTheirOwnNetwork() throws {
    let fleet = try Fleet()
    let said = [",\"network\":\"wifi\"", ",\"network\":\"cellular\"", ""]
    let lines = said.enumerated().map { hour, network in
      line("a", "wakeStarted", at: 60 * Double(hour), "\"trigger\":\"bgRefresh\"" + network)
    }
    try fleet.load(lines.joined(separator: "\n"))
    let rows = try fleet.wakeUps(instant("2024-03-07T08:00:00Z"), by: [.slice(.network)]).data
    // Without a word of its own it is on what the device was on before.
    #expect(
      rows.map { "\($0.group.parts["network"] ?? "") \($0.wakeUps)" } == ["cellular 1", "wifi 1", "wifi+cellular 1"])
  }

  @Test func bucketsAreInTheOrderOfNumbers() throws {
    let fleet = try Fleet()
    try fleet.load(
      [2, 10, 1].map { line("d\($0)", "wakeStarted", at: 0, "\"trigger\":\"bgRefresh\",\"bucket\":\($0)") }
        .joined(separator: "\n"))
    let rows = try fleet.wakeUps(instant("2024-03-07T08:00:00Z"), by: [.slice(.bucket)]).data
    #expect(rows.map { $0.group.parts["bucket"] ?? "" } == ["1", "2", "10"])
  }

  @Test func splitsWakeUps() throws {
    let rows = try fleet().wakeUps(instant("2024-03-07T08:00:00Z"), by: [.slice(.osVersion)]).data
    #expect(rows.map { $0.group.parts["osVersion"] ?? "" } == ["17.0", "18.0", Group.unnamed])
    // Who was only sent pushes has no wake-ups, and hours with pushes.
    #expect(rows.map(\.wakeUps) == [1, 1, 0])
  }
}
