import Lifecycle
import Store

/// What was said of it, by start.
extension ReachSweep {
  /// By start. Of what ended until the first instant only the last counts, and what may say when one that goes on last
  /// held: see `certain`.
  mutating func loadStatements(_ first: Int64, _ cutOff: Int64) {
    past.removeAll(keepingCapacity: true)
    var earliest = Int64.max
    for run in own {
      let said = runs.kind(run)
      if said.claim == .silent { continue }
      let start = runs.starts[run]
      guard start <= cutOff else { continue }
      let statement = Statement(start: start, end: runs.ends[run], claim: said.claim, release: said.release)
      if statement.end > first {
        insert(statement)
        earliest = min(earliest, start)
      } else {
        note(ended: statement)
        if said.claim > .running { past.append(statement) }
      }
    }
    for index in past.indices where past[index].start > earliest { insert(past[index]) }
  }

  mutating func insert(_ statement: Statement) {
    var index = statements.count
    statements.append(statement)
    while index > 0, statements[index - 1].start > statement.start {
      statements[index] = statements[index - 1]
      index -= 1
    }
    statements[index] = statement
  }

  @inline(__always)
  mutating func note(ended statement: Statement) {
    if let ended, statement.precedes(ended, runs.order) { return }
    ended = statement
  }
}
