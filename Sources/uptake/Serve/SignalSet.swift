internal import Glibc

/// Signals that this process takes one by one, where it is ready for them, instead of being interrupted.
struct SignalSet: Sendable {
  private var set = sigset_t()

  init(_ signals: [CInt]) {
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
  }

  /// For this thread and all it starts; call it before there are others.
  func block() {
    var copy = set
    pthread_sigmask(SIG_BLOCK, &copy, nil)
  }

  /// For this thread.
  func unblock() {
    var copy = set
    pthread_sigmask(SIG_UNBLOCK, &copy, nil)
  }

  /// The same, but nil where none comes in this time.
  func wait(milliseconds: Int) -> CInt? {
    var (copy, pause) = (set, timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000))
    let signal = sigtimedwait(&copy, nil, &pause)
    return signal > 0 ? signal : nil
  }

  /// Sleeps until one of them comes.
  func wait() -> CInt {
    var (copy, signal) = (set, CInt(0))
    sigwait(&copy, &signal)
    return signal
  }
}
