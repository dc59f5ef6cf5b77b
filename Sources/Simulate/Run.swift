import Lifecycle

/// What the devices of a fleet share while it runs: the world, the truth about it, and the requests on their way out.
struct Run: ~Copyable {
  let world: World
  var ledger: Ledger
  private let wire: Wire

  /// Requests of the device at work; whoever drives the run takes them out after each device.
  private(set) var outgoing = Outgoing()
  /// What the push server has to report; taken out when it is much, and at the end of a slice.
  private(set) var gateway = Outgoing()

  /// The queue's memory, lent to the device at work so that the others need none of their own.
  var spareQueue: [Record] = []

  init(_ world: World, stampsTransport: Bool) {
    self.world = world
    ledger = Ledger(world)
    wire = Wire(world, stampsTransport: stampsTransport)
  }

  mutating func begin(for traits: Traits, sentAt: Timestamp, received: Timestamp) {
    outgoing.open(Envelope(device: traits.key, sentAt: sentAt, received: received))
    wire.setPrefix(of: traits, in: world.scenario, into: &outgoing.prefix)
  }

  mutating func append(_ record: Record, of traits: Traits) {
    wire.append(record, of: traits, envelope: outgoing.current, prefix: outgoing.prefix, to: &outgoing.bytes)
    outgoing.current.events += 1
  }

  mutating func end() { outgoing.close() }

  /// The push server's own report that the gateway took a push, or refused it.
  mutating func send(push campaign: Int, to traits: Traits, channel: UInt8, accepted: Bool, at instant: Timestamp) {
    if gateway.current.events == 0 { gateway.open(Envelope(device: nil, sentAt: instant, received: instant)) }
    gateway.current.sentAt = max(gateway.current.sentAt, instant + .seconds(1))
    gateway.current.received = gateway.current.sentAt + Milliseconds(rawValue: 120)
    wire.append(
      push: campaign, release: world.campaigns[campaign].release, to: traits, channel: channel, accepted: accepted,
      at: instant, bytes: &gateway.bytes)
    gateway.current.events += 1
    if gateway.current.events >= 500 { gateway.close() }
  }

  var events: Int { outgoing.delivered.events + gateway.delivered.events }
  var requests: Int { outgoing.delivered.requests + gateway.delivered.requests }

  mutating func closeGateway() { gateway.close() }

  /// Hands out the finished requests and forgets them.
  mutating func drain(_ deliver: (Request) throws -> Void) rethrows {
    try outgoing.drain(wire, deliver)
    try gateway.drain(wire, deliver)
  }
}

struct Envelope {
  /// The device's key; nil is the push server.
  var device: UInt64?
  var sentAt: Timestamp
  var received: Timestamp
  var events = 0
  var range = 0..<0
}

/// Finished requests, their bytes end to end, and one that is being written.
struct Outgoing {
  var bytes: [UInt8] = []
  var prefix: [UInt8] = []
  var current = Envelope(device: nil, sentAt: Timestamp(rawValue: 0), received: Timestamp(rawValue: 0))
  private(set) var delivered = (requests: 0, events: 0)
  private var begin = 0
  private var finished: [Envelope] = []

  mutating func open(_ envelope: Envelope) {
    current = envelope
    begin = bytes.count
  }

  mutating func close() {
    guard current.events > 0 else { return }
    current.range = begin..<bytes.count
    finished.append(current)
    current.events = 0
    begin = bytes.count
  }

  mutating func drain(_ wire: Wire, _ deliver: (Request) throws -> Void) rethrows {
    guard !finished.isEmpty else { return }
    for envelope in finished {
      delivered = (delivered.requests + 1, delivered.events + envelope.events)
      try deliver(
        Request(
          sender: envelope.device.map { .device(id: wire.id($0)) } ?? .pushServer, received: envelope.received,
          sentAt: envelope.sentAt, events: envelope.events, body: bytes[envelope.range]))
    }
    finished.removeAll(keepingCapacity: true)
    let rest = current.events > 0 ? Array(bytes[begin...]) : []
    bytes.removeAll(keepingCapacity: true)
    bytes += rest
    begin = 0
  }
}
