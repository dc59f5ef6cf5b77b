import CMicrohttpd
import Glibc
import Locks
import Synchronization

/// The thread at the door: accepts connections, spreads them over the workers, ends those that are late.
final class Keeper: Sendable {
  private let service: Service
  private let workers: [Worker]
  private let listener: Lock<Listener?>
  private let descriptor: Int32
  private let isClosing = Atomic<Bool>(false)
  private let bell: Doorbell
  private let tick: Int32

  init(_ service: Service, _ workers: [Worker], _ listener: consuming Listener) throws(ListenError) {
    self.service = service
    self.workers = workers
    descriptor = listener.descriptor
    bell = try Doorbell()
    let timeouts = [
      service.configuration.headerTimeout, service.configuration.bodyTimeout,
      service.configuration.idleTimeout, service.configuration.sendTimeout,
    ]
    let shortest = timeouts.map(\.milliseconds).min() ?? 1000
    tick = Int32(min(max(shortest / 4, 10), 1000))
    self.listener = Lock(listener)
  }

  func run() {
    var turn = 0
    while !isClosing.load(ordering: .acquiring) {
      let isDraining = service.isDraining.load(ordering: .relaxed)
      let hasRoom = service.roster.count < service.maxConnections
      if wait(forClients: !isDraining && hasRoom) { acceptAll(&turn) }
      if isDraining { stopListening(&turn) }
      let late = service.roster.sweep(now: Clock.milliseconds(), draining: isDraining)
      service.timedOut.add(late, ordering: .relaxed)
    }
  }

  func close() {
    isClosing.store(true, ordering: .releasing)
    bell.ring()
  }

  func drain() {
    service.isDraining.store(true, ordering: .relaxed)
    bell.ring()
  }

  /// Takes those that have connected already, then refuses the rest.
  private func stopListening(_ turn: inout Int) {
    guard listener.withLock({ $0 != nil }) else { return }
    if case .inherited = service.configuration.address {} else { acceptAll(&turn) }
    listener.withLock { $0 = nil }
  }

  /// True when a client may be waiting.
  private func wait(forClients: Bool) -> Bool {
    var watched = [
      pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: forClients ? descriptor : -1, events: Int16(POLLIN), revents: 0),
    ]
    poll(&watched, 2, forClients ? tick : min(tick, 20))
    if watched[0].revents != 0 { bell.answer() }
    return watched[1].revents != 0
  }

  private func acceptAll(_ turn: inout Int) {
    while service.roster.count < service.maxConnections {
      var address = SocketAddress()
      let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      let client = address.withMutablePointer { accept4(descriptor, $0, $1, flags) }
      guard client >= 0 else {
        if errno == EINTR || errno == ECONNABORTED { continue }
        if errno == EMFILE || errno == ENFILE || errno == ENOMEM { usleep(10_000) }
        return
      }
      admit(client, address, &turn)
    }
  }

  private func admit(_ client: Int32, _ address: SocketAddress, _ turn: inout Int) {
    let isPlain = service.configuration.tls == nil
    let connection = Connection(descriptor: client, address: address, isPlain: isPlain)
    guard service.roster.admit(connection.crowd, limit: service.configuration.maxConnectionsPerAddress) else {
      service.turnedAway.add(1, ordering: .relaxed)
      if isPlain { connection.sendDirectly(.tooManyConnections) }
      Glibc.close(client)
      return
    }
    service.accepted.add(1, ordering: .relaxed)
    workers[turn % workers.count].mailbox.deliver(Mailbox.Arrival(connection: connection, address: address))
    turn &+= 1
  }
}
