internal import Synchronization

/// What a run has said that is said once.
final class SaidLines: Sendable {
  private let lines = Mutex<Set<String>>([])

  func isNew(_ line: String) -> Bool { lines.withLock { $0.insert(line).inserted } }
}
