import Foundation
import Lifecycle
import Testing

@testable import Query
@testable import Store

/// Pages of outlines and columns must say what everything that is stored of each device says.
@Suite struct PageTests {
  private static let app = "com.example.demo"

  @Test(arguments: 0..<6) func devicesAreWhatTheirRunsSay(_ seed: Int) throws {
    var random = RandomFleet(seed: seed)
    let fleet = try random.stored()
    let snapshot = try Snapshot(path: fleet.path)
    for day in [1, 6, 19, 33, 49, 90] as [Int64] {
      let cutOff = RandomFleet.epoch + .days(day) + .hours(5)
      #expect(try quick(snapshot, cutOff) == slow(snapshot, cutOff))
    }
  }

  private func quick(_ snapshot: borrowing Snapshot, _ cutOff: Timestamp) throws -> [String] {
    let profiles = ProfileTable(snapshot.vocabulary)
    let pages = try snapshot.scan(
      Need(app: Self.app, .everybody), start: { (newest: NewestContact(until: cutOff), lines: [String]()) }
    ) { state, page in
      try state.newest.note(page)
      for (index, device) in page.devices.devices.enumerated() {
        var spoke: [Bool] = []
        for instant in instants(cutOff) {
          spoke.append(try page.spoke(index, after: instant.rawValue, until: cutOff.rawValue))
        }
        let versions = instants(cutOff).map {
          profiles.versions[profiles.version(page.devices, index, at: $0.rawValue)] ?? "-"
        }
        let platform = profiles.platforms[Int(page.platforms[index])] ?? "-"
        state.lines.append("\(device) \(platform) \(page.emulators[index]) \(versions) \(spoke)")
      }
    }
    let newest = pages.compactMap(\.newest.at).max().map { "\($0.rawValue)" } ?? "never"
    return pages.flatMap(\.lines).sorted() + [newest]
  }

  private func slow(_ snapshot: borrowing Snapshot, _ cutOff: Timestamp) throws -> [String] {
    let names = snapshot.vocabulary.profiles
    var (lines, newest) = ([String](), Timestamp?.none)
    try snapshot.walk(app: Self.app, releases: []) { shard, _ in
      for (index, device) in shard.devices.enumerated() {
        let (profiles, runs) = (DeviceProfiles(shard, index, names), shard.runs(index))
        for run in runs where run.start <= cutOff { newest = max(newest ?? run.start, min(run.end, cutOff)) }
        let spoke = instants(cutOff).map { instant in runs.contains { $0.end > instant && $0.start <= cutOff } }
        let versions = instants(cutOff).map { profiles.property(\.appVersion, at: $0) ?? "-" }
        lines.append("\(device) \(profiles.platform ?? "-") \(profiles.isEmulator) \(versions) \(spoke)")
      }
    }
    #expect(lines.count > 20)
    return lines.sorted() + [newest.map { "\($0.rawValue)" } ?? "never"]
  }

  /// Pushes are asked about when they are a day old or older.
  private func instants(_ cutOff: Timestamp) -> [Timestamp] {
    ([24, 30, 72, 140, 168, 200, 400] as [Int64]).map { cutOff - .hours($0) }
  }

  /// The stages of every device, counted one by one.
  @Test(arguments: 0..<4) func theFunnelIsWhatEachDeviceSays(_ seed: Int) throws {
    var random = RandomFleet(seed: seed)
    let fleet = try random.stored()
    let snapshot = try Snapshot(path: fleet.path)
    var reached = 0
    for release in 0..<RandomFleet.releases {
      for day in [6, 33, 90] as [Int64] {
        let now = RandomFleet.epoch + .days(day)
        var chosen = try ReleaseScope(
          snapshot.vocabulary, app: nil, release: ReleaseLabel(rawValue: RandomFleet.label(release)), now: now)
        chosen.selection.by = [.channel, .platform, .mechanism]
        let answer = try Funnel.answer(snapshot, chosen)
        let expected = try slowFunnel(snapshot, chosen)
        let found = answer.data.map { row in
          Told(
            parts: row.group.parts, reached: row.stages.map(\.reached), movedOn: row.steps.map(\.latency.newerRelease))
        }
        #expect(found.sorted { $0.name < $1.name } == expected.sorted { $0.name < $1.name })
        reached += answer.data.reduce(0) { $0 + $1.devices }
      }
    }
    #expect(reached > 100)
  }

  private struct Told: Equatable {
    var parts: [String: String]
    var reached: [Int]
    var movedOn: [Int]
    var name: String { "\(parts.sorted { $0.key < $1.key })" }
  }

  private func slowFunnel(_ snapshot: borrowing Snapshot, _ chosen: ReleaseScope) throws -> [Told] {
    let cutOff = CutOff(snapshot.vocabulary, app: Self.app, now: chosen.selection.now).at
    let vocabulary = snapshot.vocabulary
    var rows: [[String: String]: Told] = [:]
    try snapshot.eachDevice(app: Self.app, releases: Set(chosen.timeline.releases.map(\.id)), until: cutOff) { view in
      if view.history.isEmulator { return }
      for journey in view.journeys where journey.release == chosen.target.id {
        let (channel, platform) = (vocabulary.name(journey.channel), view.history.platform)
        let newer = chosen.timeline.newer(than: chosen.target.id, channel: channel, platform: platform)
        let later = view.journeys.filter { newer.contains($0.release) && $0.channel == journey.channel }
        guard let way = Way(journey, later, until: cutOff) else { continue }
        let parts = ["channel": channel, "platform": platform ?? Group.unnamed, "mechanism": way.carrier]
        var row =
          rows[parts]
          ?? Told(parts: parts, reached: Array(repeating: 0, count: 7), movedOn: Array(repeating: 0, count: 6))
        for stage in 0..<7 where way.reached(stage) != nil { row.reached[stage] += 1 }
        for step in 0..<6 where way.movedOn(after: step) { row.movedOn[step] += 1 }
        rows[parts] = row
      }
    }
    return rows.values.map { row in
      row.reached[6] > 0
        ? row : Told(parts: row.parts, reached: row.reached.dropLast(), movedOn: row.movedOn.dropLast())
    }
  }
}

/// One device's way through the stages, in plain words.
private struct Way {
  var seen: [Timestamp?]
  var failed: Timestamp?
  var newer: Timestamp?
  var carrier: String

  init?(_ journey: JourneyView, _ later: [JourneyView], until cutOff: Timestamp) {
    func at(_ milestone: Milestone, _ journey: JourneyView) -> Timestamp? {
      let first = journey.first(milestone)
      return first.happened && first.at <= cutOff ? first.at : nil
    }
    seen = FunnelJourney.stages.map { at($0, journey) }
    let claimed = [at(.confirmed, journey), at(.running, journey)].compactMap(\.self).min()
    let ran = Self.ran(at(.applied, journey), claimed)
    if seen[5] == nil, let begun = seen.compactMap(\.self).min(), let running = at(.running, journey), running >= begun
    {
      seen[5] = running
    }
    if seen.allSatisfy({ $0 == nil }) { return nil }
    failed = [at(.failed, journey), at(.rolledBack, journey)].compactMap(\.self).min()
    newer = later.flatMap { [at(.applied, $0), at(.confirmed, $0), at(.running, $0)] }.compactMap(\.self).min()
    let order: [Milestone] = [.ready, .verified, .downloadCompleted, .applied, .downloadStarted, .available]
    let before = order.map(journey.first).first { $0.happened && $0.at <= ran ?? cutOff }
    carrier = (before?.trigger ?? .unknown).rawValue
  }

  /// A claim counts from when it is five minutes before `applied` or earlier: else it was the same launch.
  private static func ran(_ applied: Timestamp?, _ claimed: Timestamp?) -> Timestamp? {
    guard let applied, let claimed else { return applied ?? claimed }
    return claimed >= applied - .minutes(5) ? applied : claimed
  }

  func reached(_ stage: Int) -> Timestamp? { seen[stage...].compactMap(\.self).min() }

  /// A newer release came before the next stage and before any failure.
  func movedOn(after stage: Int) -> Bool {
    guard let entry = seen[stage], let newer, newer >= entry else { return false }
    let isFailedFirst = failed.map { $0 >= entry && $0 <= newer } ?? false
    return !isFailedFirst && reached(stage + 1).map { $0 > newer } ?? true
  }
}
