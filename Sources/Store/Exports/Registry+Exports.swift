public import Lifecycle

/// What was told to others. Every change is on disk before the call returns.
extension Registry {
  /// What was noticed is tried again within this time, whatever a receiver asks for. A later instant in the database was
  /// written by a clock that was ahead.
  public static let longestPause = Milliseconds.days(1)

  /// Remembers facts that are to be sent; those that are known already stay as they are. Answers how many were new.
  ///
  /// A verdict, or a finding, counts as noticed after the one before it, also where the clock went back in between.
  public func remember(_ records: [ExportRecord]) throws(StoreError) -> Int {
    try write { connection throws(StoreError) in
      let insert = try connection.prepare(
        """
        INSERT OR IGNORE INTO export_fact
          (target, id, app, release, channel, kind, word, at, noticed_at, fact, outcome, next_at, changed_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, max(?9, coalesce((SELECT max(noticed_at) + 1 FROM export_fact
          WHERE ?6 IN ('verdict', 'finding') AND target = ?1 AND app = ?3 AND release = ?4 AND channel = ?5 AND kind = ?6), ?9)),
          ?10, 'waiting', ?9, ?9)
        """)
      let before = try connection.integer("SELECT count(*) FROM export_fact")
      for record in records {
        try insert.run(
          .text(record.target), .text(record.id), .text(record.app), .text(record.release), .text(record.channel),
          .text(record.kind), .optional(record.word), .integer(record.at.rawValue),
          .integer(record.noticedAt.rawValue), .text(record.fact))
      }
      return Int(try connection.integer("SELECT count(*) FROM export_fact") - before)
    }
  }

  /// What is to be sent to a receiver, in the order in which it happened; whatever was on its way counts among it.
  public func unsent(_ target: String) throws(StoreError) -> [ExportRecord] {
    try write { connection throws(StoreError) in
      try connection.prepare(
        """
        SELECT target, id, app, release, channel, kind, word, at, noticed_at, fact, outcome, attempts, next_at, reason,
          changed_at
        FROM export_fact WHERE target = ? AND outcome IN ('waiting', 'sending')
        ORDER BY at, noticed_at, id
        """
      ).rows(.text(target), row: ExportRecord.init)
    }
  }

  /// Takes back facts that were to be sent: should they be news again, they are noticed anew.
  public func forget(_ records: [ExportRecord]) throws(StoreError) {
    try write { connection throws(StoreError) in
      let delete = try connection.prepare(
        "DELETE FROM export_fact WHERE target = ? AND id = ? AND outcome IN ('waiting', 'sending')")
      for record in records { try delete.run(.text(record.target), .text(record.id)) }
    }
  }

  /// Which of these facts a receiver was, or is to be, told of.
  public func told(_ target: String, among ids: [String]) throws(StoreError) -> Set<String> {
    try write { connection throws(StoreError) in
      let find = try connection.prepare("SELECT 1 FROM export_fact WHERE target = ? AND id = ?")
      var known: Set<String> = []
      for id in ids where try find.first(.text(target), .text(id), row: { $0.integer(0) }) != nil { known.insert(id) }
      return known
    }
  }

  /// The verdicts that a receiver was, or is to be, told of a release on a channel: the last word, how many, and the last of them as JSON.
  public func verdictsTold(
    _ target: String, app: String, release: String, channel: String
  ) throws(StoreError) -> (word: String, count: Int, fact: String)? {
    let told = try write { connection throws(StoreError) in
      try connection.prepare(
        """
        SELECT word, fact FROM export_fact
        WHERE target = ? AND app = ? AND release = ? AND channel = ? AND kind = 'verdict' ORDER BY noticed_at, at
        """
      ).rows(.text(target), .text(app), .text(release), .text(channel)) { (word: $0.text(0), fact: $0.text(1)) }
    }
    return told.last.map { ($0.word, told.count, $0.fact) }
  }

  /// The last verdict that a receiver was, or is to be, told of each release on each channel, as JSON.
  public func lastVerdictsTold(_ target: String) throws(StoreError) -> [String] {
    try write { connection throws(StoreError) in
      // Beside max() a column is that of the row which has it.
      try connection.prepare(
        """
        SELECT fact, max(noticed_at) FROM export_fact WHERE target = ? AND kind = 'verdict'
        GROUP BY app, release, channel ORDER BY app, release, channel
        """
      ).rows(.text(target)) { $0.text(0) }
    }
  }

  /// When something happened to a release on a channel, as a receiver was, or is to be, told last.
  public func timeTold(
    _ target: String, app: String, release: String, channel: String, kind: String
  ) throws(StoreError) -> Timestamp? {
    try write { connection throws(StoreError) in
      try connection.prepare(
        """
        SELECT at FROM export_fact WHERE target = ? AND app = ? AND release = ? AND channel = ? AND kind = ?
        ORDER BY noticed_at DESC, at DESC
        """
      ).first(.text(target), .text(app), .text(release), .text(channel), .text(kind)) {
        Timestamp(rawValue: $0.integer(0))
      }
    }
  }

  /// The findings that a receiver was, or is to be, told of an app, as JSON, in the order in which they were noticed.
  public func findingsTold(_ target: String, app: String) throws(StoreError) -> [String] {
    try write { connection throws(StoreError) in
      try connection.prepare(
        """
        SELECT fact FROM export_fact WHERE target = ? AND app = ? AND kind = 'finding' ORDER BY noticed_at, at
        """
      ).rows(.text(target), .text(app)) { $0.text(0) }
    }
  }

  /// Notes that a fact goes out now: should the program end before `finish`, it is known to be in doubt.
  ///
  /// - Parameter counts: whether it is due; what is tried before that says nothing of how long to wait.
  public func begin(_ record: ExportRecord, counts: Bool = true, now: Timestamp) throws(StoreError) {
    try write { connection throws(StoreError) in
      try connection.prepare(
        """
        UPDATE export_fact SET outcome = 'sending', attempts = attempts + ?4, changed_at = ?3
        WHERE target = ?1 AND id = ?2
        """
      ).run(.text(record.target), .text(record.id), .integer(now.rawValue), .integer(counts ? 1 : 0))
    }
  }

  /// - Parameter nextAt: when it may be tried again, where it is to wait.
  public func finish(
    _ record: ExportRecord, _ outcome: ExportOutcome, reason: String?, nextAt: Timestamp, now: Timestamp
  ) throws(StoreError) {
    try write { connection throws(StoreError) in
      try connection.prepare(
        """
        UPDATE export_fact SET outcome = ?3, reason = ?4, next_at = ?5, changed_at = ?6 WHERE target = ?1 AND id = ?2
        """
      ).run(
        .text(record.target), .text(record.id), .text(outcome.rawValue), .optional(reason), .integer(nextAt.rawValue),
        .integer(now.rawValue))
      try noteStanding(record.target, outcome, reason: reason, now: now, connection)
    }
  }

  /// Whatever waits for the receiver waits at least until then, and at most so long as `longestPause` after it.
  public func postpone(_ target: String, until: Timestamp) throws(StoreError) {
    try write { connection throws(StoreError) in
      try connection.prepare(
        """
        UPDATE export_fact SET next_at = CASE WHEN next_at > ?3 THEN ?2 ELSE max(next_at, ?2) END
        WHERE target = ?1 AND outcome IN ('waiting', 'sending')
        """
      ).run(.text(target), .integer(until.rawValue), .integer((until + Self.longestPause).rawValue))
    }
  }

  /// The receiver asked for quiet: nothing goes there before then, whoever asks for it.
  public func pause(_ target: String, until: Timestamp) throws(StoreError) {
    try write { connection throws(StoreError) in
      try connection.prepare(
        """
        INSERT INTO export_target (target, paused_until) VALUES (?1, ?2)
        ON CONFLICT (target) DO UPDATE
          SET paused_until = CASE WHEN paused_until > ?3 THEN ?2 ELSE max(paused_until, ?2) END
        """
      ).run(.text(target), .integer(until.rawValue), .integer((until + Self.longestPause).rawValue))
    }
  }

  /// How the newest attempt to tell a receiver something ended.
  public func noteExport(
    _ target: String, _ outcome: ExportOutcome, reason: String?, now: Timestamp
  ) throws(StoreError) {
    try write { connection throws(StoreError) in
      try noteStanding(target, outcome, reason: reason, now: now, connection)
    }
  }

  /// How every receiver stands that was ever to be told something, in order of name.
  public func exportStandings() throws(StoreError) -> [ExportStanding] {
    try write { connection throws(StoreError) in try ExportStanding.all(connection) }
  }
}

private func noteStanding(
  _ target: String, _ outcome: ExportOutcome, reason: String?, now: Timestamp, _ connection: borrowing Connection
) throws(StoreError) {
  if outcome == .sent {
    try connection.prepare(
      "INSERT INTO export_target (target, sent_at) VALUES (?1, ?2) ON CONFLICT (target) DO UPDATE SET sent_at = ?2"
    ).run(.text(target), .integer(now.rawValue))
  } else {
    try connection.prepare(
      """
      INSERT INTO export_target (target, failed_at, reason) VALUES (?1, ?2, ?3)
      ON CONFLICT (target) DO UPDATE SET failed_at = ?2, reason = ?3
      """
    ).run(.text(target), .integer(now.rawValue), .optional(reason))
  }
}

extension ExportRecord {
  fileprivate init(_ row: borrowing Row) {
    self.init(
      target: row.text(0), id: row.text(1), app: row.text(2), release: row.text(3), channel: row.text(4),
      kind: row.text(5), word: row.optionalText(6), at: Timestamp(rawValue: row.integer(7)),
      noticedAt: Timestamp(rawValue: row.integer(8)), fact: row.text(9))
    outcome = ExportOutcome(rawValue: row.text(10)) ?? .waiting
    (attempts, nextAt, reason) = (
      Int(row.integer(11)), Timestamp(rawValue: row.integer(12)), row.optionalText(13)
    )
    changedAt = Timestamp(rawValue: row.integer(14))
  }
}

extension ExportStanding {
  static func all(_ connection: borrowing Connection) throws(StoreError) -> [ExportStanding] {
    try connection.prepare(
      """
      WITH fact AS (
        SELECT target, sum(outcome IN ('waiting', 'sending')) AS waiting, sum(outcome = 'sent') AS sent,
          sum(outcome = 'refused') AS refused,
          min(CASE WHEN outcome IN ('waiting', 'sending') THEN noticed_at END) AS oldest
        FROM export_fact GROUP BY target
      ), name AS (SELECT target FROM fact UNION SELECT target FROM export_target)
      SELECT n.target, coalesce(t.paused_until, 0), t.sent_at, t.failed_at, t.reason, coalesce(f.waiting, 0),
        coalesce(f.sent, 0), coalesce(f.refused, 0), f.oldest
      FROM name n LEFT JOIN fact f ON f.target = n.target LEFT JOIN export_target t ON t.target = n.target
      ORDER BY n.target
      """
    ).rows { row in
      var standing = ExportStanding(target: row.text(0))
      standing.pausedUntil = Timestamp(rawValue: row.integer(1))
      standing.sentAt = row.optionalInteger(2).map(Timestamp.init(rawValue:))
      standing.failedAt = row.optionalInteger(3).map(Timestamp.init(rawValue:))
      standing.reason = row.optionalText(4)
      (standing.waiting, standing.sent, standing.refused) = (
        Int(row.integer(5)), Int(row.integer(6)), Int(row.integer(7))
      )
      standing.oldest = row.optionalInteger(8).map(Timestamp.init(rawValue:))
      return standing
    }
  }
}
