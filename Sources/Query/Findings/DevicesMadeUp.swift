import Console
import Lifecycle

extension FindingRule {
  /// An hour that brought many devices of which nobody ever heard again, or devices that sent what none can.
  static let devicesMadeUp = FindingRule(.devicesMadeUp) { seenOnce($0) + impossible($0) }

  private static func impossible(_ evidence: DiagnosisEvidence) -> [Diagnosis] {
    let impossible = evidence.impossible
    guard impossible.areMany else { return [] }
    let all = max(impossible.of, impossible.devices)
    let share = JudgedShare(impossible.devices, of: all, level: evidence.level)
    return [
      found(
        .devicesMadeUp, .warning, devices: impossible.devices,
        "devices look made up: \(grouped(impossible.devices)) of about \(grouped(all))\(impossible.place) sent what none can, "
          + impossible.reasons.joined(separator: ", "),
        causes: [
          "a script sends events with the key that the app ships", "many devices send under one id",
          "a client sends the same event in a loop, each time with a new id",
        ],
        check:
          "ask \(impossible.node == nil ? "again" : "that node's file") with --without-impossible: what differs came from them; then look at one with the command that uptake doctor prints",
        share.evidence("devices that sent what none can", ShellCommand("uptake", "doctor")))
    ]
  }

  private static func seenOnce(_ evidence: DiagnosisEvidence) -> [Diagnosis] {
    let known = evidence.fleet.cells.values.reduce(0) { $0 + $1.known }
    let all = evidence.fleet.onceSeen.values.reduce(0, +)
    guard let (hour, devices) = evidence.fleet.onceSeen.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
      devices >= 2 * Diagnosis.fewest
    else { return [] }
    let share = JudgedShare(devices, of: known, level: evidence.level)
    // Ordinary devices that are seen once come at all hours.
    guard share.isAbove(0.05), devices * 2 > all else { return [] }
    return [
      found(
        .devicesMadeUp, .warning, devices: devices,
        "devices look made up: \(grouped(devices)) that were heard of once, within the hour of \(Timestamp(rawValue: hour * 3_600_000).words), are \(figure(share.shown)) of all",
        causes: [
          "somebody sends events with the key that the app ships", "a test or a load run reported to the live service",
          "a client makes up a new id at each start",
        ], check: "look at the addresses in front of the service for that hour; give a new key to the next build",
        share.evidence("devices heard of once, within one hour", ShellCommand("uptake", "doctor")))
    ]
  }
}
