internal import Glibc

/// A clock that nobody sets, exact to some milliseconds: what limits count by.
enum MonotonicClock {
  static func nanoseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }
}
