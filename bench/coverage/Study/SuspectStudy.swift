import Lifecycle
import Query
import Simulate
import Store

/// What `suspects` names in fleets of which it is known whom the release fails on, and in fleets where it fails alike everywhere.
public struct SuspectStudy: Sendable {
  public struct Row: Sendable {
    public var fleets = 0
    public var named = 0
    /// Of these, fleets where something else stands out as well, and not only with it.
    public var besides = 0
  }

  /// The system that crashes, as `fault-crash-system` says.
  static let cause = "osVersion 14"

  /// What is named in one fleet, most certain first; a star behind what only goes with the first.
  public static func found(_ name: String, seed: UInt64, devices: Int) throws -> [String] {
    guard let shipped = BuiltInScenario.all.first(where: { $0.name == name }) else { return [] }
    var scenario = try Scenario(parsing: shipped.text, file: name)
    scenario.devices = devices
    let fleet = try StoredFleet(scenario, seed: seed)
    let snapshot = try Snapshot(path: fleet.path)
    let chosen = try ReleaseScope(
      snapshot.vocabulary, app: nil, release: ReleaseLabel(rawValue: "2.2.0"), now: scenario.until)
    return try Suspects.answer(snapshot, chosen).data.map {
      "\($0.by) \($0.value)\($0.isExplainedByFirst ? "*" : "")"
    }
  }

  /// - Parameter cause: what should be named first; nil: nothing.
  static func row(_ name: String, cause: String?, fleets: Int, devices: Int) throws -> Row {
    var row = Row(fleets: fleets)
    for seed in 1...UInt64(fleets) {
      let found = try found(name, seed: seed, devices: devices)
      if let cause, found.first == cause { row.named += 1 }
      if found.dropFirst(cause == nil ? 0 : 1).contains(where: { !$0.hasSuffix("*") }) { row.besides += 1 }
    }
    return row
  }

  public static func table(fleets: Int, devices: Int) throws -> String {
    let one = try row("fault-crash-system", cause: cause, fleets: fleets, devices: devices)
    let all = try row("fault-crash", cause: nil, fleets: fleets, devices: devices)
    return """
      | the release crashes on | fleets | the cause is named first | something else is named |
      |---|--:|--:|--:|
      | half of the devices with Android 14 | \(one.fleets) | \(one.named) | \(one.besides) |
      | a quarter of all devices | \(all.fleets) | | \(all.besides) |
      """
  }
}
