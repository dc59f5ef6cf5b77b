import Foundation
import Ingest
import Lifecycle
import Statistics
import Store
import Testing

@testable import Query

/// The rules for single devices, one hand-made device per case; `why` in edge.expected.json says what each is about.
@Suite struct EdgeCaseTests {
  struct Row: Decodable, Hashable, Comparable, CustomStringConvertible {
    var device: String
    var channel: String
    var entry_s: Int
    var exit_s: Int
    var cause: Int
    var description: String { "\(device) \(channel) \(entry_s)…\(exit_s) cause \(cause)" }
    static func < (left: Row, right: Row) -> Bool { (left.device, left.channel) < (right.device, right.channel) }
  }
  struct Expected: Decodable {
    var own_speed: [Row]
    var release_age_speed: [Row]
    var own_patched: [Row]
    var own_as_happened: [Row]
    var own_speed_last_seen: [Row]
    var excluded_from_ttu: [String: String]
    var counters: [String: Int]
  }
  let expected: Expected
  let fleet: Fleet
  let releases: ReferenceReleases

  init() throws {
    expected = try JSONDecoder().decode(Expected.self, from: reference("edge.expected.json"))
    releases = try ReferenceReleases("edge.releases.json")
    fleet = try Fleet()
    try fleet.publish(releases.publications)
    try fleet.load(try lines(), fold: true)
  }

  /// The events, each with its device's rollout bucket where the fixture knows one.
  private func lines() throws -> String {
    try referenceText("edge.events.ndjson").split(separator: "\n").map { line in
      let bucket = releases.buckets?.first { line.contains("\"device\":\"\($0.key)\"") }?.value
      return bucket.map { "{\"bucket\":\($0)," + line.dropFirst() } ?? String(line)
    }.joined(separator: "\n")
  }

  private func found(_ change: (inout Selection) -> Void) throws -> (
    rows: [Row], excluded: [String: String], remarks: [Remark: Int]
  ) {
    let chosen = try fleet.chosen("2.0.0", now: try Timestamp(rfc3339: releases.cutoff), change)
    let snapshot = try Snapshot(path: fleet.path)
    let names = try names()
    var (rows, excluded, remarks): ([Row], [String: String], [Remark: Int]) = ([], [:], [:])
    let until = chosen.selection.now
    try snapshot.eachDevice(app: "com.example.demo", releases: Set(chosen.timeline.releases.map(\.id)), until: until) {
      view in
      let device = names[view.device] ?? "?"
      if view.history.hasFuture { remarks[.future, default: 0] += 1 }
      for spell in view.history.spells {
        let place = Group(channel: snapshot.vocabulary.name(spell.channel), platform: view.history.platform)
        guard let rules = AtRiskRules(chosen.selection, until, chosen.timeline, chosen.target.id, place) else {
          continue
        }
        let evidence = AtRiskRules.Evidence(
          history: view.history, spell: spell, journey: view.journey(chosen.target.id, spell.channel),
          newerJourneys: view.journeys.filter { rules.newer.contains($0.release) && $0.channel == spell.channel })
        guard let judged = rules.judge(evidence) else { continue }
        for remark in judged.remarks { remarks[remark, default: 0] += 1 }
        if let exclusion = judged.exclusion { excluded[device] = exclusion.rawValue }
        rows += judged.intervals.map { Row(device, place.channel ?? "", $0) }
      }
    }
    return (rows.sorted(), excluded, remarks)
  }

  private func names() throws -> [UInt64: String] {
    let keys = try EventLog(path: fleet.path).identityKeys
    let devices = (1...24).map { $0 < 10 ? "e0\($0)" : "e\($0)" }
    return Dictionary(uniqueKeysWithValues: devices.map { (keys.device(app: "com.example.demo", id: $0).rawValue, $0) })
  }

  /// What these tests judge by objects, questions judge by columns.
  @Test func questionsSayTheSame() throws {
    let snapshot = try Snapshot(path: fleet.path)
    let changes: [(inout Selection) -> Void] = [
      { _ in }, { $0.clock = .releaseAge }, { $0.estimand = .patched }, { $0.estimand = .asHappened },
      { $0.censor = .lastSeen }, { $0.attribution = .applied }, { $0.reachWindow = .days(2) },
    ]
    for change in changes {
      let chosen = try fleet.chosen("2.0.0", now: try Timestamp(rfc3339: releases.cutoff), change)
      let (selection, timeline) = (chosen.selection, chosen.timeline)
      let counted = try RiskCounting(snapshot.vocabulary, chosen, [chosen.target], []).tables(snapshot)[0]
      #expect(counted.cells.values.contains { $0.devices > 0 })
      #expect(
        try SpelledRisk.counted(counted)
          == SpelledRisk.walked(snapshot, selection, timeline, chosen.target, []))
    }
  }

  @Test func speedOnTheOwnClock() throws {
    let found = try found { _ in }
    #expect(found.rows == expected.own_speed.sorted())
    #expect(found.excluded == expected.excluded_from_ttu)
    #expect(found.remarks[.skewClamped] == expected.counters["skew_clamped"])
    #expect(found.remarks[.future] == expected.counters["future"])
  }
  @Test func speedOnTheReleasesClock() throws {
    #expect(try found { $0.clock = .releaseAge }.rows == expected.release_age_speed.sorted())
  }
  @Test func patched() throws { #expect(try found { $0.estimand = .patched }.rows == expected.own_patched.sorted()) }
  @Test func asHappened() throws {
    #expect(try found { $0.estimand = .asHappened }.rows == expected.own_as_happened.sorted())
  }
  @Test func censoredWhenLastSeen() throws {
    #expect(try found { $0.censor = .lastSeen }.rows == expected.own_speed_last_seen.sorted())
  }
  @Test func creditedToTheLaunch() throws {
    let rows = try found { $0.attribution = .applied }.rows
    var wanted = expected.own_speed.sorted()
    for index in wanted.indices where wanted[index].device == "e19" { wanted[index].cause = 3 }
    #expect(rows == wanted)
  }
}

extension EdgeCaseTests.Row {
  init(_ device: String, _ channel: String, _ interval: Interval) {
    let cause: Int =
      switch interval.ending {
      case .event(let cause): Int(cause.rawValue)
      case .censored: 0
      }
    self.init(device: device, channel: channel, entry_s: Int(interval.entry), exit_s: Int(interval.exit), cause: cause)
  }
}
