internal import Console
internal import Dispatch
internal import Locks
internal import Query
internal import Store

/// Summarises anew when everything is folded and nothing comes in, on a thread of its own.
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
  private let queue = DispatchQueue(label: "uptake.summary", qos: .utility)
  private let state = Lock(State())
  /// At most this share of the time of one core.
  private static let rest = 9
  /// Between one that failed and the next attempt, at least.
  private static let restAfterFailure = Swift.Duration.seconds(10)

  init(path: String, journal: ServiceLog) { (self.path, self.journal) = (path, journal) }

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
    // It took more than the service does beside; what is kept for a next time is of use to nobody.
    Memory.giveBack()
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
    do { try Summary.refresh(path: path) } catch { return "\(error)" }
    return nil
  }

  /// Waits for what has begun.
  func stop() { queue.sync {} }
}
