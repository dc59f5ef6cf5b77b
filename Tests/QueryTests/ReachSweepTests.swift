import Lifecycle
import Testing

@testable import Query
@testable import Store

/// A sweep goes from instant to instant; at each it must say what a look at all contact runs says.
@Suite struct ReachSweepTests {
  @Test(arguments: 0..<12) func saysWhatEachInstantSaysByItself(_ seed: Int) throws {
    var random = RandomFleet(seed: seed, isDense: seed % 2 == 1)
    let fleet = try random.stored()
    let snapshot = try Snapshot(path: fleet.path)
    let (profiles, order) = (ProfileTable(snapshot.vocabulary), snapshot.nameOrder)
    var (compared, moved, restored) = (0, 0, 0)
    for cutOff in [RandomFleet.epoch + .days(20), RandomFleet.epoch + .days(90)] {
      for app in snapshot.vocabulary.apps {
        try snapshot.walk(app: app, releases: []) { shard, _ in
          let (runs, devices) = (RunColumns(shard, order), shard.completeOutlines)
          for index in shard.devices.indices {
            let history = DeviceHistory(shard, index, until: cutOff, snapshot.vocabulary.profiles, order)
            #expect(profiles.platforms[profiles.platform(devices, index)] == history.platform)
            #expect(profiles.isEmulator(devices, index) == history.isEmulator)
            let running = RunningRelease(history)
            var sweep = ReachSweep()
            sweep.begin(runs)
            let instants = instants(history, until: cutOff)
            let first = seed % 3 == 0 ? 0 : (Int(shard.devices[index] >> 8) % instants.count)
            sweep.load(index, from: first == 0 ? .min : instants[first].rawValue, until: cutOff.rawValue)
            for instant in instants[first...] {
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
    #expect(compared > 500)
    #expect(moved > 5)
    #expect(restored > 5)
  }

  /// Every edge of a run, right before and after it, and some between.
  private func instants(_ history: DeviceHistory, until cutOff: Timestamp) -> [Timestamp] {
    let edges = history.uncutRuns.flatMap { [$0.start, $0.end] }
    let near = edges.flatMap { edge in [-1, 0, 1].map { edge + Milliseconds(rawValue: $0) } }
    let even = (0..<30).map { RandomFleet.epoch + .hours(Int64($0) * 19) }
    return Set(near + even + [cutOff]).filter { $0 <= cutOff }.sorted()
  }
}
