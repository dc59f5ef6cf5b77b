import Lifecycle
import Store
import Testing

@testable import Query

/// Who changed channel, counted one device after another from all that is stored of it.
@Suite struct ChannelTests {
  @Test(arguments: 0..<6) func saysWhatEachDeviceDid(_ seed: Int) throws {
    var random = RandomFleet(seed: seed)
    let fleet = try random.stored()
    let snapshot = try Snapshot(path: fleet.path)
    var changed = 0
    for day in [6, 33, 90] as [Int64] {
      var extent = try FleetScope(snapshot.vocabulary, app: nil, now: RandomFleet.epoch + .days(day))
      for channels in [[], ["beta"]] {
        extent.channels = channels
        var options = Channels.Options()
        options.by = [.platform]
        let answer = try Channels.answer(snapshot, extent, options)
        let found = answer.data.map {
          "\($0.release) \($0.group.parts["platform"] ?? "") \($0.devices) \($0.changed) "
            + "\($0.moves.map { "\($0.from)→\($0.to) \($0.devices)" }.sorted())"
        }
        #expect(try found.sorted() == slow(snapshot, extent))
        changed += answer.data.reduce(0) { $0 + $1.changed }
      }
    }
    #expect(changed > 0)
  }

  /// Devices of another time are in no share.
  @Test func onlyDevicesOfTheTimeCount() throws {
    let fleet = try Fleet()
    try fleet.load(
      [(1, "a", "production"), (3, "a", "beta"), (1, "b", "production")].map { day, device, channel in
        #"{"device":"\#(device)","stage":"check","release":"1.0","channel":"\#(channel)","at":"2024-03-0\#(day)T00:00:00Z"}"#
      }.joined(separator: "\n") + "\n")
    let snapshot = try Snapshot(path: fleet.path)
    func told(_ since: String?, _ until: String?, on channels: [String] = []) throws -> [[Int]] {
      var extent = try FleetScope(snapshot.vocabulary, app: nil, now: instant("2024-03-09T00:00:00Z"))
      (extent.since, extent.until, extent.channels) = (since.map(instant), until.map(instant), channels)
      return try Channels.answer(snapshot, extent).data.map { [$0.devices, $0.changed] }
    }
    #expect(try told(nil, nil) == [[2, 1]])
    #expect(try told("2024-03-02T00:00:00Z", nil) == [[1, 1]])
    #expect(try told(nil, "2024-03-02T00:00:00Z") == [[2, 0]])
    #expect(try told("2024-03-05T00:00:00Z", nil) == [])
    // It was silent on the channel that it left.
    #expect(try told("2024-03-02T00:00:00Z", nil, on: ["production"]) == [[1, 1]])
  }

  private struct Row {
    var (devices, changed): (Int, Int) = (0, 0)
    var moves: [String: Int] = [:]
  }

  private func slow(_ snapshot: borrowing Snapshot, _ extent: FleetScope) throws -> [String] {
    let cutOff = CutOff(snapshot.vocabulary, app: extent.app, now: extent.now).at
    let (vocabulary, labels) = (snapshot.vocabulary, Timeline(snapshot.vocabulary, app: extent.app))
    func isIncluded(_ channel: Int64) -> Bool {
      extent.channels.isEmpty || extent.channels.contains(vocabulary.name(channel))
    }
    var rows: [String: Row] = [:]
    try snapshot.eachDevice(app: extent.app, releases: [], until: cutOff) { view in
      if view.history.isEmulator { return }
      let (device, spells) = (RunningRelease(view.history), view.history.spells)
      let ran = view.history.runs.filter { [.running, .applied].contains($0.claim) && isIncluded($0.channel) }
      for release in Set(ran.map(\.release)) {
        let moves = zip(spells, spells.dropFirst()).filter { spell, next in
          isIncluded(spell.channel)
            && device.release(at: next.start + Milliseconds(rawValue: -1)) == release
        }.map { "\(vocabulary.name($0.channel))→\(vocabulary.name($1.channel))" }
        let key = "\(labels.label(release)?.rawValue ?? "") \(view.history.platform ?? Group.unnamed)"
        rows[key, default: Row()].devices += 1
        if !moves.isEmpty { rows[key]?.changed += 1 }
        for move in Set(moves) { rows[key]?.moves[move, default: 0] += 1 }
      }
    }
    return rows.map { key, row in
      "\(key) \(row.devices) \(row.changed) \(row.moves.map { "\($0.key) \($0.value)" }.sorted())"
    }.sorted()
  }

  /// Every answer names the groups that it withholds.
  @Test func smallGroupsAreNamed() throws {
    var random = RandomFleet(seed: 1)
    let fleet = try random.stored()
    let snapshot = try Snapshot(path: fleet.path)
    var extent = try FleetScope(snapshot.vocabulary, app: nil, now: RandomFleet.epoch + .days(90))
    extent.minCell = 1000
    var options = WakeUps.Options()
    options.by = [.platform]
    let shown = try WakeUps.answer(snapshot, try everybody(extent), options)
    let withheld = try WakeUps.answer(snapshot, extent, options)
    #expect(!shown.data.isEmpty && shown.withheld.isEmpty)
    #expect(withheld.data.isEmpty && withheld.withheld.map(\.group) == shown.data.map(\.group))
    // Nobody was sent a push: there is nothing to withhold, and that is said.
    let pushes = try Push.answer(snapshot, extent)
    #expect(pushes.withheld.isEmpty && pushes.warnings.contains { $0.code == "no_pushes" })
    #expect(try Channels.answer(snapshot, extent).withheld.count == RandomFleet.releases)
    let label = ReleaseLabel(rawValue: RandomFleet.label(0))
    var chosen = try ReleaseScope(snapshot.vocabulary, app: nil, release: label, now: extent.now)
    (chosen.selection.by, chosen.selection.minCell) = ([.platform], 1000)
    let funnel = try Funnel.answer(snapshot, chosen)
    #expect(funnel.withheld.count == 3)
    // That there is nothing must not be said of what is withheld.
    let codes = Set((withheld.warnings + funnel.warnings).map(\.code))
    #expect(codes.isDisjoint(with: ["no_wakeups", "nothing_offered"]))
  }

  private func everybody(_ extent: FleetScope) throws -> FleetScope {
    var extent = extent
    extent.minCell = 0
    return extent
  }
}
