public import Lifecycle

extension Snapshot {
  /// When devices of an app were heard of last up to an instant, and how many events came a day before in the hours that have passed
  /// since: by night as many as are usual by night. nil where the gap is not as long, or single events are not to be had.
  ///
  /// A few hundred rows are read where something came lately, else `scanned`: every question of a fleet at rest asks for it.
  public func silence(
    of app: String, until: Timestamp, longerThan gap: Milliseconds
  ) throws(StoreError) -> (since: Timestamp, usual: Int)? {
    guard isFile else { return nil }
    if let newest = try contacts(of: app, until: until, among: 500).newest, until - newest <= gap { return nil }
    let all = try contacts(of: app, until: until, among: Self.scanned)
    guard let newest = all.newest, let oldest = all.oldest, until - newest > gap else { return nil }
    let day = Milliseconds.days(1)
    if oldest > newest - day, all.count >= Self.scanned / 2 {
      // So many events come that the newest do not reach back a day.
      let perMillisecond = Double(all.count) / Double(max(1, (newest - oldest).rawValue))
      return (newest, Int(perMillisecond * Double(min(until - newest, day).rawValue)))
    }
    let before = try contacts(
      of: app, after: newest - day, until: min(until - day, newest), among: Self.scanned)
    return (newest, Int(before.count))
  }

  private static let scanned: Int64 = 5000
  private typealias Contacts = (newest: Timestamp?, oldest: Timestamp?, count: Int64)

  /// What devices said, as far as it is among so many of the newest events.
  private func contacts(
    of app: String, after start: Timestamp = Timestamp(rawValue: .min), until end: Timestamp, among count: Int64
  ) throws(StoreError) -> Contacts {
    try connection.prepare(
      """
      SELECT max(e.at), min(e.at), count(*) FROM event e JOIN context c ON c.id = e.context
      WHERE e.seq > (SELECT coalesce(max(seq), 0) - ?1 FROM event) AND c.app = ?2 AND e.at > ?3 AND e.at <= ?4
        AND e.stage <> ?5
      """
    ).first(
      .integer(count), .text(app), .integer(start.rawValue), .integer(end.rawValue),
      .integer(Int64(Stage.pushSent.code))
    ) { row -> Contacts in
      let ends = [row.optionalInteger(0), row.optionalInteger(1)].map { $0.map { Timestamp(stored: $0) } }
      return (ends[0], ends[1], row.integer(2))
    } ?? (nil, nil, 0)
  }
}
