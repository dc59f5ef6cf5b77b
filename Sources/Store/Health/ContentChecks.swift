import Lifecycle

/// Checks that read the tables.
enum ContentChecks {
  static func schema(_ connection: borrowing Connection) throws(StoreError) -> Word {
    let found = try Schema.check(connection)
    return found < Schema.known
      ? .warn(
        "schema \(found); this program knows \(Schema.known), and checks the rest once it is upgraded",
        fix: "\(command: "upgrade", options: ["db": connection.path])")
      : .ok("schema \(found)")
  }

  static func integrity(_ connection: borrowing Connection, isFull: Bool) throws(StoreError) -> Word {
    let problems =
      isFull
      ? try Integrity.problems(connection)
      : try connection.prepare("PRAGMA quick_check(20)").rows { $0.text(0) }.filter { $0 != "ok" }
    // SQLite puts a heading of its own before the first.
    guard let first = problems.first?.split(separator: "\n").last else {
      return .ok(isFull ? "every page and index was read" : "every page was read; indexes with --full")
    }
    return .fail(
      "\(problems.count == 1 ? "1 problem" : "\(problems.count) problems, the first"): \(first)",
      fix: "restore a backup, or: \(command: "doctor", options: ["db": connection.path, "salvage": "OUT"])")
  }

  static func identityKeys(_ connection: borrowing Connection) throws(StoreError) -> Word {
    try IdentityKeys.load(connection) == nil
      ? .fail("the keys that ids are hashed with are missing", fix: "restore a backup") : .ok("present")
  }

  static func accessKeys(_ connection: borrowing Connection) throws(StoreError) -> Word {
    let keys = try AccessKey.all(connection).filter { $0.revokedAt == nil }
    let fix: Remedy = "\(command: "key", "create", options: ["app": "APP", "scope": "ingest", "db": connection.path])"
    if try AccessKey.isOpen(connection) {
      return .warn("there are none: whoever is on this machine may do everything", fix: fix)
    }
    guard !keys.isEmpty else {
      return .warn("all are revoked: nobody has access, not even from this machine", fix: fix)
    }
    let counts = Scope.allCases.map { scope in "\(keys.count { $0.scope == scope }) \(scope.rawValue)" }
    return .ok(counts.joined(separator: ", "))
  }

  /// A clock that was set right is told, and no fault any more: what was received since is not after the present.
  static func clock(_ connection: borrowing Connection, now: Timestamp) throws(StoreError) -> Word {
    let receipts = try connection.prepare(
      """
      SELECT received FROM (SELECT seq, received FROM event ORDER BY seq DESC LIMIT 1000)
      WHERE received IS NOT NULL ORDER BY seq DESC
      """
    ).rows { Timestamp(stored: $0.integer(0)) }
    guard let newest = [receipts.first, try ClockMark.read(connection)].compactMap(\.self).max() else {
      return .ok("no event tells its receipt")
    }
    if isAhead(newest, of: now) {
      return .fail(
        "the newest event was received \((newest - now).rawValue / 1000) s after the present",
        fix:
          "set this machine's clock right; where it is right and was ahead before, systemctl reload (SIGHUP) tells a service so"
      )
    }
    if receipts.isEmpty { return .ok("no event tells its receipt") }
    let words = "the newest event was received \(age((now - newest).rawValue / 1000)) ago"
    guard let last = receipts.firstIndex(where: { isAhead($0, of: now) }) else { return .ok(words) }
    let count = receipts.count { isAhead($0, of: now) }
    return .ok(
      """
      \(words); the clock was ahead until \(receipts[last - 1].rfc3339): of the newest \(receipts.count) events \
      \(counted(count, one: "was", many: "were")) received after the present
      """)
  }

  private static func isAhead(_ receipt: Timestamp, of now: Timestamp) -> Bool { (receipt - now).rawValue > 60_000 }

  /// `11 s`, `3 h`, `400 d`: of an app that is asleep nobody wants to divide.
  static func age(_ seconds: Int64) -> String {
    switch seconds {
    case ..<120: "\(max(0, seconds)) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) d"
    }
  }

  static func references(_ connection: borrowing Connection) throws(StoreError) -> Word {
    let broken = try connection.prepare("PRAGMA foreign_key_check").rows { $0.text(0) }
    let orphans = try connection.prepare(
      """
      SELECT count(*) FROM event WHERE context NOT IN (SELECT id FROM context)
        OR coalesce(release, 0) NOT IN (SELECT id FROM release UNION SELECT 0)
        OR coalesce(from_release, 0) NOT IN (SELECT id FROM release UNION SELECT 0)
        OR coalesce(reason, 0) NOT IN (SELECT id FROM name UNION SELECT 0)
      """
    ).first { $0.integer(0) }
    let count = Int(orphans ?? 0) + broken.count
    return count == 0
      ? .ok("every number has its string")
      : .fail(
        "\(counted(count, one: "row mentions", many: "rows mention")) something that is not there",
        fix: "restore a backup; please report this")
  }

  static func stages(_ connection: borrowing Connection) throws(StoreError) -> Word {
    let unknown = try connection.prepare("SELECT stage, trigger, count(*) FROM event GROUP BY stage, trigger").rows {
      (stage: $0.integer(0), trigger: $0.integer(1), count: $0.integer(2))
    }.filter {
      Stage(code: UInt8(truncatingIfNeeded: $0.stage)) == nil
        || Trigger(code: UInt8(truncatingIfNeeded: $0.trigger)) == nil
    }
    let count = unknown.reduce(0) { $0 + $1.count }
    return count == 0
      ? .ok("all known")
      : .warn(
        "\(counted(Int(count), one: "event has", many: "events have")) a stage or trigger that this program does not know",
        fix: "upgrade uptake")
  }

  static func forgotten(_ connection: borrowing Connection, path: String) throws(StoreError) -> Word {
    let pending = try DeletionLog.pending([DeletionLog.path(path)], connection).count
    if pending > 0 {
      let words = "\(counted(pending, one: "was to be forgotten and is", many: "were to be forgotten and are")) not yet"
      let missing = try Removed.all(connection).filter { $0.state != .planned }.compactMap(\.archive)
        .first(where: DurableFile.isMissing)
      if let missing {
        return .fail(
          words + ": the archive \(missing) is not there",
          fix:
            "\(Remedy.lostArchive(missing, of: connection.path)); once it is back, forget them again, or start uptake serve anew"
        )
      }
      return .fail(words, fix: "start uptake serve, or forget them again")
    }
    return .ok("\(try connection.integer("SELECT count(DISTINCT digest) FROM forgotten"))")
  }

  static func backup(_ connection: borrowing Connection, now: Timestamp) throws(StoreError) -> Word {
    let made = try connection.integer("SELECT value FROM meta WHERE key = 'backup'")
    let fix: Remedy = "\(command: "backup", argument: "FILE", options: ["db": connection.path])"
    guard made > 0 else { return .warn("none was ever made", fix: fix) }
    let days = (now - Timestamp(stored: made)).rawValue / 86_400_000
    let words = "the last is \(counted(Int(days), one: "day", many: "days")) old"
    return days > 7 ? .warn(words, fix: "every night: \(fix)") : .ok(words)
  }

  static func copy(_ path: String, now: Timestamp) -> Word {
    let standing = CopyStanding.of(path)
    guard let standing else {
      guard CopyStanding.isOnlyBegun(path) else { return .ok("none is kept") }
      return .warn(
        "one is to be kept, and nothing of it was ever confirmed",
        fix: "look for copy_failed in the log of uptake serve --replicate; delete FILE.copy where none is wanted")
    }
    let words = "\(standing.address) has everything up to \(standing.through.rfc3339)"
    return now - standing.through > .hours(1)
      ? .warn(
        words,
        fix:
          "\(command: "replicate", options: ["to": standing.address, "db": path]), or uptake serve --replicate; delete FILE.copy where none is wanted"
      )
      : .ok(words)
  }
}
