import Glibc

/// Monotonic time that a start cannot make negative. Coarse milliseconds for deadlines, nanoseconds for durations.
enum Clock {
  static func milliseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }

  static func nanoseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }
}

extension Duration {
  /// Whole milliseconds, at least 1.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }
}
