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
  ///   - announced: grows with every publication.
  ///   - isUsable: whether questions can make use of the newest summary while events come in.
  func look(known: Int?, announced: Int, isUsable: Bool) {
    guard let due = pace.withLock({ $0.look(known: known, announced: announced, isUsable: isUsable) }) else { return }
    queue.async { [self] in summarise(due) }
  }

  /// Whether a merge does better to wait for a summary, which is begun where none is being made.
  func comesBeforeMerge(announced: Int) -> Bool {
    let (due, isAwaited) = pace.withLock { $0.lookBeforeMerge(announced: announced) }
    if let due { queue.async { [self] in summarise(due) } }
    return isAwaited
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
      let chore = SummaryChore(database: path, whileEventsWait: due == .sorted)
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
