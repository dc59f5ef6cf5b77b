internal import Dispatch
internal import Glibc
internal import Synchronization

/// While it lasts, a signal that is blocked elsewhere cleans up and ends the program.
final class Interruption: Sendable {
  private let isOver = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)

  init(_ signals: SignalSet, cleanUp: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async { [self] in
      while !isOver.load(ordering: .relaxed) {
        guard let signal = signals.wait(milliseconds: 50) else { continue }
        cleanUp()
        // As a shell reports a program that the signal ended.
        _exit(128 + signal)
      }
      ended.signal()
    }
  }

  /// Signals that come from now on are somebody else's.
  func stop() {
    isOver.store(true, ordering: .relaxed)
    ended.wait()
  }
}
