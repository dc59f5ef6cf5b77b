internal import Console
internal import Dispatch
internal import Locks
internal import Synchronization

/// Makes summaries when they are due, in a process of their own.
final class SummaryKeeper: Sendable {
  private let path: String
  private let journal: ServiceLog
  private let runner: ChoreRunner
  private let isStopping = Atomic(false)
  private let queue = DispatchQueue(label: "uptake.summary", qos: .utility)
  private let pace = Lock(SummaryPace())

  init(path: String, journal: ServiceLog, runner: ChoreRunner) {
    (self.path, self.journal, self.runner) = (path, journal, runner)
  }

  /// - Parameters:
  ///   - known: grows with every event and every publication; nil while events wait to be sorted.
  ///   - folded: grows with every merge and every publication; nil amid a merge.
  func look(known: Int?, folded: Int? = nil) {
    guard let due = pace.withLock({ $0.look(known: known, folded: folded) }) else { return }
    queue.async { [self] in summarise(due) }
  }

  private func summarise(_ due: SummaryPace.Due) {
    let begin = ContinuousClock.now
    let failure = refresh(due)
    pace.withLock { $0.note(took: .now - begin, failed: failure != nil) }
    guard let failure else { return }
    journal.writeSparingly(
      .error, "summary_failed",
      [
        "reason": .string(failure), "effect": .string("questions read the devices instead: slower, and as right"),
      ])
  }

  /// Why it failed; nil where it did not.
  private func refresh(_ due: SummaryPace.Due) -> String? {
    do {
      let chore = SummaryChore(database: path, whileEventsWait: due == .folded)
      _ = try runner.result(of: chore) { isStopping.load(ordering: .relaxed) }
    } catch { return isStopping.load(ordering: .relaxed) ? nil : "\(error)" }
    return nil
  }

  /// What has begun is given up: the next start does it anew.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    queue.sync {}
  }
}
