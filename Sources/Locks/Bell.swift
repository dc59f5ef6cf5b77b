internal import Glibc

/// Wakes a thread that waits for a while.
///
/// By a clock that nobody sets. A semaphore of libdispatch waits by the wall clock on Linux: whoever waits for a quarter of a second
/// waits for an hour more where that is set back by one.
public final class Bell: @unchecked Sendable {
  // The C library lets threads share these two, and `rung` is seen under the mutex alone.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// How often it rang, and nobody has come yet.
  private var rung = 0

  public init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  public func signal() {
    pthread_mutex_lock(mutex)
    rung += 1
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Returns when it rings, at once where it did before, and after so long at the latest.
  public func wait(_ duration: Duration) {
    var end = Self.moment(after: duration)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while rung == 0 {
      guard pthread_cond_timedwait(condition, mutex, &end) == 0 else { return }
    }
    rung -= 1
  }

  private static func moment(after duration: Duration) -> timespec {
    var moment = timespec()
    clock_gettime(CLOCK_MONOTONIC, &moment)
    let (seconds, attoseconds) = duration.components
    let nanoseconds = moment.tv_nsec + Int(attoseconds / 1_000_000_000)
    moment.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    moment.tv_nsec = nanoseconds % 1_000_000_000
    return moment
  }
}
