internal import Dispatch
internal import Store
internal import Synchronization

/// Folds on a thread of its own while an import stores, so that little is left to fold at its end.
final class FoldAlong: Sendable {
  /// Fold once so many events wait: often enough to leave little for the end, seldom enough that shards are not written
  /// again and again.
  private static let step = 400_000

  private let log: EventLog
  private let queue = DispatchQueue(label: "uptake.fold")
  private let isFolding = Atomic(false)
  private let folded = Atomic(0)

  init(_ log: EventLog) { self.log = log }

  /// - Parameter stored: how many events there are by now.
  func note(stored: Int) {
    guard stored - folded.load(ordering: .relaxed) >= Self.step, !isFolding.exchange(true, ordering: .acquiring) else {
      return
    }
    queue.async { [self] in
      // What fails here is tried again at the end, and told then.
      folded.add((try? log.fold()) ?? 0, ordering: .relaxed)
      isFolding.store(false, ordering: .releasing)
    }
  }

  /// Folds what is left, and looks for devices that sent what none can.
  func finish() throws {
    queue.sync {}
    try log.foldAll(isAlone: true)
    try log.setImpossibleAside()
  }
}
