import Lifecycle

extension Device {
  /// The user opens the app: a cold start, or a resume where the process still lives.
  mutating func open(at instant: Timestamp, in run: inout Run) {
    let isCold = isForceQuit || instant >= processUntil
    let away = instant - lastUse
    isForceQuit = false
    lastUse = instant
    takeBackAfterCrashes(at: instant, in: run)
    takeBackLate(at: instant, in: run)
    receiveAtLaunch(at: instant, isCold: isCold, in: &run)
    let mayResume = run.world.scenario.client.apply == .resume && away >= .minutes(5)
    if staged != .none && (isCold || mayResume) && !run.world.scenario.broken.apply {
      apply(at: instant + .seconds(1) * random.uniform(0.1, 0.6), in: run)
    }
    let isHealthy = !crash(at: instant, in: run)
    let length = isHealthy ? sessionLength() : .seconds(2)
    foregroundUntil = instant + length
    if isHealthy { use(from: instant, to: foregroundUntil, isCold: isCold, in: run) }
    leave(at: foregroundUntil, isHealthy: isHealthy, in: &run)
  }

  private mutating func sessionLength() -> Milliseconds {
    min(max(random.logNormal(median: .seconds(90), spread: 1), .seconds(3)), .hours(2))
  }

  /// What the client does while the app is in front.
  private mutating func use(from instant: Timestamp, to end: Timestamp, isCold: Bool, in run: borrowing Run) {
    confirmIfHealthy(launchedAt: instant, until: end, in: run)
    switchChannelPerhaps(at: instant, in: run)
    guard isCold || instant - lastCheck >= run.world.scenario.client.checkEvery else { return }
    let checked = instant + .seconds(1) * random.uniform(0.4, 2)
    let work = check(at: checked, trigger: .foreground, budgetEnd: end, in: run)
    guard staged != .none, work.isMandatory, work.end < end else { return }
    apply(at: work.end + .seconds(1), in: run)
    if !crash(at: work.end, in: run) { confirmIfHealthy(launchedAt: work.end + .seconds(1), until: end, in: run) }
  }

  /// The app goes to the background; some people swipe it away.
  private mutating func leave(at end: Timestamp, isHealthy: Bool, in run: inout Run) {
    lastUse = end
    processUntil = isHealthy ? end + random.exponential(mean: .hours(6)) : end
    timers[.flush] = min(timers[.flush], end + .seconds(1))
    if random.chance(traits.forceQuits) && (traits.platform == .ios || traits.stopsSwiped) {
      forceQuit(at: end, in: &run)
    } else if timers[.refresh] == .never {
      scheduleRefresh(after: end, in: run)
    }
    guard !isAbandoned else { return }
    if random.chance(isHealthy ? 0.35 : 0.7) {
      timers[.open] =
        end + random.uniform(isHealthy ? .seconds(30) : .seconds(4), isHealthy ? .minutes(15) : .minutes(1))
    } else {
      scheduleOpen(after: end, in: run)
    }
  }

  /// Until the next launch the system neither delivers pushes nor grants refreshes; a held push is discarded.
  mutating func forceQuit(at instant: Timestamp, in run: inout Run) {
    isForceQuit = true
    processUntil = instant
    timers[.refresh] = .never
    discardHeld(.forceQuit, in: &run)
  }

  /// People try the beta, and come back from it.
  private mutating func switchChannelPerhaps(at instant: Timestamp, in run: borrowing Run) {
    let (habits, channels) = (run.world.scenario.habits, run.world.scenario.channels.count)
    guard channels > 1, random.chance(habits.switches / (30 * max(traits.opensPerDay, 0.03))) else { return }
    channel = UInt8((Int(channel) + 1 + random.index(below: channels - 1)) % channels)
    announced = .none
    staged = .none
    // After whatever this launch applied: milestones know whole seconds.
    remember(.switched, at: instant + .seconds(2), detail: channel, in: run)
  }
}
