import Lifecycle
import Store

/// What a rollback leaves it with.
extension ReachSweep {
  /// What a rollback leaves: the release of the last claim before it that was not rolled back since.
  func restored(by rollback: Statement) -> Int64 {
    var latest: Statement?
    for run in own {
      guard let statement = statement(run, until: rollback.end), statement.claim != .rolledBack else { continue }
      if let known = latest, statement.precedes(known, runs.order) { continue }
      if !isLeft(statement, until: rollback.end) { latest = statement }
    }
    return latest?.release ?? 0
  }

  /// Whether the release of a claim was rolled back after it, up to an instant.
  func isLeft(_ claim: Statement, until instant: Int64) -> Bool {
    own.contains { run in
      guard let other = statement(run, until: instant), other.claim == .rolledBack else { return false }
      return other.release == claim.release && other.end >= claim.end
    }
  }

  /// What a run says up to an instant; nil where it began later or says nothing.
  func statement(_ run: Int, until instant: Int64) -> Statement? {
    let said = runs.kind(run)
    guard said.claim != .silent, runs.starts[run] <= instant else { return nil }
    return Statement(
      start: runs.starts[run], end: min(runs.ends[run], instant), claim: said.claim, release: said.release)
  }
}
