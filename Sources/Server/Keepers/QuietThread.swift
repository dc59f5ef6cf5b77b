internal import Glibc

/// A thread that gives way to all others, for work beside the requests. It takes no signals: they are the main thread's.
enum QuietThread {
  /// As much as the main thread has: answers and pages are made on it.
  private static let stackBytes = 8 << 20

  /// Runs it on a thread of this name, of 15 bytes at most; on the thread that calls where the system has no room for another.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    if !starts(name, body) { body() }
  }

  /// False where the system has no room for another.
  static func starts(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(Box(name, body))
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    let isStarted = create(box.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    if !isStarted { box.release() }
    return isStarted
  }

  private static func create(_ context: UnsafeMutableRawPointer) -> Bool {
    withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { attributes in
      guard let attributes = attributes.baseAddress, pthread_attr_init(attributes) == 0 else { return false }
      defer { pthread_attr_destroy(attributes) }
      pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
      pthread_attr_setstacksize(attributes, stackBytes)
      var handle = pthread_t()
      return pthread_create(&handle, attributes, run, context) == 0
    }
  }

  private final class Box {
    let name: String
    let body: @Sendable () -> Void
    init(_ name: String, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
  }

  private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
    guard let context else { return nil }
    let box = Unmanaged<Box>.fromOpaque(context).takeRetainedValue()
    name(box.name)
    giveWay()
    box.body()
    return nil
  }

  /// This thread from here on, and all that it starts.
  static func giveWay() { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }

  /// What `top -H` shows; without `/proc` it is the program's.
  private static func name(_ name: String) {
    guard let file = fopen("/proc/thread-self/comm", "we") else { return }
    fputs(name, file)
    fclose(file)
  }
}
