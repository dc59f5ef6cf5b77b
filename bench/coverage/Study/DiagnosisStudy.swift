import Lifecycle
public import Query
import Simulate
import Store

/// What `diagnose` says of fleets whose fault is known, and of fleets without one.
public struct DiagnosisStudy: Sendable {
  /// What should be named first, by the name of the shipped scenario; of a scenario that is not here nothing above a note.
  public static let expected: [String: Diagnosis.Name] = [
    "fault-refresh-ios": .refreshNeverRuns, "fault-refresh-android": .refreshNeverRuns,
    "fault-refresh-off": .refreshNeverRuns, "fault-refresh-rare": .refreshRare, "fault-push-ios": .pushNeverWakes,
    "fault-push-android": .pushNeverWakes, "fault-push-dropped": .pushNeverWakes,
    "fault-push-refused": .pushesRefused, "fault-taps": .tapsAsArrivals,
    "fault-too-often": .pushesTooOften, "fault-replaced": .pushesReplaced, "fault-closed": .appsClosed,
    "fault-system": .versionBehind, "fault-system-android": .versionBehind, "fault-build": .buildLeftOut,
    "fault-channel": .channelSilent, "fault-step": .stepNotOpened, "fault-apply": .readyNotApplied,
    "fault-overrun": .downloadsOverrun, "fault-crash": .releaseHarms, "fault-crash-system": .releaseHarms,
    "fault-patch": .releaseHarms,
  ]
  /// Ordinary fleets of different kinds.
  public static let healthy = ["fault-none", "healthy", "quiet-week", "critical-fix-with-push"]

  /// How often a scenario was told rightly.
  public struct Row: Sendable {
    public var scenario: String
    public var fleets: Int
    public var right: Int
    /// What else was named first, and how often.
    public var wrong: [String: Int]
  }

  /// What is found in one fleet, in the order of the answer.
  public static func findings(_ name: String, seed: UInt64, devices: Int) throws -> [Diagnosis] {
    guard let shipped = BuiltInScenario.all.first(where: { $0.name == name }) else { return [] }
    var scenario = try Scenario(parsing: shipped.text, file: name)
    scenario.devices = devices
    let fleet = try StoredFleet(scenario, seed: name.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) })
    let snapshot = try Snapshot(path: fleet.path)
    return try Diagnosis.answer(snapshot, FleetScope(snapshot.vocabulary, app: nil, now: scenario.until)).data
  }

  /// The first finding above a note.
  public static func first(_ found: [Diagnosis]) -> Diagnosis.Name? { found.first { $0.level != .note }?.finding }

  public static func row(_ name: String, fleets: Int, devices: Int) throws -> Row {
    var row = Row(scenario: name, fleets: fleets, right: 0, wrong: [:])
    for seed in 1...UInt64(fleets) {
      let named = first(try findings(name, seed: seed, devices: devices))
      if named == expected[name] { row.right += 1 } else { row.wrong[named?.rawValue ?? "nothing", default: 0] += 1 }
    }
    return row
  }
}
