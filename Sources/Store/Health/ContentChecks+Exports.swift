import Lifecycle

extension ContentChecks {
  /// How long news may wait before somebody should look.
  private static let patience = Milliseconds.days(1)

  /// Receivers that take nothing, and news that nobody sends.
  static func exports(_ connection: borrowing Connection, now: Timestamp) throws(StoreError) -> Word {
    guard try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'export_target'") > 0 else {
      return .ok("nothing was told to other programs")
    }
    let standings = try ExportStanding.all(connection)
    let failing = standings.filter(\.isFailing)
    guard failing.isEmpty else {
      return .warn(
        failing.map { $0.trouble }.joined(separator: "; "),
        fix: .each(failing.map { $0.remedy(now: now, connection.path) }))
    }
    let late = standings.filter { $0.waiting > 0 && $0.oldest.map { now - patience > $0 } ?? false }
    guard late.isEmpty else {
      return .warn(
        late.map { "\($0.target): \($0.queue) and nobody sends them" }.joined(separator: "; "),
        fix: .each(late.map { $0.sending(connection.path) }))
    }
    return .ok(
      standings.isEmpty
        ? "nothing was told to other programs"
        : standings.map { "\($0.target): \($0.sent) told, \($0.waiting) waiting" }.joined(separator: "; "))
  }
}

extension ExportStanding {
  /// The argument is the whole place: who knows the receivers says how it is called.
  fileprivate func sending(_ path: String) -> Remedy {
    "\(command: "export", argument: target, options: ["send": nil, "db": path])"
  }

  fileprivate var queue: String {
    "\(waiting) waiting" + (oldest.map { ", the oldest since \($0.rfc3339)" } ?? "")
  }

  fileprivate var trouble: String {
    let since = sentAt.map { "took nothing since \($0.rfc3339)" } ?? "never took anything"
    let last = failedAt.map { "; the last answer, at \($0.rfc3339): \(reason ?? "none")" } ?? ""
    return "\(target) \(since), \(queue)\(last)"
  }

  fileprivate func remedy(now: Timestamp, _ path: String) -> Remedy {
    if pausedUntil > now { return "nothing: it is asked again after \(pausedUntil)" }
    if reason?.contains(" redirects to ") ?? false { return "mend its address, then: \(sending(path))" }
    return switch reason?.prefix(3) {
    case "401", "403", "404", "410": "mend its key or its address, then: \(sending(path))"
    case "400", "413", "422": "what it refused is not sent again; see what it says of it"
    default: "see that it can be reached and answers, then: \(sending(path))"
    }
  }
}
