internal import Lifecycle

/// The cutoff waits for all but the latest hundredth of an app's events, whoever sends them.
extension ContentChecks {
  static func lateness(_ connection: borrowing Connection) throws(StoreError) -> Word {
    let all = try arrivals(connection)
    let late = all.filter { $0.lateness == .late }
    guard let worst = late.max(by: { $0.share < $1.share }) else { return .ok(words(all)) }
    let senders = try senders(worst.app, connection)
    guard let first = senders.first else { return .ok("nothing came late") }
    let percent = (Double(worst.share * 1000).rounded() / 10)
    let hash = hexadecimal(first.device)
    return .warn(
      """
      \(percent) % of the newest \(worst.events) events of \(worst.app) came over a day late, so that the cutoff may lie days back; \
      \(first.events * 2 > worst.late ? "most of them, \(first.events), are of one device, \(hash)" : "they are of \(counted(senders.count, one: "device", many: "devices"))")
      """,
      fix: """
        look at it: \(command: "breadcrumbs", argument: hash, options: ["hashed": nil, "app": worst.app, "db": connection.path]); \
        adoption and reach count up to now with --provisional; a client that keeps events for days should send them at each start
        """)
  }

  private enum Lateness: CaseIterable { case usual, late, loaded, few }

  private struct Arrivals {
    var app: String
    var events, late: Int64
    var share: Double { Double(late) / Double(events) }
    var lateness: Lateness {
      if events < 1000 { return .few }
      // Where half of the events are late they were loaded, and set nothing.
      return late * 2 >= events ? .loaded : late * 100 >= events ? .late : .usual
    }
  }

  /// Apps are named where not all are alike.
  private static func words(_ all: [Arrivals]) -> String {
    let kinds = Dictionary(grouping: all, by: \.lateness)
    let found = Lateness.allCases.compactMap { kind -> String? in
      guard let apps = kinds[kind]?.map(\.app) else { return nil }
      let more = apps.count > 3 ? " and \(apps.count - 3) more" : ""
      return words(kind, kinds.count == 1 ? "" : " of \(apps.prefix(3).joined(separator: ", "))\(more)")
    }
    return found.isEmpty ? "there are no events that came within four weeks" : found.joined(separator: "; ")
  }

  private static func words(_ lateness: Lateness, _ ofApps: String) -> String {
    switch lateness {
    case .usual: "fewer than one in a hundred of the newest events\(ofApps) came over a day late"
    case .late: "one in a hundred or more of the newest events\(ofApps) came over a day late"
    case .loaded:
      "half or more of the newest events\(ofApps) came over a day late, as those of an import do: they set nothing"
    case .few: "below 1,000 events\(ofApps) nobody can tell how late the latest hundredth comes"
    }
  }

  /// Of the newest million events, by app; what claims to be over four weeks old is on no way.
  private static func arrivals(_ connection: borrowing Connection) throws(StoreError) -> [Arrivals] {
    try connection.prepare(
      """
      SELECT c.app, count(*), count(*) FILTER (WHERE e.received - e.at > 86400000) FROM event e JOIN context c ON c.id = e.context
      WHERE e.seq > (SELECT coalesce(max(seq), 0) FROM event) - ?1 AND e.received - e.at <= 2419200000 GROUP BY c.app
      """
    ).rows(.integer(ImpossibleHistories.atOnce)) {
      Arrivals(app: $0.text(0), events: $0.integer(1), late: $0.integer(2))
    }
  }

  /// Those with most late events first.
  private static func senders(
    _ app: String, _ connection: borrowing Connection
  ) throws(StoreError) -> [(device: UInt64, events: Int64)] {
    try connection.prepare(
      """
      SELECT e.device, count(*) FROM event e JOIN context c ON c.id = e.context
      WHERE e.seq > (SELECT coalesce(max(seq), 0) FROM event) - ?1 AND c.app = ?2
        AND e.received - e.at BETWEEN 86400001 AND 2419200000 GROUP BY e.device ORDER BY 2 DESC, 1
      """
    ).rows(.integer(ImpossibleHistories.atOnce), .text(app)) {
      (device: UInt64(bitPattern: $0.integer(0)), events: $0.integer(1))
    }
  }
}
