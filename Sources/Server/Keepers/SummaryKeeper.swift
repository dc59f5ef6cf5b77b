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
  private let queue = DispatchQueue(label: "uptake.summary", qos: .utility)
  private let state = Lock(State())
  /// At most this share of the time of one core.
  private static let rest = 9

  init(path: String) { self.path = path }

  /// - Parameter known: grows with every event and every publication. Everything stored is folded.
  func look(known: Int) {
    let isDue = state.withLock { state in
      defer { state.seen = known }
      let isQuiet = state.seen == known
      guard isQuiet, !state.isAtWork, state.summarised != known, state.rested <= .now else { return false }
      (state.isAtWork, state.summarised) = (true, known)
      return true
    }
    guard isDue else { return }
    queue.async { [self] in
      let begin = ContinuousClock.now
      // Without a summary questions walk over the devices: slower, and as right.
      try? Summary.refresh(path: path)
      state.withLock { state in
        state.rested = .now + (.now - begin) * Self.rest
        state.isAtWork = false
      }
    }
  }

  /// Waits for what has begun.
  func stop() { queue.sync {} }
}
