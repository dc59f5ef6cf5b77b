import Lifecycle

extension Device {
  /// Events of one request, at most.
  static let batch = 100

  /// Sends the queue as real clients do: off line it waits, on failure it backs off, and an answer that got lost makes
  /// it send the same events again.
  mutating func flush(at instant: Timestamp, in run: inout Run) {
    guard !outbox.isEmpty else { return }
    if let at = run.world.scenario.broken.silent[run.world.scenario.channels[Int(channel)].name],
      instant >= run.world.start + at
    {
      return outbox.removeAll()
    }
    let surroundings = surroundings(run.world)
    guard surroundings.network(at: instant) != .none else {
      let online = surroundings.next(from: instant, within: .days(1)) { surroundings.network(at: $0) != .none }
      return timers[.flush] = (online ?? instant + .days(1)) + random.uniform(.seconds(2), .minutes(10))
    }
    guard !random.chance(run.world.scenario.transport.retries) else {
      failedSends = min(failedSends + 1, 6)
      return timers[.flush] = instant + random.exponential(mean: .minutes(1) * Double(1 << failedSends))
    }
    failedSends = 0
    lastReport = instant
    let kept = random.chance(0.004) ? outbox.count / 2 : 0
    send(outbox[kept...], at: instant, in: &run)
    if random.chance(run.world.scenario.transport.duplicates) {
      return timers[.flush] = instant + random.uniform(.seconds(20), .minutes(20))
    }
    outbox.removeSubrange(kept...)
    if kept > 0 { timers[.flush] = instant + random.uniform(.minutes(30), .hours(12)) }
  }

  private mutating func send(_ records: ArraySlice<Record>, at instant: Timestamp, in run: inout Run) {
    let loss = run.world.scenario.transport.loss
    var rest = records
    while !rest.isEmpty {
      let received = instant + random.logNormal(median: Milliseconds(rawValue: 180), spread: 0.7)
      run.begin(for: traits, sentAt: instant + traits.skew, received: received)
      for record in rest.prefix(Self.batch) where !random.chance(loss) { run.append(record, of: traits) }
      run.end()
      rest = rest.dropFirst(Self.batch)
    }
  }
}
