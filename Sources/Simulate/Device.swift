import Lifecycle

/// One installation and everything the systems, the client and its user remember about it.
struct Device {
  var traits: Traits
  var random: Randomness
  var timers = Timers()
  var channel: UInt8 = 0

  // What the update client remembers.
  var running: ReleaseNumber = 0
  var previous: ReleaseNumber = 0
  var staged: ReleaseNumber = .none
  /// The newest release that was announced, and how much of it lies on disk from attempts that were cut short.
  var announced: ReleaseNumber = .none
  var partialBytes: Int64 = 0
  /// The patch did not apply: the next attempt downloads the whole release.
  var needsWhole = false
  /// Releases that were rolled back here, one bit each.
  var rejected: UInt64 = 0
  var needsConfirmation = false
  var crashes: UInt8 = 0
  var appliedAt = Timestamp(rawValue: 0)
  var lastCheck = Timestamp(rawValue: 0)
  var outbox: [Record] = []
  var sequence: UInt32 = 0
  var failedSends: UInt8 = 0
  var lastReport = Timestamp(rawValue: 0)

  // What the system remembers.
  var isForceQuit = false
  var lastUse = Timestamp(rawValue: 0)
  var processUntil = Timestamp(rawValue: 0)
  var foregroundUntil = Timestamp(rawValue: 0)
  var inbox = PushInbox()
  var nextCampaign = 0
  /// The visible notification whose tap causes the next opening.
  var tappedNotice: UInt16 = 0
  var notices: UInt16 = 0

  // What its user decided.
  var isInstalled = true
  var isAbandoned = false

  var history: [Milestone] = []
  /// When its newest event happened.
  var lastWord = Timestamp(rawValue: 0)
  /// Campaigns whose push the gateway took for it, and of these the ones that arrived; a bit each for the first 64.
  var pushed: UInt64 = 0
  var arrived: UInt64 = 0

  func surroundings(_ world: World) -> Surroundings {
    Surroundings(traits: traits, offline: world.scenario.transport.offline)
  }

  func cell() -> Int { World.cell(channel: channel, platform: traits.platform) }

  /// Queues an event; the oldest make room when the queue is full.
  mutating func emit(_ record: Record, in run: borrowing Run) {
    var record = record
    record.sequence = sequence
    record.channel = channel
    sequence += 1
    lastWord = max(lastWord, record.at)
    if outbox.count >= run.world.scenario.transport.queue { outbox.removeFirst(outbox.count / 10 + 1) }
    outbox.append(record)
  }

  mutating func remember(
    _ kind: Milestone.Kind, at instant: Timestamp, release: ReleaseNumber = .none, detail: UInt8 = 0,
    in run: borrowing Run
  ) {
    let seconds = Int32(truncatingIfNeeded: (instant - run.world.start).rawValue / 1000)
    history.append(Milestone(seconds: seconds, release: release, kind: kind, detail: detail))
  }

  func remembers(_ kind: Milestone.Kind, of release: ReleaseNumber) -> Bool {
    history.contains { $0.kind == kind && $0.release == release }
  }

  mutating func scheduleRefresh(after instant: Timestamp, in run: borrowing Run) {
    if run.world.scenario.broken.refresh.contains(traits.platform) { return timers[.refresh] = .never }
    let schedule = RefreshSchedule(
      surroundings: surroundings(run.world), client: run.world.scenario.client, lastUse: lastUse)
    timers[.refresh] = schedule.next(after: instant, &random) ?? .never
  }

  mutating func scheduleOpen(after instant: Timestamp, in run: borrowing Run) {
    timers[.open] = run.world.rhythm.next(
      after: instant, perDay: traits.opensPerDay * 0.65, offset: traits.offset, &random)
  }
}
