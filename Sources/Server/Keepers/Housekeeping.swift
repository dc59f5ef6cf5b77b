import Locks
internal import Answers
internal import Console
internal import Dispatch
internal import Ingest
internal import Store
internal import Synchronization

/// What goes on beside the requests: folding events on one thread; watching the disk and the write-ahead log and reading the
/// keys again on another, which no long fold holds up; examining histories on a third, which holds up neither.
///
/// Folds adapt: while events pour in they follow one another, each with what arrived during the last; when events
/// trickle they wait for others.
public final class Housekeeping: Sendable {
  private let service: Service
  private let foldAfter: Swift.Duration
  private let foldBell = Bell()
  private let historyBell = Bell()
  private let stopped = DispatchGroup()
  private let isStopping = Atomic(false)
  private let summaries: SummaryKeeper
  private let onUpgrade: @Sendable () -> Void

  /// - Parameter onUpgrade: called once where a newer program upgraded the file; the service is to end then.
  public init(
    _ service: Service, foldAfter: Swift.Duration, onUpgrade: @escaping @Sendable () -> Void = {}
  ) {
    self.service = service
    self.foldAfter = foldAfter
    self.onUpgrade = onUpgrade
    summaries = SummaryKeeper(service)
    DispatchQueue(label: "uptake.fold", qos: .utility).async(group: stopped) { [self] in keepFolding() }
    DispatchQueue(label: "uptake.histories", qos: .utility).async(group: stopped) { [self] in keepExamining() }
    DispatchQueue(label: "uptake.devices", qos: .utility).async(group: stopped) { [self] in learnDevices() }
    DispatchQueue(label: "uptake.watch").async(group: stopped) { [self] in keepWatch() }
  }

  /// Folds what is left and stops.
  public func stop() {
    isStopping.store(true, ordering: .relaxed)
    foldBell.signal()
    historyBell.signal()
    service.housekeepingBell.signal()
    stopped.wait()
  }

  private func keepFolding() {
    var folds = FoldKeeper(service) { self.summaries.kept }
    folds.begin()
    var nextFold = ContinuousClock.now + foldAfter
    let beat = min(.seconds(1), max(.milliseconds(50), foldAfter))
    func fold() {
      folds.run(goesOn: { !self.isStopping.load(ordering: .relaxed) }, mayMerge: mayMerge)
      nextFold = .now + foldAfter
    }
    while !isStopping.load(ordering: .relaxed) {
      let waiting = folds.waiting
      if waiting > FoldPace.eagerEvents || waiting > 0 && ContinuousClock.now >= nextFold || folds.isRested { fold() }
      if let reports = service.reports, isDue(reports) {
        // What is folded is read faster than what is not.
        fold()
        reports.begin()
      }
      service.exports?.beginWhatIsDue()
      service.verdicts.beginWhenDue()
      lookAtSummaries(&folds)
      if !folds.gaveWay { foldBell.wait(beat) }
    }
    summaries.stop()
    folds.end()
  }

  private func keepExamining() {
    var histories = HistoryKeeper(service)
    while !isStopping.load(ordering: .relaxed) {
      histories.examineWhenDue()
      historyBell.wait(.seconds(1))
    }
    histories.examineWhenDue()
  }

  private func lookAtSummaries(_ folds: inout FoldKeeper) {
    guard let announced = announcements() else { return }
    let standing = SummaryPace.Standing(
      known: folds.waiting == 0 ? folds.done + announced : nil, stored: service.log.tally.stored, announced: announced,
      isUsable: isUsable(.whole), isOpenUsable: isUsable(.open))
    summaries.look(standing) { folds.sort() }
  }

  private func isUsable(_ kind: SummaryKind) -> Bool { (try? service.log.summarised(kind)) != nil }

  private func mayMerge() -> Bool {
    guard let announced = announcements() else { return true }
    return !summaries.comesBeforeMerge(announced: announced) { try? self.service.log.lastSorted() }
  }

  /// A new release is not kept waiting for the next turn.
  private func isDue(_ reports: ReportKeeper) -> Bool {
    if let known = announcements() { reports.look(announcements: known) }
    return reports.isDue
  }

  /// Releases and publications; nil where they cannot be read now.
  private func announcements() -> Int? {
    do { return try service.registry.announcements() } catch {
      service.journal.writeSparingly(.error, "releases_not_read", ["reason": .string(error.description)])
      return nil
    }
  }

  private func keepWatch() {
    var (beats, seen, rested) = (0, service.commits, service.commits)
    var (refusals, clock) = (RefusalNotes(), ClockWatch())
    while !isStopping.load(ordering: .relaxed) {
      watchDisk()
      service.note(&refusals)
      if beats % 4 == 0 {
        service.watchLog()
        service.watchClock(&clock)
        service.watchCertificate()
        watchPlace()
        watchSchema()
        probe()
        saveWords()
        noteBurst()
        service.saveKeyUses()
        // Who makes a key tries it at once; a client that is refused may stay away for an hour.
        service.reloadKeys()
        if seen == service.commits, rested != seen {
          rested = seen
          checkpoint()
        }
        seen = service.commits
      }
      service.housekeepingBell.wait(.milliseconds(250))
      beats += 1
    }
    service.watchClock(&clock, isLast: true)
    saveWords()
    service.saveKeyUses()
  }

  /// A file that was moved, deleted, replaced or cut is noticed before anybody sends something: what is stored in it then is
  /// nowhere that anybody looks. What a log that is gone holds goes into the database while that can be.
  private func watchPlace() {
    guard let misplacement = service.log.misplacement else { return }
    service.commitsFail.store(true, ordering: .relaxed)
    let isCut = misplacement.kind == .corrupt
    if !isCut { try? service.log.checkpoint() }
    let hint =
      isCut
      ? "stop the service, keep what is there, and restore a backup; uptake doctor --salvage takes what can be read"
      : "nothing is stored until the file that was there is back; else start the service anew"
    service.journal.writeSparingly(
      .error, isCut ? "database_cut" : "database_moved",
      ["path": .string(service.log.path), "reason": .string(misplacement.description), "hint": .string(hint)])
  }

  /// A file that a newer program upgraded takes nothing more from this one, however long it waits.
  private func watchSchema() {
    do throws(StoreError) { try service.registry.requireKnownSchema() } catch {
      guard case .newer = error.kind, service.supersession == nil else { return }
      service.superseded.withLock { $0 = error }
      service.commitsFail.store(true, ordering: .relaxed)
      service.journal.write(
        .error, "database_upgraded",
        [
          "reason": .string(error.description),
          "hint": .string("the service ends; the version that upgraded the file has to run in its place"),
        ])
      onUpgrade()
    }
  }

  /// Finds out whether commits that failed would succeed now.
  private func probe() {
    guard service.commitsFail.load(ordering: .relaxed), (try? service.log.probe()) != nil else { return }
    service.commitsFail.store(false, ordering: .relaxed)
  }

  private func watchDisk() {
    let gaveBack = service.storage.look {
      self.service.journal.write(
        .error, "disk_full", ["freeBytes": .integer(self.service.storage.freeBytes)])
      self.shrink()
    }
    if gaveBack { service.storage.look() }
  }

  /// What the log holds goes into the database, and the log's space back to the disk.
  private func shrink() {
    do { try service.log.shrink() } catch {
      service.journal.writeSparingly(.error, "log_not_shrunk", ["reason": .string(error.description)])
    }
  }

  /// Nobody waits for it now, and the next commit can begin the log anew.
  private func checkpoint() {
    do { try service.log.checkpoint() } catch {
      service.journal.writeSparingly(.warning, "log_not_checkpointed", ["reason": .string(error.description)])
    }
  }

  /// Where that fails no key is limited by what it brings.
  private func learnDevices() {
    do throws(StoreError) {
      try service.newDevices.learn(service.log) { isStopping.load(ordering: .relaxed) }
    } catch {
      service.journal.write(.error, "devices_not_read", ["reason": .string(error.description)])
    }
  }

  private func noteBurst() {
    guard let burst = service.newDevices.takeBurst() else { return }
    do { try service.registry.note(burst) } catch {
      service.journal.writeSparingly(.error, "burst_not_noted", ["reason": .string(error.description)])
    }
  }

  private func saveWords() {
    save("channels") { () throws(StoreError) in try service.channels.save() }
    save("releases") { () throws(StoreError) in try service.offers.save() }
  }

  /// Where that fails it is tried again in a second; until then a crash would forget it, and nothing else.
  private func save(_ what: String, _ body: () throws(StoreError) -> Void) {
    do { try body() } catch {
      service.journal.writeSparingly(.error, what + "_not_saved", ["reason": .string(error.description)])
    }
  }
}
