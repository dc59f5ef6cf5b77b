import Foundation
import Lifecycle
import Testing

@testable import Query
@testable import Store

@Suite struct BreadcrumbTests {
  let now = instant("2024-03-04T18:00:00Z")
  let about = "\"release\":\"2.0.0\""

  private func fleet() throws -> Fleet {
    let fleet = try Fleet()
    try fleet.load(
      [
        line("a", "applied", at: 60, "\"trigger\":\"foreground\"," + about),
        line("a", "check", at: 0, "\"trigger\":\"silentPush\",\"release\":\"1.0.0\""),
        line("a", "failed", at: 5, "\"trigger\":\"silentPush\",\"reason\":\"network\"," + about),
        line("a", "ready", at: 20, "\"trigger\":\"silentPush\"," + about),
        line("b", "check", at: 0), line("sent", "pushSent", at: 0, "\"push\":\"x\""),
      ].joined(separator: "\n"))
    return fleet
  }

  @Test func theTrailOfOneDeviceNewestLast() throws {
    let row = try #require(try fleet().breadcrumbs("a", now).data.first)
    #expect(
      row.crumbs.map(\.text) == [
        "check (runs 1.0.0) by silentPush", "failed 2.0.0 by silentPush: network", "ready 2.0.0 by silentPush",
        "applied 2.0.0 by foreground",
      ])
    #expect(row.crumbs.allSatisfy { !$0.isCondensed })
    #expect(
      row.summary
        == "applied 2.0.0 9 h ago, delivered by silentPush; 2.0.0 failed 9 h ago (network); last heard of 9 h ago")
    #expect(row.update?.secondsFromOffer == 2400)
    #expect(row.platform == "ios")
  }

  @Test func whatIsLeftWhenSingleEventsAreRemoved() throws {
    let fleet = try fleet()
    let before = try #require(try fleet.breadcrumbs("a", now).data.first)
    try removeEvents(fleet)
    let after = try #require(try fleet.breadcrumbs("a", now).data.first)
    #expect(after.summary == before.summary)
    #expect(after.crumbs.map(\.at) == before.crumbs.map(\.at))
    #expect(after.crumbs.map(\.stage) == before.crumbs.map(\.stage))
    #expect(after.crumbs.allSatisfy { $0.isCondensed })
  }

  /// A release that breaks at its first launch says so at the next one, with no `applied` before; another crashed later.
  @Test func whatWasRolledBackOrCrashedFailed() throws {
    let fleet = try fleet()
    try fleet.load(
      [
        line("c", "check", at: 0, "\"release\":\"1.0.0\""), line("c", "downloadCompleted", at: 5, about),
        line("c", "rolledBack", at: 60, about), line("d", "failed", at: 5, about), line("d", "applied", at: 30, about),
        line("d", "crashed", at: 90, about + ",\"reason\":\"SIGSEGV\""),
      ].joined(separator: "\n"))
    let back = try #require(try fleet.breadcrumbs("c", now).data.first)
    #expect(back.failure?.stage == .rolledBack && back.failure?.release == "2.0.0" && back.failure?.reason == nil)
    #expect(back.summary == "no update applied; 2.0.0 was rolled back 9 h ago; last heard of 9 h ago")
    let crashed = try #require(try fleet.breadcrumbs("d", now).data.first)
    #expect(crashed.failure?.stage == .crashed && crashed.failure?.reason == "SIGSEGV")
    #expect(crashed.summary == "applied 2.0.0 9 h ago; 2.0.0 crashed 8 h ago (SIGSEGV); last heard of 8 h ago")
    try removeEvents(fleet)
    #expect(try #require(try fleet.breadcrumbs("d", now).data.first).failure?.reason == nil)
  }

  /// After a rollback, said or not, the device runs what its claims name, and how that came is told.
  @Test func whatItRunsIsNotAlwaysTheLastUpdate() throws {
    let fleet = try fleet()
    let older = #""release":"1.0.0""#
    try fleet.load(
      [
        line("back", "ready", at: -60, "\"trigger\":\"silentPush\"," + older), line("back", "applied", at: -30, older),
        line("back", "applied", at: 30, about), line("back", "crashed", at: 31, about),
        line("back", "rolledBack", at: 32, about), line("silent", "check", at: 0, older),
        line("silent", "applied", at: 30, about), line("silent", "check", at: 90, older),
        line("fresh", "check", at: 0, older), line("mute", "downloadStarted", at: 0, about),
      ].joined(separator: "\n"))
    let back = try #require(try fleet.breadcrumbs("back", now).data.first)
    #expect(back.update?.release == "2.0.0" && back.running?.release == "1.0.0")
    #expect(back.running?.mechanism == "silentPush" && back.running?.at == instant("2024-03-04T07:30:00Z"))
    #expect(back.summary.hasPrefix("applied 2.0.0 9 h ago; runs 1.0.0; 2.0.0 was rolled back"), "\(back.summary)")
    let silent = try #require(try fleet.breadcrumbs("silent", now).data.first)
    #expect(silent.running?.release == "1.0.0" && silent.running?.at == nil && silent.running?.mechanism == nil)
    let fresh = try #require(try fleet.breadcrumbs("fresh", now).data.first)
    #expect(fresh.update == nil && fresh.running?.release == "1.0.0")
    #expect(try fleet.breadcrumbs("mute", now).data.first?.running == nil)
    #expect(try fleet.breadcrumbs("a", now).data.first?.running?.secondsFromOffer == 2400)
  }

  @Test func devicesThatSaidLittle() throws {
    let fleet = try fleet()
    let unknown = try fleet.breadcrumbs("nobody", now)
    #expect(unknown.data.isEmpty)
    #expect(unknown.warnings.map(\.code) == ["unknown_device"])
    let sent = try #require(try fleet.breadcrumbs("sent", now).data.first)
    #expect(sent.summary == "no update applied; never heard of, only sent pushes")
    #expect(sent.crumbs.map(\.stage) == ["pushSent"])
  }

  @Test func anEmulatorIsSaidToBeLeftOut() throws {
    let fleet = try fleet()
    try fleet.load(line("em", "check", at: 0, about + #","emulator":true"#))
    #expect(try fleet.breadcrumbs("em", now).warnings.map(\.code) == ["emulator"])
    #expect(try fleet.breadcrumbs("sent", now).warnings.isEmpty)
  }

  /// It was heard of, though by its own clock that is yet to come.
  @Test func aClockThatIsFastIsSaid() throws {
    let fleet = try fleet()
    try fleet.load([line("fast", "applied", at: 720, about), line("b", "check", at: 4320)].joined(separator: "\n"))
    let fast = try fleet.breadcrumbs("fast", now)
    #expect(fast.data.map(\.summary) == ["no update applied; heard of only ahead of now"])
    #expect(fast.data.first?.crumbs.isEmpty == true)
    let warning = try #require(fast.warnings.first)
    #expect(warning.code == "events_ahead" && warning.message.contains("2024-03-04T20:00:00"))
    let both = try fleet.breadcrumbs("b", now)
    #expect(both.data.map(\.summary) == ["no update applied; last heard of 10 h ago"])
    #expect(both.warnings.map(\.code) == ["events_ahead"])
    #expect(try fleet.breadcrumbs("fast", instant("2024-03-04T20:00:00Z")).warnings.isEmpty)
  }
}

/// As `uptake retain` does when raw events are old: journeys, devices and wake-ups stay.
func removeEvents(_ fleet: Fleet) throws {
  try Folder(path: fleet.path).foldAll()
  try Connection(path: fleet.path, mode: .write).execute("DELETE FROM event")
}
