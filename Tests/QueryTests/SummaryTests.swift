import Foundation
import Lifecycle
import Statistics
import Store
import Testing

@testable import Query

/// What is summarised must be what the devices say, to the byte, or not be used.
@Suite struct SummaryTests {
  /// Days after the epoch at which fleets are asked: before the newest contact, right behind it, weeks later.
  static let days: [Int64] = [33, 51, 90]

  @Test(arguments: 0..<3) func saysWhatDevicesSay(_ seed: Int) throws {
    var random = RandomFleet(seed: seed)
    let fleet = try random.stored()
    try Folder(path: fleet.path).foldAll()
    let devices = try Snapshot(path: fleet.path)
    try Summary.refresh(path: fleet.path)
    var used = 0
    for day in Self.days {
      used += try compare(fleet, devices, at: RandomFleet.epoch + .days(day) + Milliseconds(rawValue: 1))
    }
    #expect(used >= RandomFleet.releases)
  }

  @Test(arguments: ScenarioTests.files) func saysItOfEveryScenario(_ file: String) throws {
    let folder = try #require(Bundle.module.url(forResource: "Scenarios", withExtension: nil))
    let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    let scenario = try Scenario(text, file: file)
    let fleet = try scenario.fleetTurnedAround()
    try Folder(path: fleet.path).foldAll()
    let devices = try Snapshot(path: fleet.path)
    try Summary.refresh(path: fleet.path)
    let now = scenario.now ?? scenario.epoch + .days(20)
    for instant in [now, now + .days(30)] { _ = try compare(fleet, devices, at: instant) }
  }

  /// A registered publication, an event, a forgotten device: the summary of before is not used.
  @Test func isNotUsedOnceOutdated() throws {
    var random = RandomFleet(seed: 7)
    let fleet = try random.stored()
    try Folder(path: fleet.path).foldAll()
    try Summary.refresh(path: fleet.path)
    let now = RandomFleet.epoch + .days(120)
    #expect(try isUsed(fleet, at: now))
    #expect(try !isUsed(fleet, at: RandomFleet.epoch + .days(20)))
    let label = ReleaseLabel(rawValue: RandomFleet.label(1))
    try fleet.publish([
      Publication(
        app: "com.example.demo", release: label, channel: "production", publishedAt: RandomFleet.epoch + .days(3))
    ])
    #expect(try !isUsed(fleet, at: now))
    try Summary.refresh(path: fleet.path)
    #expect(try isUsed(fleet, at: now))
    try fleet.load(
      #"{"device":"late","stage":"applied","release":"2.1.0","at":"2024-03-20T00:00:00Z"}"# + "\n", fold: false)
    #expect(try !isUsed(fleet, at: now))
    try Folder(path: fleet.path).foldAll()
    #expect(try !isUsed(fleet, at: now))
    try Summary.refresh(path: fleet.path)
    #expect(try isUsed(fleet, at: now))
  }

  /// What is announced for later ends what a summary knows.
  @Test func holdsUntilSomethingBegins() throws {
    var random = RandomFleet(seed: 3)
    let fleet = try random.stored()
    let at = RandomFleet.epoch + .days(80)
    try fleet.publish([
      Publication(
        app: "com.example.demo", release: ReleaseLabel(rawValue: RandomFleet.label(3)), channel: "production",
        publishedAt: at, rollout: [RolloutStep(at: at, percent: 10), RolloutStep(at: at + .days(2), percent: 100)])
    ])
    try Folder(path: fleet.path).foldAll()
    let devices = try Snapshot(path: fleet.path)
    try Summary.refresh(path: fleet.path)
    #expect(try isUsed(fleet, at: at))
    #expect(try !isUsed(fleet, at: at + Milliseconds(rawValue: 1)))
    for instant in [at - .days(1), at, at + .days(1), at + .days(3)] { _ = try compare(fleet, devices, at: instant) }
  }

  private func isUsed(_ fleet: Fleet, at now: Timestamp) throws -> Bool {
    let snapshot = try Snapshot(path: fleet.path)
    let chosen = try ReleaseScope(
      snapshot.vocabulary, app: "com.example.demo", release: ReleaseLabel(rawValue: RandomFleet.label(1)), now: now)
    return try Summary(snapshot, chosen.selection, chosen.timeline) != nil
  }

  /// - Parameter devices: a reading of before there was a summary.
  /// - Returns: how often the summary was used.
  private func compare(_ fleet: Fleet, _ devices: borrowing Snapshot, at now: Timestamp) throws -> Int {
    let summarised = try Snapshot(path: fleet.path)
    var used = 0
    for app in summarised.vocabulary.apps {
      for release in Timeline(summarised.vocabulary, app: app).releases {
        for change in Self.changes {
          var chosen = try ReleaseScope(summarised.vocabulary, app: app, release: release.label, now: now)
          change(&chosen.selection)
          try #require(try Summary(devices, chosen.selection, chosen.timeline) == nil)
          if try Summary(summarised, chosen.selection, chosen.timeline) != nil { used += 1 }
          #expect(
            try bytes(Adoption.answer(summarised, chosen)) == bytes(Adoption.answer(devices, chosen)))
          #expect(
            try bytes(TimeToUpdate.answer(summarised, chosen)) == bytes(TimeToUpdate.answer(devices, chosen)))
        }
      }
      for options in Self.catalogues {
        #expect(
          try bytes(Releases.answer(summarised, app: app, now: now, options))
            == bytes(Releases.answer(devices, app: app, now: now, options)))
      }
    }
    return used
  }

  static let changes: [@Sendable (inout Selection) -> Void] = [
    { $0.by = [.channel, .platform] }, { $0.platforms = ["ios"] },
    { ($0.channels, $0.level, $0.minCell) = (["production"], 0.8, 5) },
  ]

  static var catalogues: [Releases.Options] {
    var (quiet, ios, narrow) = (Releases.Options(), Releases.Options(), Releases.Options())
    quiet.channels = ["production"]
    ios.platforms = ["ios"]
    narrow.reachWindow = .days(7)
    return [Releases.Options(), quiet, ios, narrow]
  }

  private func bytes(_ answer: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(answer), as: UTF8.self)
  }
}
