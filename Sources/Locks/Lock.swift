#if !THREAD_SANITIZER
  public import Synchronization

  /// A value that one thread at a time may see: a `Mutex`, but for runs under the thread sanitizer (see `WatchedLock.swift`).
  public struct Lock<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>

    @inlinable public init(_ initial: consuming sending Value) { mutex = Mutex(initial) }

    /// Runs `body` with the value, alone; whoever else asks waits.
    @inlinable public borrowing func withLock<Outcome: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Outcome
    ) throws(Failure) -> sending Outcome {
      try mutex.withLock(body)
    }
  }
#endif
