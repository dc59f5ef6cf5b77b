import Lifecycle

extension Device {
  /// A background run ends after this; what is not done then is cut off.
  static let backgroundBudget = Milliseconds.seconds(30)

  mutating func refresh(at instant: Timestamp, in run: inout Run) {
    guard instant >= foregroundUntil else { return scheduleRefresh(after: foregroundUntil, in: run) }
    wake(at: instant, trigger: .bgRefresh, in: run)
    scheduleRefresh(after: instant, in: run)
  }

  /// Region and significant-change wake-ups, which reach even an app that was force-quit.
  mutating func locate(at instant: Timestamp, in run: inout Run) {
    timers[.location] = run.world.rhythm.next(after: instant, perDay: 1.5, offset: traits.offset, &random)
    if instant >= foregroundUntil { wake(at: instant, trigger: .location, in: run) }
  }

  /// A run without the user: it looks, downloads and verifies, and leaves the rest to the next launch.
  mutating func wake(at instant: Timestamp, trigger: Trigger, campaign: UInt16? = nil, in run: borrowing Run) {
    let push = campaign.map(Record.Push.campaign) ?? .none
    emit(Record(at: instant, stage: .wakeStarted, trigger: trigger, release: running, push: push), in: run)
    if campaign != nil { receive(push, at: instant, isStarting: instant >= processUntil, in: run) }
    let checked = instant + .seconds(1) * random.logNormal(median: 0.9, spread: 0.5)
    let work = check(at: checked, trigger: trigger, budgetEnd: instant + Self.backgroundBudget, in: run)
    finish(work, startedAt: instant, trigger: trigger, push: push, in: run)
    if work.outcome != .noData || campaign != nil || instant - lastReport >= run.world.scenario.client.reportEvery {
      timers[.flush] = min(timers[.flush], work.end + .seconds(1))
    }
  }

  /// A push callback in the background; on iOS the client leaves it to the app's state to tell arrivals from taps.
  private mutating func receive(_ push: Record.Push, at instant: Timestamp, isStarting: Bool, in run: borrowing Run) {
    let isIOS = traits.platform == .ios
    emit(
      Record(
        at: instant + Milliseconds(rawValue: 40), stage: .pushReceived, trigger: isIOS ? nil : .silentPush, push: push,
        appState: isIOS ? .background : nil, isStarting: isStarting), in: run)
  }

  /// Apps that overrun are killed, most of them before they can say so.
  private mutating func finish(
    _ work: Work, startedAt instant: Timestamp, trigger: Trigger, push: Record.Push, in run: borrowing Run
  ) {
    let isOver = work.outcome == .expired
    if random.chance(isOver ? 0.6 : 0.004) { return }
    let end = isOver ? instant + Self.backgroundBudget + .seconds(1) * random.uniform(0, 1.5) : work.end
    emit(
      Record(
        at: end, stage: .wakeFinished, trigger: trigger, outcome: work.outcome, push: push,
        duration: Int32((end - instant).rawValue)), in: run)
  }
}
