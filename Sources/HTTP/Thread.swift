import Glibc

/// A POSIX thread that runs one closure, with all signals blocked: they belong to the program's main thread.
struct Thread: Sendable {
  private let handle: pthread_t

  /// Nil when the system has no room for another thread.
  init?(_ body: @escaping @Sendable () -> Void) {
    final class Box {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let box = Unmanaged.passRetained(Box(body))
    var handle = pthread_t()
    let failure = pthread_create(
      &handle, nil,
      { context in
        context.map { Unmanaged<Box>.fromOpaque($0).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
    guard failure == 0 else {
      box.release()
      return nil
    }
    self.handle = handle
  }

  func join() { pthread_join(handle, nil) }
}
