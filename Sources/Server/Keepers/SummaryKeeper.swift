internal import Console
internal import Dispatch
internal import Locks
internal import Synchronization

/// Summarises anew when everything is folded and nothing comes in, in a process of its own.
///
/// While events pour in it does nothing: what it would write is outdated by the next fold, and writing it would keep
/// events waiting.
final class SummaryKeeper: Sendable {
  private struct State {
    var isAtWork = false
    var rested = ContinuousClock.now
    /// What was stored and announced when the newest summary was begun, and at the last look.
    var summarised = -1
    var seen = -1
  }

  private let path: String
  private let journal: ServiceLog
  private let runner: ChoreRunner
  private let isStopping = Atomic(false)
  private let queue = DispatchQueue(label: "uptake.summary", qos: .utility)
  private let state = Lock(State())
  /// At most this share of the time of one core.
  private static let rest = 9
  /// Between one that failed and the next attempt, at least.
  private static let restAfterFailure = Swift.Duration.seconds(10)

  init(path: String, journal: ServiceLog, runner: ChoreRunner) {
    (self.path, self.journal, self.runner) = (path, journal, runner)
  }

  /// - Parameter known: grows with every event and every publication. Everything stored is folded.
  func look(known: Int) {
    let isDue = state.withLock { state in
      defer { state.seen = known }
      let isQuiet = state.seen == known
      guard isQuiet, !state.isAtWork, state.summarised != known, state.rested <= .now else { return false }
      (state.isAtWork, state.summarised) = (true, known)
      return true
    }
    if isDue { queue.async { [self] in summarise() } }
  }

  private func summarise() {
    let begin = ContinuousClock.now
    let failure = refresh()
    state.withLock { state in
      state.rested = .now + max((.now - begin) * Self.rest, failure == nil ? .zero : Self.restAfterFailure)
      // What failed is tried again, also where nothing comes in meanwhile.
      if failure != nil { state.summarised = -1 }
      state.isAtWork = false
    }
    guard let failure else { return }
    journal.writeSparingly(
      .error, "summary_failed",
      [
        "reason": .string(failure), "effect": .string("questions read the devices instead: slower, and as right"),
      ])
  }

  /// Why it failed; nil where it did not.
  private func refresh() -> String? {
    do {
      _ = try runner.result(of: SummaryChore(database: path)) { isStopping.load(ordering: .relaxed) }
    } catch { return isStopping.load(ordering: .relaxed) ? nil : "\(error)" }
    return nil
  }

  /// What has begun is given up: the next start does it anew.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    queue.sync {}
  }
}
