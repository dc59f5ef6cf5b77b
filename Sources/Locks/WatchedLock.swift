#if THREAD_SANITIZER
  import Glibc

  /// The same, seen by the thread sanitizer. A `Mutex` waits by calls to the kernel that nothing tells the sanitizer of: it
  /// takes whatever the lock guards for a race.
  public struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let handle: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    public init(_ initial: consuming sending Value) {
      handle = .allocate(capacity: 1)
      pthread_mutex_init(handle, nil)
      value = .allocate(capacity: 1)
      value.initialize(to: initial)
    }

    deinit {
      pthread_mutex_destroy(handle)
      handle.deallocate()
      value.deinitialize(count: 1)
      value.deallocate()
    }

    /// Runs `body` with the value, alone; whoever else asks waits.
    public borrowing func withLock<Outcome: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Outcome
    ) throws(Failure) -> sending Outcome {
      pthread_mutex_lock(handle)
      defer { pthread_mutex_unlock(handle) }
      return try body(&value.pointee)
    }
  }
#endif
