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
  /// Each is one of a device that ran another release lately; who did not may have it from the store.
  static let claims: [Milestone] = [.confirmed, .running, .crashed]
  static let milestones = signs + claims + [.rolledBack]
}

extension Attempt {
  /// How long before a publication a device may have named another release, whose first word since is that it runs this one.
  static let fresh = Milliseconds.days(14)

  /// nil where the device never tried.
  ///
  /// - Parameters:
  ///   - sign: the earliest of `signs`.
  ///   - claim: the earliest of `claims`.
  ///   - isChange: whether the device ran another release before an instant, lately; asked only where that decides.
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

  /// Whether nothing is known of it before how it ended.
  var endsAsItStarts: Bool {
    [failed, ran, rolledBack, crashed].contains { $0.happened && $0.at == start.at }
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

extension Attempt {
  /// Its failure as far as it is known at a cutoff, however young the attempt is: when it failed, at what, and since when
  /// that is known.
  func knownFailure(
    by cutOff: Timestamp, _ options: Failures.Options, _ vocabulary: Vocabulary
  ) -> (at: Timestamp, stage: FailedStage, knownAt: Timestamp)? {
    guard let failure = firstFailure(by: cutOff, options, vocabulary) else { return nil }
    // A patch that failed may be made good as long as the attempt is not old enough.
    let isPatch = failure.stage == .failed && reason.map(vocabulary.name) == Event.patchFailure
    // A device that had the release before it tried to get it may have crashed in it before: no failure without an attempt.
    let knownAt = isPatch ? start.at + options.attemptAge : max(failure.at, start.at)
    return knownAt > cutOff ? nil : (failure.at, failure.stage, knownAt)
  }
}

extension Timeline {
  /// From when on a change to a release came over the air; nil: whenever it did, where nobody registered the publication.
  func changesSince(_ release: Int64, channel: String, platform: String?) -> Timestamp? {
    start(release, channel: channel, platform: platform).flatMap { $0.isInferred ? nil : $0.publishedAt }
  }
}
