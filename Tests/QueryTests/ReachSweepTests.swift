import Lifecycle
import Testing

@testable import Query
@testable import Store

/// A sweep goes from instant to instant; at each it must say what a look at all contact runs says.
@Suite struct ReachSweepTests {
  @Test(arguments: 0..<6) func saysWhatEachInstantSaysByItself(_ seed: Int) throws {
    var random = RandomFleet(seed: seed)
    let fleet = try random.stored()
    let snapshot = try Snapshot(path: fleet.path)
    let profiles = ProfileTable(snapshot.vocabulary.profiles)
    var (compared, moved, restored) = (0, 0, 0)
    for cutOff in [RandomFleet.epoch + .days(20), RandomFleet.epoch + .days(90)] {
      for app in snapshot.vocabulary.apps {
        try snapshot.walk(app: app, releases: []) { shard, _ in
          let (runs, devices) = (RunColumns(shard), shard.completeOutlines)
          for index in shard.devices.indices {
            let history = DeviceHistory(shard, index, until: cutOff, snapshot.vocabulary.profiles)
            #expect(profiles.platforms[profiles.platform(devices, index)] == history.platform)
            #expect(profiles.isEmulator(devices, index) == history.isEmulator)
            let running = RunningRelease(history)
            var sweep = ReachSweep()
            sweep.begin(runs)
            sweep.load(runs, index, until: cutOff.rawValue)
            for instant in instants(history, until: cutOff) {
              let (contact, swept) = (running.contact(at: instant), sweep.contact(at: instant.rawValue))
              #expect(swept == contact?.last.rawValue ?? .min)
              if let contact { #expect(sweep.channel == contact.channel) }
              #expect(sweep.release(at: instant.rawValue) == running.release(at: instant) ?? 0)
              let version = profiles.versions[profiles.version(devices, index, at: instant.rawValue)]
              #expect(version == history.property(\.appVersion, at: instant))
              compared += 1
            }
            moved += history.spells.count > 1 ? 1 : 0
            restored += history.runs.contains { $0.claim == .rolledBack } ? 1 : 0
          }
        }
      }
    }
    #expect(compared > 4000)
    #expect(moved > 10)
    #expect(restored > 10)
  }

  /// Every edge of a run, right before and after it, and some between.
  private func instants(_ history: DeviceHistory, until cutOff: Timestamp) -> [Timestamp] {
    let edges = history.uncutRuns.flatMap { [$0.start, $0.end] }
    let near = edges.flatMap { edge in [-1, 0, 1].map { edge + Milliseconds(rawValue: $0) } }
    let even = (0..<30).map { RandomFleet.epoch + .hours(Int64($0) * 19) }
    return Set(near + even + [cutOff]).filter { $0 <= cutOff }.sorted()
  }
}
