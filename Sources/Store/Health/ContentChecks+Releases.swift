import Lifecycle

/// Releases that devices name and that are registered nowhere.
extension ContentChecks {
  static func releases(_ connection: borrowing Connection) throws(StoreError) -> Word {
    let all = try unregistered(connection)
    let never = all.filter { $0.withdrawnAt == nil }
    if let first = never.first {
      return .warn(
        "\(counted(never.count, one: "was", many: "were")) never registered, such as \(first.label): \(never.count == 1 ? "its" : "their") publication is inferred",
        // At the instant that stands in until then, so that no answer changes by it; the true one is known to people only.
        fix:
          "\(command: "release", "publish", argument: first.label, options: ["app": first.app, "at": instant(first.first), "db": connection.path])"
      )
    }
    guard let first = all.first, let at = first.withdrawnAt else { return .ok("all are registered") }
    return .warn(
      "\(counted(all.count, one: "was", many: "were")) withdrawn though devices have \(all.count == 1 ? "it" : "them"), such as \(first.label) at \(at.rfc3339)",
      fix:
        "end a rollout with a halt, not by withdrawing it; how many run it: \(command: "reach", argument: first.label, options: ["app": first.app, "db": connection.path])"
    )
  }

  private typealias Unregistered = (label: String, app: String, first: Int64?, withdrawnAt: Timestamp?)

  private static func unregistered(_ connection: borrowing Connection) throws(StoreError) -> [Unregistered] {
    let store = ReleaseLabel.storePrefix
    return try connection.prepare(
      // Of what no device ran or took nothing is inferred: it was registered by mistake and withdrawn.
      """
      SELECT label, app, (SELECT min(first_subject_at) FROM sighting WHERE release = release.id),
        (SELECT max(at) FROM audit WHERE act = 'withdraw' AND audit.app = release.app AND facts ->> '$.release' = label)
      FROM release WHERE id NOT IN (SELECT release FROM publication) AND id IN (SELECT release FROM sighting)
        AND substr(label, 1, ?1) <> ?2 ORDER BY label, app
      """
    ).rows(.integer(Int64(store.utf8.count)), .text(store)) {
      (
        label: $0.text(0), app: $0.text(1), first: $0.optionalInteger(2),
        withdrawnAt: $0.optionalInteger(3).map(Timestamp.init(stored:))
      )
    }
  }

  private static func instant(_ first: Int64?) -> String { first.map { Timestamp(stored: $0).rfc3339 } ?? "TIME" }
}
