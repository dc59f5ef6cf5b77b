import Lifecycle

extension Device {
  /// A device that has been in use for long when the simulated time begins.
  init(settled number: Int, in run: borrowing Run) {
    self.init(number: number, in: run)
    let start = run.world.start
    lastUse = start - random.exponential(mean: .days(1) * (1 / max(traits.opensPerDay, 0.02)))
    processUntil = lastUse + random.exponential(mean: .hours(6))
    isForceQuit = traits.platform == .ios && random.chance(traits.forceQuits)
    remember(.installed, at: start, release: 0, in: run)
    beginHabits(at: start, in: run)
    scheduleOpen(after: start, in: run)
    if !isForceQuit { scheduleRefresh(after: start - random.uniform(.zero, .hours(6)), in: run) }
    timers[.refresh] = max(timers[.refresh], start)
  }

  /// A device whose first launch is to come.
  init(newcomer number: Int, at instant: Timestamp, in run: borrowing Run) {
    self.init(number: number, in: run)
    isInstalled = false
    timers[.arrival] = instant
  }

  private init(number: Int, in run: borrowing Run) {
    var random = Randomness(seed: run.world.seed, stream: UInt64(number))
    traits = Traits(number: number, in: run.world.scenario, seed: run.world.seed, &random)
    channel = drawnChannel(run.world.scenario.channels, random.unit())
    self.random = random
  }

  /// Lives on until every alarm lies at or after the limit.
  mutating func advance(to limit: Timestamp, in run: inout Run) {
    while case let (due, at) = timers.next, at < limit {
      timers[due] = .never
      switch due {
      case .arrival: arrive(at: at, in: &run)
      case .open: open(at: at, in: &run)
      case .refresh: refresh(at: at, in: &run)
      case .location: locate(at: at, in: &run)
      case .campaign: receiveCampaign(at: at, in: &run)
      case .delivery: tryDelivery(at: at, in: &run)
      case .notice: receiveNotice(at: at, in: &run)
      case .flush: flush(at: at, in: &run)
      case .departure: depart(at: at, in: &run)
      }
    }
  }

  private mutating func arrive(at instant: Timestamp, in run: inout Run) {
    isInstalled = true
    remember(.installed, at: instant, release: 0, in: run)
    beginHabits(at: instant, in: run)
    open(at: instant, in: &run)
  }

  /// Sets the alarms that run as long as the app is installed.
  private mutating func beginHabits(at instant: Timestamp, in run: borrowing Run) {
    let (habits, rhythm) = (run.world.scenario.habits, run.world.rhythm)
    let perMonth = -ln(1 - min(habits.churn, 0.99))
    timers[.departure] = perMonth > 0 ? instant + random.exponential(mean: .days(30) * min(1 / perMonth, 1e4)) : .never
    if traits.locates { timers[.location] = rhythm.next(after: instant, perDay: 1.5, offset: traits.offset, &random) }
    scheduleNotice(after: instant, in: run)
    nextCampaign = run.world.campaigns.firstIndex { $0.at >= instant } ?? run.world.campaigns.count
    scheduleCampaign(in: run)
  }

  /// The user uninstalls, or never opens the app again; an abandoned app is forgotten by the system after a week.
  private mutating func depart(at instant: Timestamp, in run: inout Run) {
    if !isAbandoned { remember(.ended, at: instant, in: run) }
    guard isAbandoned || random.chance(0.7) else {
      isAbandoned = true
      (timers[.open], timers[.notice], timers[.location]) = (.never, .never, .never)
      timers[.departure] = instant + .days(7)
      return
    }
    discardHeld(.removed, in: &run)
    let comesBack = !isAbandoned && random.chance(run.world.scenario.habits.reinstalls)
    timers.clear()
    isInstalled = false
    outbox = []
    if comesBack {
      beginAnew(at: instant + random.uniform(.hours(1), .days(8)), in: &run)
    } else {
      scheduleCampaign(in: run)
    }
  }

  /// The same person and phone, but for everybody else a device never seen before.
  private mutating func beginAnew(at instant: Timestamp, in run: inout Run) {
    run.ledger.close(self, in: run.world)
    let channel = channel
    self = Device(forgetting: self)
    self.channel = channel
    timers[.arrival] = instant
  }

  private init(forgetting old: Device) {
    traits = old.traits
    traits.key = mixed(old.traits.key &+ 1)
    random = old.random
    isInstalled = false
  }
}

private func drawnChannel(_ channels: [ChannelShare], _ unit: Double) -> UInt8 {
  var rest = unit * channels.reduce(0) { $0 + $1.share }
  for (index, channel) in channels.enumerated() {
    rest -= channel.share
    if rest < 0 { return UInt8(index) }
  }
  return 0
}
