import Lifecycle

extension Device {
  /// The staged release takes over at a launch.
  mutating func apply(at instant: Timestamp, in run: borrowing Run) {
    let release = staged
    emit(Record(at: instant, stage: .applied, trigger: .foreground, release: release, from: running), in: run)
    (previous, running, staged) = (running, release, .none)
    needsConfirmation = true
    crashes = 0
    appliedAt = instant
    if !remembers(.applied, of: release) { remember(.applied, at: instant, release: release, in: run) }
  }

  /// A launch that survives ten seconds proves an update.
  mutating func confirmIfHealthy(launchedAt instant: Timestamp, until end: Timestamp, in run: borrowing Run) {
    guard needsConfirmation, end - instant >= .seconds(10) else { return }
    needsConfirmation = false
    crashes = 0
    emit(Record(at: instant + .seconds(10), stage: .confirmed, trigger: .foreground, release: running), in: run)
  }

  /// Whether this launch crashes: because of a bad release always, otherwise rarely.
  mutating func crash(at instant: Timestamp, in run: borrowing Run) -> Bool {
    let release = run.world.releases[Int(running)]
    let isBad =
      needsConfirmation && traits.share(100 + UInt64(running)) < release.crashes
      && release.crashesAmong.map(traits.isOne) ?? true
    guard isBad || random.chance(run.world.scenario.faults.crash) else { return false }
    crashes += 1
    let end = instant + .seconds(1) * random.uniform(0.6, 1.9)
    emit(Record(at: end, stage: .crashed, trigger: .foreground, release: running), in: run)
    if !remembers(.crashed, of: running) { remember(.crashed, at: end, release: running, in: run) }
    return true
  }

  /// Two crashes of an unconfirmed release: the client returns to the one before and never takes this one again.
  mutating func takeBackAfterCrashes(at instant: Timestamp, in run: borrowing Run) {
    guard needsConfirmation, crashes >= 2 else { return }
    rollBack(.crash, at: instant + Milliseconds(rawValue: 150), trigger: .foreground, in: run)
  }

  /// Some devices find out hours later that the release does not work for them.
  mutating func takeBackLate(at instant: Timestamp, in run: borrowing Run) {
    let plan = run.world.releases[Int(running)]
    guard plan.takenBack > 0, instant - appliedAt >= plan.takenBackAfter,
      traits.share(300 + UInt64(running)) < plan.takenBack
    else { return }
    rollBack(.crash, at: instant + Milliseconds(rawValue: 150), trigger: .foreground, in: run)
  }

  /// The server took the release back: a client in front returns to the one before unless a newer one is offered.
  mutating func takeBackIfHalted(at instant: Timestamp, offered: Int?, trigger: Trigger, in run: borrowing Run) {
    let world = run.world
    if staged != .none, world.isHalted(release: Int(staged), cell: cell(), at: instant) { staged = .none }
    guard trigger == .foreground, world.isHalted(release: Int(running), cell: cell(), at: instant) else { return }
    if let offered, world.offers[offered].release > Int(running) { return }
    rollBack(.server, at: instant, trigger: trigger, in: run)
  }

  private mutating func rollBack(_ reason: Reason, at instant: Timestamp, trigger: Trigger, in run: borrowing Run) {
    emit(
      Record(
        at: instant, stage: .rolledBack, trigger: trigger, release: running, from: running, reason: reason), in: run)
    remember(.rolledBack, at: instant, release: running, detail: reason.rawValue, in: run)
    rejected |= 1 << UInt64(running & 63)
    (running, staged, needsConfirmation, crashes) = (previous, .none, false, 0)
  }
}
