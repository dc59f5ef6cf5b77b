internal import Lifecycle
internal import Query
internal import Report
internal import Store

/// The releases that have pages, and what their pages show.
extension SiteOrder {
  /// Those that have pages, by their place in the vocabulary, and how many have none though nobody chose; with what was asked to choose.
  func paged(
    _ snapshot: borrowing Snapshot, _ asking: Asking
  ) throws -> (records: [(offset: Int, element: ReleaseRecord)], leftOut: Int, glance: Asked<Releases>?) {
    let all = snapshot.vocabulary.releases.enumerated().filter { $1.app == asking.app && $1.isNamed }
    if !releases.isEmpty { return (all.filter { releases.contains($0.element.label.rawValue) }, 0, nil) }
    guard newest > 0, all.count > newest else { return (all, 0, nil) }
    let glance = try asking.glance(snapshot).value(Ledger(), snapshot)
    let chosen = asking.paged(glance)
    let records = all.filter { chosen.contains($0.element.label.rawValue) }
    return (records, all.count - records.count, glance)
  }

  /// A scan for the time at risk of some releases, and another for all else about them, which depends on their channels.
  func pages(
    _ snapshot: borrowing Snapshot, _ asking: Asking, _ wanted: [(offset: Int, element: ReleaseRecord)]
  ) throws -> [ReleaseAnswers] {
    var (answers, atOnce, rest): ([ReleaseAnswers], Int, _) = ([], 4, wanted[...])
    while !rest.isEmpty {
      var asking = asking
      asking.ledger = Ledger()
      let some = rest.prefix(atOnce)
      try snapshot.count(
        some.flatMap { try asking.ground(snapshot, asking.chosen(snapshot, $0.element.label)) }, into: asking.ledger)
      let planned = try some.flatMap { try asking.release(snapshot, $0.element.label, "r\($0.offset)") }
      answers += try snapshot.values(planned, after: asking.ledger)
      rest = rest.dropFirst(atOnce)
      let devices = answers.flatMap(\.waiting.data).map(\.counts.devices).max() ?? 0
      atOnce = max(2, Self.mostAtRisk / max(devices, 1))
    }
    return answers
  }

  /// Devices whose time at risk is in memory at once, in all releases together: some 100 MB.
  private static let mostAtRisk = 2_000_000
}
