import Glibc
import Locks

/// A running HTTP/1.1 server.
///
/// Threads: `Configuration.threads` workers and one keeper. `close()` (or the last reference going away) ends them.
public final class HTTPServer: Sendable {
  /// The port that is bound; 0 for a socket in the file system.
  public let port: UInt16
  private let service: Service
  private let workers: [Worker]
  private let keeper: Keeper
  private let threads: Lock<[Thread]>

  /// Listens and serves from here on.
  public init(_ configuration: Configuration, handler: @escaping Handler) throws(ListenError) {
    let files = raiseOpenFiles()
    let listener = try Listener(configuration.address)
    port = listener.port
    let service = Service(
      configuration, maxConnections: min(configuration.maxConnections ?? .max, roomForConnections(files)),
      handler: handler)
    var workers: [Worker] = []
    for _ in 0..<max(1, configuration.threads) { workers.append(try Worker(service)) }
    let keeper = try Keeper(service, workers, listener)
    self.service = service
    self.workers = workers
    self.keeper = keeper
    threads = Lock([])
    try start(configuration)
  }

  private func start(_ configuration: Configuration) throws(ListenError) {
    var bodies: [@Sendable () -> Void] = []
    for worker in workers { bodies.append { worker.run() } }
    bodies.append { [keeper] in keeper.run() }
    for body in bodies {
      guard let thread = Thread(body) else {
        close()
        throw ListenError(address: configuration.address.description, reason: .system("pthread_create"))
      }
      threads.withLock { $0.append(thread) }
    }
  }

  deinit { close() }

  /// Takes another certificate for connections from now on; those that are open keep theirs until they end.
  ///
  /// Where it cannot be used nothing changes.
  public func renew(_ tls: Configuration.TLS) throws(ListenError) {
    var configuration = service.configuration
    configuration.tls = tls
    var renewals: [Mailbox.Renewal] = []
    for _ in workers {
      let daemon = try Daemon(configuration, maxConnections: service.maxConnections)
      renewals.append(Mailbox.Renewal(daemon: daemon))
    }
    for (worker, renewal) in zip(workers, renewals) { worker.mailbox.deliver(renewal) }
  }

  public var statistics: Statistics { service.statistics }

  /// Stops accepting, lets requests in flight be answered, ends idle connections.
  ///
  /// Returns true when all connections were gone before the timeout. Blocks; `close()` comes next in any case.
  public func drain(timeout: Duration) -> Bool {
    keeper.drain()
    let end = Clock.milliseconds() + timeout.milliseconds
    while service.roster.count > 0 {
      if Clock.milliseconds() >= end { return false }
      usleep(2000)
    }
    return true
  }

  /// Ends everything at once: requests in flight get a 503 where they can still be written to. Harmless when repeated.
  public func close() {
    let running = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    guard !running.isEmpty else { return }
    keeper.close()
    running.last?.join()
    for worker in workers { worker.mailbox.close() }
    for thread in running.dropLast() { thread.join() }
  }
}

/// How many of so many descriptors connections may take: the database and its readers need some as well.
private func roomForConnections(_ files: Int) -> Int { max(16, files - min(256, files / 2)) }

/// Lifts the soft limit of open files to the hard one; returns it.
private func raiseOpenFiles() -> Int {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  if limit.rlim_cur < limit.rlim_max {
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
  return Int(clamping: min(limit.rlim_cur, 1 << 20))
}
