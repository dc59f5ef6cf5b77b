import Console
import Foundation
import Ingest
import Lifecycle
import Simulate
import Testing

@testable import Answers
@testable import Store

/// Who is left out counts nowhere: answers are those of a fleet that never had these devices.
struct PopulationTests {
  private static let lines: [[String]] = [
    ["releases"], ["verdict"], ["verdict", "2.2.0"], ["adoption", "2.2.0", "--by", "channel"],
    ["time-to-update", "2.1.0", "--by", "mechanism"], ["time-to-update", "2.2.0", "--reach-window", "3d"],
    ["reach", "2.2.0", "--by", "platform"], ["compare", "2.2.0", "2.1.0"], ["mechanisms", "2.2.0"],
    ["failures", "2.2.0"], ["suspects", "2.1.0"], ["forecast", "2.2.0"], ["funnel", "2.2.0"], ["push"],
    ["push", "2.1.0"], ["wakeups"],
    ["channels"], ["devices", "2.2.0", "--older", "1h"], ["diagnose"],
  ]

  @Test(arguments: lines) func countsNowhere(_ words: [String]) throws {
    let fleets = try Self.fleets.get()
    let asked = words + ["--now", Self.end.rfc3339]
    let expected = try answer(asked, fleets.without)
    #expect(try answer(asked, "--without-impossible", fleets.marked) == expected)
    // All others are attested.
    #expect(try answer(asked, "--only-attested", fleets.marked) == expected)
    let all = try answer(asked, fleets.marked)
    #expect(all != expected || words[0] == "forecast" && !all.contains("\"data\""), "nobody was left out: \(all)")
  }

  @Test func theAnswerSaysSo() throws {
    let fleets = try Self.fleets.get()
    let asked = ["reach", "2.2.0", "--now", Self.end.rfc3339]
    let all = try answer(asked, fleets.marked, isWhole: true)
    #expect(!all.contains("withoutImpossible"))
    #expect(all.contains("\"impossible_histories\""), "\(all)")
    #expect(all.contains("more than 2,000 events within a minute"))
    let rest = try answer(asked + ["--without-impossible", "true"], fleets.marked, isWhole: true)
    #expect(rest.contains("\"withoutImpossible\":true") && !rest.contains("impossible_histories"))
    // Where there are none, nothing is warned of.
    #expect(try !answer(asked, fleets.without, isWhole: true).contains("impossible_histories"))
  }

  /// A warehouse does not hold it: that is said, and not passed over.
  @Test func aWarehouseRefuses() throws {
    let remote = try EventsAsRemote(file: Self.fleets.get().marked)
    let refusal = #expect(throws: StoreError.self) {
      try ask(["reach", "2.2.0", "--now", Self.end.rfc3339, "--without-impossible", "true"], Snapshot(remote))
    }
    let error = try #require(refusal)
    let failure = try #require(Failure(explaining: error))
    #expect(failure.code == "only_in_files" && failure.message.contains("impossible histories"))
    #expect("\(failure.hints)".contains("--db"))
  }

  /// Of some devices; commands that it names ask about the same ones, and are else alike.
  private func answer(_ words: [String], _ population: String, _ path: String) throws -> String {
    try answer(words + [population, "true"], path).replacing(" \(population)", with: "")
  }

  /// The data, or why there are none.
  private func answer(_ words: [String], _ path: String, isWhole: Bool = false) throws -> String {
    do {
      let text = try ask(words, Snapshot(path: path))
      if isWhole { return text }
      return try #require(JSON(parsing: text)?["data"]).text(.compact)
    } catch let error as StoreError { throw error } catch {
      return try #require(Failure(explaining: error)).message
    }
  }

  // MARK: two fleets

  private struct Fleets {
    /// Every fifth device is set aside.
    var marked: String
    /// These devices are forgotten.
    var without: String
  }
  private static let end = parsed.until
  private static let parsed = (try? Scenario(parsing: scenario, file: "scenario")) ?? Scenario()

  private static let fleets = Result { () throws -> Fleets in
    // The same keys hash the same devices.
    let marked = try file("marked")
    let fleets = Fleets(marked: marked, without: marked + ".without")
    try EventLog(path: marked).shrink()
    try FileManager.default.copyItem(atPath: fleets.marked, toPath: fleets.without)
    let devices = try Trails.devices(Connection(path: fleets.marked, mode: .read))
    let gone = devices.filter { $0 % 5 == 0 }
    try #require(gone.count > 10)
    let connection = try Connection(path: fleets.marked, mode: .write)
    let app = try connection.integer("SELECT id FROM name WHERE text = 'com.example.shop'")
    for device in gone {
      try connection.prepare("INSERT INTO impossible VALUES (?, ?, 1, 2001)")
        .run(.integer(Int64(bitPattern: device)), .integer(app))
    }
    let log = try EventLog(path: fleets.marked)
    let generation = try log.generation()
    try log.attest(
      devices.subtracting(gone).map {
        AttestedDevice(device: DeviceHash(rawValue: $0), app: SimulatedFleet.app, at: end, generation: generation)
      })
    // Who was forgotten since its token came stays forgotten.
    try log.attest(
      gone.map {
        AttestedDevice(device: DeviceHash(rawValue: $0), app: SimulatedFleet.app, at: end, generation: generation - 1)
      })
    _ = try EventLog(path: fleets.without).forget(gone.map { DeviceHash(rawValue: $0) }, now: end)
    // What is kept of all devices together is theirs, too.
    for path in [fleets.marked, fleets.without] {
      try Connection(path: path, mode: .write).execute("DELETE FROM lag; DELETE FROM sighting")
    }
    return fleets
  }

  private static let scenario = """
    name some-are-left-out
    about A fleet of which some are left out.
    days 12
    devices 150
    base 1.0.0
    channel production 80%
    channel beta 20%
    switches 30%
    release 2.1.0
      crashes-on 60% of android
      publish production at 1d10h rollout 60%@0h,100%@4h
      publish beta at 1d9h
      push production at 1d16h
    release 2.2.0
      size 300KB
      publish production at 5d10h
      publish beta at 5d9h
      push production at 5d16h
    """

  /// How late events come is known of all devices together: with keys made by chance, now and then those that are left out would change it.
  private static func fixKeys(_ path: String) throws {
    _ = try EventLog(path: path)
    try Connection(path: path, mode: .write).prepare("UPDATE meta SET value = ? WHERE key = 'identity_keys'")
      .run(.blob((0..<32).map { UInt8($0) }))
  }

  /// Half of the events are folded.
  private static func file(_ name: String) throws -> String {
    let folder = NSTemporaryDirectory() + "uptake-population-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/\(name).db"
    try fixKeys(path)
    let scenario = parsed
    var events: [[UInt8]] = []
    _ = Fleet(scenario, seed: 3, slice: .days(2), stampsTransport: true).run { events.append(Array($0.body)) }
    let log = try EventLog(path: path)
    for (index, half) in [events.prefix(events.count / 2), events.dropFirst(events.count / 2)].enumerated() {
      let decoded = NativeDecoder(keys: log.identityKeys).decode(
        Array(half.joined()).span.bytes, as: .ndjson, .file(app: SimulatedFleet.app, now: scenario.until))
      _ = try log.append([decoded.batch])
      if index == 0 { try log.foldAll() }
    }
    let registry = try Registry(path: path)
    for release in scenario.releases {
      for plan in release.publications {
        let at = scenario.start + plan.at
        try registry.publish(
          Publication(
            app: SimulatedFleet.app, release: ReleaseLabel(rawValue: release.label), channel: plan.channel,
            platform: nil, publishedAt: at,
            rollout: plan.rollout.map { RolloutStep(at: at + $0.after, percent: $0.percent) },
            mandatory: plan.mandatory), now: at)
      }
    }
    return path
  }
}
