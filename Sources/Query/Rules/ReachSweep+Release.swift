import Lifecycle
import Store

/// What it runs at one instant after another.
extension ReachSweep {
  /// 0 where the device never said.
  ///
  /// - Parameter instant: not before any that was asked about.
  @inline(__always)
  mutating func release(at instant: Int64) -> Int64 {
    instant < known.until ? known.release : newRelease(at: instant)
  }

  mutating func newRelease(at instant: Int64) -> Int64 {
    while nextStatement < statements.count, statements[nextStatement].start <= instant {
      open.append(statements[nextStatement])
      nextStatement += 1
    }
    settle(instant)
    var (latest, until) = (ended, nextStatement < statements.count ? statements[nextStatement].start : Int64.max)
    // At the very instant at which one ends, claims decide; a moment later time does.
    if ended?.end == instant { until = instant }
    var isOver = true
    for var statement in open {
      until = min(until, statement.end)
      statement.end = certain(statement, at: instant)
      if let known = latest, statement.precedes(known, runs.order) { continue }
      (latest, isOver) = (statement, false)
    }
    guard let latest else {
      known = (0, until)
      return 0
    }
    if latest.claim == .rolledBack {
      let release = restored(by: latest)
      // While a rollback goes on, each instant has an end of its own.
      if isOver { known = (release, until) }
      return release
    }
    known = (latest.release, until)
    return latest.release
  }

  /// Takes out of the open ones what has ended.
  mutating func settle(_ instant: Int64) {
    var kept = 0
    for index in open.indices {
      let statement = open[index]
      if statement.end > instant {
        open[kept] = statement
        kept += 1
      } else {
        note(ended: statement)
      }
    }
    if kept < open.count { open.removeLast(open.count - kept) }
  }

  /// When the claim of one that goes on after the instant last held for certain: a run may span a change and come back
  /// to what it said.
  func certain(_ statement: Statement, at instant: Int64) -> Int64 {
    var index = nextStatement - 1
    while index >= 0, case let other = statements[index], other.start > statement.start {
      if other.claim > .running,
        other.release != statement.release || other.claim == .rolledBack && statement.claim != .rolledBack
      {
        return statement.start
      }
      index -= 1
    }
    return instant
  }
}
