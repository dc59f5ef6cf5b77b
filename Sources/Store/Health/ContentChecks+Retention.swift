import Lifecycle

extension ContentChecks {
  /// Old events that a service is to take out, and does not.
  static func retention(_ connection: borrowing Connection, now: Timestamp) throws(StoreError) -> Word {
    guard let standing = try RetentionStanding.read(connection) else { return .ok("no service takes old events out") }
    if let since = standing.failingSince {
      return .warn(
        "old events could not be taken out since \(since.rfc3339): \(standing.reason ?? "nobody knows why")",
        fix: "mend that, or name another folder with --retain-archive; the service tries again every ten minutes")
    }
    let last = "old events were last taken out at \(standing.succeeded.rfc3339)"
    guard standing.isLate(at: now) else { return .ok(last) }
    return .warn(
      last + ", and no service did since",
      fix: "start the service; one that starts without --retain-raw and --retain-shipped takes nothing out any more")
  }
}
