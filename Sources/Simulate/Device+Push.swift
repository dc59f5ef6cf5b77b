import Lifecycle

extension Device {
  /// The push server works through a campaign in ten minutes, always in the same order of devices.
  mutating func scheduleCampaign(in run: borrowing Run) {
    guard nextCampaign < run.world.campaigns.count else { return timers[.campaign] = .never }
    timers[.campaign] = sending(of: nextCampaign, in: run.world)
  }

  func sending(of campaign: Int, in world: World) -> Timestamp {
    world.campaigns[campaign].at + .minutes(10) * traits.share(9)
  }

  mutating func receiveCampaign(at instant: Timestamp, in run: inout Run) {
    let number = nextCampaign
    let campaign = run.world.campaigns[number]
    nextCampaign += 1
    scheduleCampaign(in: run)
    guard campaign.channel == channel, !traits.isHeldOut(run.world.scenario) else { return }
    guard
      run.world.offer(cell: cell(), bucket: traits.bucket, at: instant).map({ run.world.offers[$0].release })
        == campaign.release
    else { return }
    let isTaken = isInstalled && !run.world.scenario.broken.gateways.contains(traits.platform)
    run.send(push: number, to: traits, channel: channel, accepted: isTaken, at: instant)
    guard isTaken else {
      // The gateway has told the push server that this token is dead.
      if !isInstalled { timers.clear() }
      return run.ledger.count(.rejected, campaign: number, cell: cell())
    }
    pushed |= Self.bit(number)
    let push = PushInbox.Held(campaign: UInt16(number), sent: instant, expires: instant + campaign.expires)
    hold(push, in: &run)
  }

  static func bit(_ campaign: Int) -> UInt64 { campaign < 64 ? 1 << UInt64(campaign) : 0 }

  private mutating func hold(_ push: PushInbox.Held, in run: inout Run) {
    if isForceQuit { return run.ledger.count(.forceQuit, campaign: Int(push.campaign), cell: cell()) }
    if random.chance(run.world.scenario.silentPush.dropped) {
      return run.ledger.count(.dropped, campaign: Int(push.campaign), cell: cell())
    }
    if run.world.scenario.broken.pushes.contains(traits.platform), push.sent >= foregroundUntil {
      return run.ledger.count(.dropped, campaign: Int(push.campaign), cell: cell())
    }
    if let displaced = inbox.arrive(push) {
      run.ledger.count(.coalesced, campaign: Int(displaced.campaign), cell: cell())
    }
    let delay = deliveryDelay(at: push.sent, in: run.world)
    timers[.delivery] = delay.map { min(timers[.delivery], push.sent + $0) } ?? .never
  }

  /// How long the system lets a silent push wait; nil until the user opens the app.
  private mutating func deliveryDelay(at instant: Timestamp, in world: World) -> Milliseconds? {
    let surroundings = surroundings(world)
    if instant < foregroundUntil { return .seconds(1) }
    if traits.platform == .android { return random.logNormal(median: .seconds(2), spread: 1.3) }
    guard !traits.refreshOff else { return nil }
    if surroundings.isCharging(at: instant) { return random.logNormal(median: .seconds(15), spread: 1.6) }
    let median: Milliseconds = traits.opensPerDay < 0.3 ? .minutes(25) : .minutes(4)
    return random.logNormal(median: median, spread: 1.8)
  }

  mutating func tryDelivery(at instant: Timestamp, in run: inout Run) {
    guard let held = inbox.held else { return }
    if instant >= held.expires { return discardHeld(.expired, in: &run) }
    if let later = deliveryObstacle(at: instant, in: run.world) {
      return timers[.delivery] = max(later, instant + .seconds(1))
    }
    deliver(instant < foregroundUntil ? .inUse : .background, at: instant, in: &run)
  }

  /// When to try again, where the radio, Doze or the budget is in the way.
  private mutating func deliveryObstacle(at instant: Timestamp, in world: World) -> Timestamp? {
    let surroundings = surroundings(world)
    guard surroundings.network(at: instant) != .none else { return quarterAfter(instant) }
    if instant < foregroundUntil { return nil }
    if traits.platform == .android {
      let isDeep =
        surroundings.isDozing(at: instant, lastUse: lastUse) && (instant - lastUse).rawValue / 900_000 % 24 != 4
      return isDeep ? quarterAfter(instant) : nil
    }
    let allowed = inbox.allowed(from: instant, perHour: world.scenario.silentPush.perHour)
    return allowed > instant ? allowed + random.uniform(.zero, .minutes(20)) : nil
  }

  private mutating func quarterAfter(_ instant: Timestamp) -> Timestamp {
    Timestamp(rawValue: (instant.rawValue / 900_000 + 1) * 900_000) + random.uniform(.zero, .minutes(2))
  }

  private mutating func deliver(_ fate: PushFate, at instant: Timestamp, in run: inout Run) {
    guard let push = inbox.take() else { return }
    timers[.delivery] = .never
    arrived |= Self.bit(Int(push.campaign))
    run.ledger.count(fate, campaign: Int(push.campaign), cell: cell(), latency: instant - push.sent)
    if fate == .inUse { return receiveInUse(push, at: instant, in: run) }
    inbox.recordDelivery(at: instant)
    wake(at: instant, trigger: .silentPush, campaign: push.campaign, in: run)
  }

  private mutating func receiveInUse(_ push: PushInbox.Held, at instant: Timestamp, in run: borrowing Run) {
    emit(
      Record(
        at: instant, stage: .pushReceived, trigger: traits.platform == .ios ? nil : .foreground,
        push: .campaign(push.campaign), appState: .active), in: run)
    _ = check(at: instant + .seconds(1), trigger: .foreground, budgetEnd: foregroundUntil, in: run)
  }

  /// Whatever was held is handed over when the app is opened; so is the notification that was tapped to open it.
  mutating func receiveAtLaunch(at instant: Timestamp, isCold: Bool, in run: inout Run) {
    timers[.delivery] = .never
    if tappedNotice != 0 {
      receiveInactive(.notice(tappedNotice), at: instant, isCold: isCold, in: run)
      tappedNotice = 0
    }
    guard let push = inbox.held else { return }
    if instant >= push.expires { return discardHeld(.expired, in: &run) }
    guard surroundings(run.world).network(at: instant) != .none, let push = inbox.take() else {
      return timers[.delivery] = quarterAfter(instant)
    }
    arrived |= Self.bit(Int(push.campaign))
    run.ledger.count(.atLaunch, campaign: Int(push.campaign), cell: cell(), latency: instant - push.sent)
    receiveInactive(.campaign(push.campaign), at: instant, isCold: isCold, in: run)
  }

  private mutating func receiveInactive(_ push: Record.Push, at instant: Timestamp, isCold: Bool, in run: borrowing Run)
  {
    let isWrong = run.world.scenario.broken.taps
    emit(
      Record(
        at: instant + Milliseconds(rawValue: 60), stage: .pushReceived,
        trigger: isWrong ? .silentPush : traits.platform == .ios ? nil : .foreground, push: push,
        appState: isWrong ? nil : .inactive, isStarting: isCold),
      in: run)
  }

  mutating func scheduleNotice(after instant: Timestamp, in run: borrowing Run) {
    timers[.notice] = run.world.rhythm.next(
      after: instant, perDay: run.world.scenario.silentPush.noticesPerDay, offset: traits.offset, &random)
  }

  /// A visible notification: a held push rides along, and now and then somebody taps it.
  mutating func receiveNotice(at instant: Timestamp, in run: inout Run) {
    scheduleNotice(after: instant, in: run)
    guard surroundings(run.world).network(at: instant) != .none, instant >= foregroundUntil else { return }
    notices &+= 1
    if let held = inbox.held, !isForceQuit, !traits.refreshOff, instant < held.expires {
      deliver(.piggyback, at: instant, in: &run)
    }
    guard random.chance(0.06), !isAbandoned else { return }
    tappedNotice = notices
    timers[.open] = min(timers[.open], instant + random.uniform(.seconds(3), .minutes(5)))
  }

  mutating func discardHeld(_ fate: PushFate, in run: inout Run) {
    timers[.delivery] = .never
    guard let push = inbox.take() else { return }
    run.ledger.count(fate, campaign: Int(push.campaign), cell: cell())
  }
}
