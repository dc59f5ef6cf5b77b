import Lifecycle

/// How a check and the download behind it ended.
struct Work {
  var end: Timestamp
  var outcome: Outcome
  var isMandatory = false
}

extension Device {
  /// Asks the server, and fetches what it offers as far as the time until `budgetEnd` allows. Never applies anything.
  mutating func check(at instant: Timestamp, trigger: Trigger, budgetEnd: Timestamp, in run: borrowing Run) -> Work {
    let network = surroundings(run.world).network(at: instant)
    emit(Record(at: instant, stage: .check, trigger: trigger, release: running, network: network), in: run)
    rememberContact(at: instant, in: run)
    guard network != .none else { return Work(end: instant + .seconds(2), outcome: .failed) }
    lastCheck = instant
    let answered = instant + answerDelay()
    guard answered < budgetEnd else { return Work(end: budgetEnd, outcome: .expired) }
    let offer = run.world.offer(cell: cell(), bucket: traits.bucket, at: instant)
    takeBackIfHalted(at: answered, offered: offer, trigger: trigger, in: run)
    guard !traits.isLeftOut(run.world.scenario.broken), let offer,
      case let release = ReleaseNumber(run.world.offers[offer].release), isWanted(release)
    else {
      return Work(end: answered, outcome: .noData, isMandatory: staged != .none && isMandatory(offer, in: run.world))
    }
    let mandatory = run.world.offers[offer].mandatory
    announce(release, at: answered, trigger: trigger, in: run)
    if trigger == .foreground && !mandatory && random.chance(0.01) {
      emit(Record(at: answered + .seconds(3), stage: .dismissed, trigger: trigger, release: release), in: run)
      return Work(end: answered, outcome: .noData)
    }
    return fetch(release, from: answered, until: budgetEnd, trigger: trigger, network, mandatory, in: run)
  }

  /// Mostly well under a second; now and then a connection hangs.
  private mutating func answerDelay() -> Milliseconds {
    random.chance(0.006)
      ? random.uniform(.seconds(5), .seconds(60)) : .seconds(1) * random.logNormal(median: 0.35, spread: 0.6)
  }

  private func isMandatory(_ offer: Int?, in world: World) -> Bool { offer.map { world.offers[$0].mandatory } ?? false }

  private func isWanted(_ release: ReleaseNumber) -> Bool {
    release > running && release != staged && rejected & (1 << UInt64(release & 63)) == 0
  }

  private mutating func rememberContact(at instant: Timestamp, in run: borrowing Run) {
    if history.last?.kind == .installed || history.last?.kind == .switched {
      remember(.contact, at: instant, detail: channel, in: run)
    }
  }

  private mutating func announce(
    _ release: ReleaseNumber, at instant: Timestamp, trigger: Trigger, in run: borrowing Run
  ) {
    guard announced != release else { return }
    announced = release
    partialBytes = 0
    needsWhole = false
    emit(Record(at: instant, stage: .available, trigger: trigger, release: release, from: running), in: run)
  }

  /// One attempt: download, verify, lay ready.
  private mutating func fetch(
    _ release: ReleaseNumber, from instant: Timestamp, until budgetEnd: Timestamp, trigger: Trigger,
    _ network: Network, _ mandatory: Bool, in run: borrowing Run
  ) -> Work {
    var now = instant + .seconds(1) * random.uniform(0.05, 0.4)
    let plan = run.world.releases[Int(release)]
    let size = needsWhole ? plan.bytes * 6 : plan.bytes
    let base = Record(at: now, stage: .downloadStarted, trigger: trigger, release: release, network: network)
    if !remembers(.started, of: release) { remember(.started, at: now, release: release, in: run) }
    emit(base, in: run)
    let perSecond = (network == .wifi ? 2.5e6 : 0.6e6) * traits.speed * random.logNormal(median: 1, spread: 0.6)
    let duration = Milliseconds.seconds(1) * (0.3 + Double(size - partialBytes) / perSecond)
    if let reason = downloadFault(network, run.world.scenario.faults) {
      let part = random.unit()
      now = min(now + duration * part, budgetEnd)
      if reason == .network { partialBytes += Int64(Double(size - partialBytes) * part) }
      return fail(base, reason, at: now, in: run)
    }
    guard now + duration + .seconds(1) < budgetEnd else {
      let share = max(0, Double((budgetEnd - now).rawValue)) / Double(duration.rawValue)
      partialBytes += Int64(Double(size - partialBytes) * min(share, 1) * 0.9)
      return Work(end: budgetEnd, outcome: .expired)
    }
    now = now + duration
    var completed = base
    (completed.at, completed.stage, completed.duration) = (now, .downloadCompleted, Int32(clamping: duration.rawValue))
    completed.bytes = Int32(clamping: size - partialBytes)
    emit(completed, in: run)
    partialBytes = 0
    return verify(base, plan, at: now + .seconds(1) * random.uniform(0.05, 0.5), mandatory, in: run)
  }

  private mutating func verify(
    _ base: Record, _ plan: ReleasePlan, at instant: Timestamp, _ mandatory: Bool, in run: borrowing Run
  ) -> Work {
    if let reason = contentFault(plan, release: base.release, run.world.scenario.faults) {
      needsWhole = reason == .patch
      return fail(base, reason, at: instant, in: run)
    }
    var record = base
    (record.at, record.stage) = (instant, .verified)
    emit(record, in: run)
    (record.at, record.stage) = (instant + Milliseconds(rawValue: 80), .ready)
    emit(record, in: run)
    staged = base.release
    if !remembers(.ready, of: base.release) {
      remember(.ready, at: record.at, release: base.release, detail: base.trigger?.code ?? 0, in: run)
    }
    return Work(end: record.at, outcome: .newData, isMandatory: mandatory)
  }

  private mutating func fail(_ base: Record, _ reason: Reason, at instant: Timestamp, in run: borrowing Run) -> Work {
    var record = base
    (record.at, record.stage, record.reason) = (instant, .failed, reason)
    emit(record, in: run)
    if !remembers(.failed, of: base.release) {
      remember(.failed, at: instant, release: base.release, detail: reason.rawValue, in: run)
    }
    return Work(end: instant, outcome: .failed)
  }

  private mutating func downloadFault(_ network: Network, _ faults: Faults) -> Reason? {
    if random.chance(faults.network * (network == .wifi ? 0.6 : 1.6)) { return .network }
    return random.chance(traits.diskFull ? 0.6 : faults.disk) ? .disk : nil
  }

  private mutating func contentFault(_ plan: ReleasePlan, release: ReleaseNumber, _ faults: Faults) -> Reason? {
    if !needsWhole && (traits.share(200 + UInt64(release)) < plan.badPatch || random.chance(faults.patch)) {
      return .patch
    }
    if random.chance(faults.hash) { return .hash }
    return random.chance(faults.signature) ? .signature : nil
  }
}
