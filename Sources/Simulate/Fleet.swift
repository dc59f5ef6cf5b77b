public import Lifecycle

/// A fleet of devices that live through a scenario.
///
/// Time passes in slices: within one, device after device does what falls into it, and hands over its requests. So a
/// reader sees roughly the order in which a server would, whole devices need not fit into a slice, and memory holds the
/// devices' state and nothing of what they sent. The same scenario, seed and slice give the same bytes.
public struct Fleet: Sendable {
  private let world: World
  private let slice: Milliseconds
  private let stampsTransport: Bool

  /// With `stampsTransport` every event carries the fields `received` and `sentAt`, for files that are imported.
  public init(_ scenario: Scenario, seed: UInt64, slice: Milliseconds = .hours(6), stampsTransport: Bool = false) {
    world = World(scenario, seed: seed)
    self.slice = max(slice, .minutes(1))
    self.stampsTransport = stampsTransport
  }

  /// Plays the scenario from start to end; `progress` hears of each finished slice, from 0 to 1.
  public func run(
    progress: (Double) -> Void = { _ in }, _ deliver: (Request) throws -> Void
  ) rethrows -> Truth {
    var run = Run(world, stampsTransport: stampsTransport)
    var (devices, alarms) = settle(in: run)
    var limit = world.start
    while limit < world.until {
      limit = min(limit + slice, world.until)
      for index in alarms.indices where alarms[index] < limit {
        devices[index].live(until: limit, in: &run)
        alarms[index] = devices[index].timers.next.at
        try run.drain(deliver)
      }
      run.closeGateway()
      try run.drain(deliver)
      progress((limit - world.start).days / max((world.until - world.start).days, 1e-9))
    }
    for device in devices { run.ledger.close(device, in: world) }
    return Truth(world: world, ledger: run.ledger, events: run.events, requests: run.requests)
  }

  /// The devices of the beginning and those that will come, each with its first alarm.
  private func settle(in run: borrowing Run) -> (devices: [Device], alarms: [Timestamp]) {
    let scenario = world.scenario
    let newcomers = Int(Double(scenario.devices * scenario.days) / 30 * scenario.habits.installs)
    var random = Randomness(seed: world.seed, stream: .max)
    var devices: [Device] = []
    devices.reserveCapacity(scenario.devices + newcomers)
    for number in 0..<scenario.devices { devices.append(Device(settled: number, in: run)) }
    for number in scenario.devices..<(scenario.devices + newcomers) {
      let instant = world.start + random.uniform(.zero, world.until - world.start)
      devices.append(Device(newcomer: number, at: instant, in: run))
    }
    return (devices, devices.map { $0.timers.next.at })
  }
}

extension Device {
  /// Advances with the run's spare queue in hand, and keeps of its own queue only what could not be sent.
  fileprivate mutating func live(until limit: Timestamp, in run: inout Run) {
    run.spareQueue.append(contentsOf: outbox)
    outbox = []
    swap(&outbox, &run.spareQueue)
    advance(to: limit, in: &run)
    let unsent = outbox.isEmpty ? [] : Array(outbox)
    outbox.removeAll(keepingCapacity: true)
    swap(&outbox, &run.spareQueue)
    outbox = unsent
  }
}
