import Lifecycle
import Store

/// One device's first attempt to get a release and to start it, and what came of it.
struct Attempt {
  /// The first sign that the device tried.
  var start: FirstTime
  var failed: FirstTime
  var ready: FirstTime
  /// When the release ran, as the device said: a rollback is no such word.
  var ran: FirstTime
  /// When the release first ran, or tried to: of one that breaks at once, the rollback is the first that is heard.
  var launch: FirstTime
  var rolledBack: FirstTime
  var crashed: FirstTime
  /// Of the failure, a number of `name`.
  var reason: Int64?

  /// Each is an attempt by itself.
  static let signs: [Milestone] = [.downloadStarted, .downloadCompleted, .verified, .ready, .applied, .failed]
  /// Each is one of a device that ran another release since the publication; who did not may have it from the store.
  static let claims: [Milestone] = [.confirmed, .running, .crashed]
  static let milestones = signs + claims + [.rolledBack]
}

extension Attempt {
  /// nil where the device never tried.
  ///
  /// - Parameters:
  ///   - sign: the earliest of `signs`.
  ///   - claim: the earliest of `claims`.
  ///   - isChange: whether the device ran another release between the publication and an instant; asked only where that
  ///     decides.
  @inline(__always)
  init?(
    sign: FirstTime, claim: FirstTime, ready: FirstTime, applied: FirstTime, failed: FirstTime, rolledBack: FirstTime,
    crashed: FirstTime, reason: @autoclosure () -> Int64?, isChange: (Timestamp) throws -> Bool
  ) rethrows {
    var start = sign
    if claim < start, try isChange(claim.at) { start = claim }
    // A rollback is one where nothing came before it: of a release that breaks at its first launch nothing else is heard.
    if rolledBack < start, !(claim < rolledBack) { start = rolledBack }
    guard start.happened else { return nil }
    self.start = start
    launch = min(applied, rolledBack, claim)
    (self.ready, ran) = (ready, min(applied, claim))
    (self.failed, self.rolledBack, self.crashed) = (failed, rolledBack, crashed)
    self.reason = failed.happened ? reason() : nil
  }

  /// The first failure that is known at a cutoff; nil where there is none.
  ///
  /// `failed` ends an attempt within `attemptAge` of its start, unless the attempt was made good. A rollback or a crash does within `rollbackAge` of the
  /// launch, whether or not the launch was reported as `applied`.
  func failure(by cutOff: Timestamp, _ options: Failures.Options, _ vocabulary: Vocabulary) -> FailedStage? {
    firstFailure(by: cutOff, options, vocabulary)?.stage
  }

  /// The same with its time.
  func firstFailure(
    by cutOff: Timestamp, _ options: Failures.Options, _ vocabulary: Vocabulary
  ) -> (at: Timestamp, stage: FailedStage)? {
    guard failed.happened || rolledBack.happened || crashed.happened else { return nil }
    var first: (at: FirstTime, stage: FailedStage)?
    func note(_ time: FirstTime, _ stage: FailedStage, within age: Milliseconds, of start: FirstTime) {
      guard time.happened, time.at <= cutOff, time.at - start.at <= age, time < first?.at ?? .never else { return }
      first = (time, stage)
    }
    if !wasRetried(by: cutOff, options, vocabulary) { note(failed, .failed, within: options.attemptAge, of: start) }
    note(rolledBack, .rolledBack, within: options.rollbackAge, of: launch)
    note(crashed, .crashed, within: options.rollbackAge, of: launch)
    return first.map { ($0.at.at, $0.stage) }
  }

  /// Whether a patch could not be applied and was then fetched whole, which is one attempt that went well.
  ///
  /// The release was ready after it, within the attempt; or it ran, after it within the attempt, before it, or whenever where
  /// it was ready before: clients report a failed patch beside the download that made it good, in any order.
  func wasRetried(by cutOff: Timestamp, _ options: Failures.Options, _ vocabulary: Vocabulary) -> Bool {
    func isKnown(_ time: FirstTime) -> Bool { time.happened && time.at <= cutOff }
    func isWithin(_ time: FirstTime) -> Bool { time.at - start.at <= options.attemptAge }
    guard isKnown(failed), isWithin(failed), reason.map(vocabulary.name) == Event.patchFailure else { return false }
    if isKnown(ready), ready.at >= failed.at, isWithin(ready) { return true }
    guard isKnown(ran) else { return false }
    return ran.at <= failed.at || isWithin(ran) || isKnown(ready) && ready.at <= failed.at
  }

  /// Whether a device whose attempt failed got the release in another one.
  func hasRecovered(by cutOff: Timestamp) -> Bool {
    [ready, ran].contains { $0.happened && $0.at <= cutOff && $0.at > failed.at }
  }

  /// Whether a failure would be known at a cutoff: the launch is as old as a failure may be late.
  func isSettled(by cutOff: Timestamp, _ options: Failures.Options) -> Bool {
    launch.happened && cutOff - launch.at >= options.rollbackAge
  }
}

extension Timeline {
  /// From when on a device that runs another release shows that a later change came over the air; nil: whenever it did,
  /// where nobody registered the publication.
  func changesSince(_ release: Int64, channel: String, platform: String?) -> Timestamp? {
    start(release, channel: channel, platform: platform).flatMap { $0.isInferred ? nil : $0.publishedAt }
  }
}

/// The first attempts of a shard's journeys, column by column.
struct AttemptColumns {
  private let shard: JourneyShard
  /// The earliest of `Attempt.signs` and of `Attempt.claims`.
  private let signs, claims: [Int64]
  private let offers, failed, ready, applied, rolledBack, crashed: [Int64]

  init(_ shard: JourneyShard) {
    self.shard = shard
    func column(_ milestone: Milestone) -> [Int64] { shard.column(milestone) ?? [] }
    (offers, failed) = (column(.available), column(.failed))
    (ready, applied) = (column(.ready), column(.applied))
    (rolledBack, crashed) = (column(.rolledBack), column(.crashed))
    (signs, claims) = (shard.earliest(Attempt.signs), shard.earliest(Attempt.claims))
  }

  func offer(_ index: Int) -> FirstTime? {
    offers.isEmpty || offers[index] == .max ? nil : FirstTime(rawValue: offers[index])
  }

  /// Whether anything was heard of the device beyond an offer, which other questions may have had read.
  func isKnown(_ index: Int, by cutOff: Timestamp) -> Bool {
    [signs, claims, rolledBack].contains { !$0.isEmpty && $0[index] >> 3 <= cutOff.rawValue }
  }

  /// The device's attempt; nil where it never tried.
  @inline(__always)
  func attempt(_ index: Int, isChange: (Timestamp) throws -> Bool) rethrows -> Attempt? {
    func first(_ column: [Int64]) -> FirstTime { FirstTime(rawValue: column.isEmpty ? .max : column[index]) }
    return try Attempt(
      sign: first(signs), claim: first(claims), ready: first(ready), applied: first(applied), failed: first(failed),
      rolledBack: first(rolledBack), crashed: first(crashed), reason: shard.failureReason(index), isChange: isChange)
  }
}

extension JourneyShard {
  /// The earliest of some milestones, device by device.
  fileprivate func earliest(_ milestones: [Milestone]) -> [Int64] {
    var earliest = [Int64](repeating: .max, count: devices.count)
    for column in milestones.lazy.compactMap(column) {
      for index in earliest.indices { earliest[index] = min(earliest[index], column[index]) }
    }
    return earliest
  }
}

extension ShardPage {
  /// Whether a device ran another release in a channel before an instant, so that a change came over the air.
  func isChange(
    _ index: Int, to journeys: Snapshot.Journeys, since: Timestamp?, before instant: Timestamp
  ) throws -> Bool {
    // The first it ever said was that it runs this one.
    if devices.births[index] == journeys.release { return false }
    return try runs(of: index).ranAnother(
      index, than: journeys.release, in: journeys.channel, since: since?.rawValue, before: instant.rawValue)
  }
}
