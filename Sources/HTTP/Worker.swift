import CMicrohttpd
import Glibc
import Synchronization

/// A thread that serves its share of the connections with a libmicrohttpd daemon of its own.
///
/// The daemon has neither threads nor a listening socket: the worker adds connections to it, resumes them and runs it,
/// always from the one thread. Only `mailbox` and `service` are used by others; that is the proof behind
/// `@unchecked Sendable`.
final class Worker: @unchecked Sendable {
  let service: Service
  let mailbox: Mailbox
  /// Takes new connections.
  private var daemon: Daemon
  /// Those from before the certificate was renewed, until nobody is connected to them.
  private var former: [Daemon] = []
  private let events: EventQueue
  private var connections: [Int32: Connection] = [:]
  private var arriving: Connection?
  private var lingering = Lingering()
  private var lastTarget: (raw: String, parsed: Target)?

  init(_ service: Service) throws(ListenError) {
    self.service = service
    mailbox = try Mailbox()
    events = try EventQueue()
    daemon = try Daemon(service.configuration, maxConnections: service.maxConnections)
    daemon.bind(self)
    events.add(daemon.descriptor)
    events.add(mailbox.bell.descriptor)
  }

  /// Serves until the mailbox closes; then answers what waits with a 503 and closes all connections.
  func run() {
    var mail = Mailbox.Contents()
    while !mail.isClosing {
      mailbox.take(into: &mail)
      if let renewed = mail.renewed?.daemon { replace(by: renewed) }
      for arrival in mail.arrivals { open(arrival) }
      for reply in mail.answered { daemon.resume(reply) }
      runAll()
      waitForEvents()
    }
    answerWhatWaits()
    runAll()
    for daemon in former + [daemon] { daemon.stop() }
  }

  private func runAll() {
    daemon.run()
    guard !former.isEmpty else { return }
    for daemon in former {
      daemon.run()
      if daemon.isIdle { daemon.stop() }
    }
    former.removeAll { $0.isStopped }
  }

  private func replace(by renewed: Daemon) {
    former.append(daemon)
    renewed.bind(self)
    events.add(renewed.descriptor)
    daemon = renewed
  }

  private var hasMoreToDo: Bool { daemon.hasMoreToDo || former.contains { $0.hasMoreToDo } }

  private func waitForEvents() {
    if hasMoreToDo {
      if !lingering.isEmpty { receive(events.wait(milliseconds: 0)) }
    } else if mailbox.fallAsleep() {
      let ready = pauseUnlessReady()
      mailbox.wakeUp()
      receive(ready)
    }
  }

  /// Says that nothing is to do, where that is so, and waits.
  private func pauseUnlessReady() -> [Int32] {
    let ready = service.configuration.pause == nil ? [] : events.wait(milliseconds: 0)
    guard ready.isEmpty else { return ready }
    service.configuration.pause?()
    return events.wait(milliseconds: lingering.isEmpty ? -1 : 200)
  }

  private func receive(_ ready: [Int32]) {
    for descriptor in ready {
      if descriptor == mailbox.bell.descriptor { mailbox.bell.answer() } else { lingering.read(descriptor) }
    }
    lingering.closeLate(now: Clock.milliseconds())
  }

  private func answerWhatWaits() {
    for connection in connections.values {
      guard case .handling(let reply)? = connection.exchange?.phase else { continue }
      if reply.replace(with: UnhandledRequest.draining.response) { daemon.resume(reply) }
    }
    var mail = Mailbox.Contents()
    mailbox.take(into: &mail)
    for reply in mail.answered { daemon.resume(reply) }
    for arrival in mail.arrivals { open(arrival) }
  }
}

// MARK: connections

extension Worker {
  private func open(_ arrival: Mailbox.Arrival) {
    service.expect(.head, of: arrival.connection)
    arriving = arrival.connection
    daemon.add(arrival)
    if arriving != nil {
      arriving = nil
      service.roster.closed(arrival.connection)
    }
  }

  /// The connection that is just being added to the daemon.
  func opened() -> Connection? {
    guard let connection = arriving else { return nil }
    arriving = nil
    connections[connection.descriptor] = connection
    service.roster.opened(connection)
    return connection
  }

  func closed(_ connection: Connection) {
    connections[connection.descriptor] = nil
    if connection.lingers, let copy = lingering.keep(connection.descriptor, now: Clock.milliseconds()) {
      events.add(copy)
    }
    service.roster.closed(connection)
  }
}

// MARK: requests

extension Worker {
  func began(_ rawTarget: String, on connection: Connection) -> Exchange {
    let exchange = Exchange(connection: connection, rawTarget: rawTarget)
    connection.exchange = exchange
    service.expect(.head, of: connection)
    service.inFlight.add(1, ordering: .relaxed)
    return exchange
  }

  func ended(_ exchange: Exchange, _ ending: MHD_RequestTerminationCode) {
    let connection = exchange.connection
    if ending == .REQUEST_TERMINATED_WITH_ERROR { connection.lingers = true }
    exchange.release()
    connection.exchange = nil
    service.inFlight.subtract(1, ordering: .relaxed)
    service.expect(.idle, of: connection)
    service.configuration.observe?(exchange.observation)
  }

  /// The target, parsed, which as it is sent holds neither spaces nor controls; devices send the same one again and again.
  func target(_ raw: String) -> Target? {
    if let lastTarget, lastTarget.raw == raw { return lastTarget.parsed }
    guard raw.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let target = Target(raw) else { return nil }
    if raw.utf8.count < 256 { lastTarget = (raw, target) }
    return target
  }
}
