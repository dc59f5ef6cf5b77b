import Lifecycle

/// Single events on their way into an archive or out of it, with the strings that their numbers stand for.
struct ArchivedEvents {
  /// The most events of one archive.
  static let most = 1 << 20

  /// By what the removal that wrote an archive is recognised.
  struct Origin {
    var before: Int64
    var digest: [UInt8]
  }

  /// nil of events that were not read from an archive.
  var origin: Origin?
  /// Numbers in the event table, ascending.
  var sequences: [Int64] = []
  var rows: [EventRow] = []
  var contexts: [Int64: Context] = [:]
  var releases: [Int64: Interner.ReleaseKey] = [:]
  var names: [Int64: String] = [:]

  /// The events of a removal that are still in the table, with their strings.
  static func read(_ removed: Removed, _ connection: borrowing Connection) throws(StoreError) -> ArchivedEvents {
    var events = ArchivedEvents()
    let select = try connection.prepare(
      """
      SELECT seq, at, received, device, context, release, stage, trigger, outcome, reason, duration, id_hash, push, bytes,
        from_release, bucket FROM event
      WHERE seq BETWEEN ?1 AND ?2 AND coalesce(received, at) < ?3 ORDER BY seq
      """)
    let found = try select.rows(.integer(removed.first), .integer(removed.last), .integer(removed.before)) {
      ($0.integer(0), EventRow($0, from: 1))
    }
    for (sequence, row) in found {
      events.sequences.append(sequence)
      events.rows.append(row)
    }
    try events.readStrings(connection)
    return events
  }

  private mutating func readStrings(_ connection: borrowing Connection) throws(StoreError) {
    let (usedContexts, usedReleases) = (Set(rows.map(\.context)), Set(rows.flatMap { [$0.release, $0.from] }))
    let usedNames = Set(rows.map(\.reason))
    let contextRows = try connection.prepare(
      """
      SELECT c.id, c.app, c.channel, c.network, p.platform, p.os_version, p.app_version, p.sdk_version, p.arm, p.emulator,
        p.traits FROM context c JOIN profile p ON p.id = c.profile
      """
    ).rows { row in
      let profile = Interner.Profile(row, from: 4)
      return (
        row.integer(0),
        Context(app: row.text(1), channel: row.text(2), network: row.optionalText(3), profile: profile)
      )
    }
    for (id, context) in contextRows where usedContexts.contains(id) { contexts[id] = context }
    let releaseRows = try connection.prepare("SELECT id, app, label FROM release").rows {
      ($0.integer(0), Interner.ReleaseKey(app: $0.text(1), label: $0.text(2)))
    }
    for (id, release) in releaseRows where usedReleases.contains(id) { releases[id] = release }
    let nameRows = try connection.prepare("SELECT id, text FROM name").rows { ($0.integer(0), $0.text(1)) }
    for (id, name) in nameRows where usedNames.contains(id) { names[id] = name }
  }

  /// Without the events of some devices.
  func without(_ devices: Set<UInt64>) -> ArchivedEvents {
    keeping { _, row in !devices.contains(UInt64(bitPattern: row.device)) }
  }

  /// Some of them, and of the strings only those that they mention.
  func keeping(_ isKept: (Int64, EventRow) -> Bool) -> ArchivedEvents {
    var rest = self
    (rest.sequences, rest.rows) = ([], [])
    for (sequence, row) in zip(sequences, rows) where isKept(sequence, row) {
      rest.sequences.append(sequence)
      rest.rows.append(row)
    }
    let (contexts, reasons) = (Set(rest.rows.map(\.context)), Set(rest.rows.map(\.reason)))
    let releases = Set(rest.rows.flatMap { [$0.release, $0.from] })
    rest.contexts = rest.contexts.filter { contexts.contains($0.key) }
    rest.releases = rest.releases.filter { releases.contains($0.key) }
    rest.names = rest.names.filter { reasons.contains($0.key) }
    return rest
  }
}

extension EventRow {
  init(_ row: borrowing Row, from column: Int32) {
    func value(_ place: Int32) -> Int64 { row.optionalInteger(column + place) ?? EventRow.none }
    self.init(
      at: value(0), received: value(1), device: value(2), context: value(3), release: value(4), stage: value(5),
      trigger: value(6), outcome: value(7), reason: value(8), duration: value(9), identity: value(10), push: value(11),
      bytes: value(12), from: value(13), bucket: value(14))
  }
}
