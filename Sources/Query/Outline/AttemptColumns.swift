import Lifecycle
import Store

/// One device's first attempt to get a release and to start it, and what came of it.
struct Attempt {
  /// The first sign that the device tried.
  var start: FirstTime
  var failed: FirstTime
  /// When the release first ran, or tried to: of one that breaks at once, the rollback is the first that is heard.
  var launch: FirstTime
  var rolledBack: FirstTime
  var crashed: FirstTime
  /// Of the failure, a number of `name`.
  var reason: Int64?

  /// Each is an attempt by itself.
  static let signs: [Milestone] = [
    .downloadStarted, .downloadCompleted, .verified, .ready, .applied, .failed, .rolledBack,
  ]
  /// Each is one of a device that was in contact before; who begins with it may have had the release all along.
  static let claims: [Milestone] = [.confirmed, .running, .crashed]
  static let milestones = signs + claims
}

extension Attempt {
  /// The first failure that is known at a cut-off; nil where there is none.
  ///
  /// `failed` ends an attempt within `attemptAge` of its start. A rollback or a crash does within `rollbackAge` of the
  /// launch, whether or not the launch was reported as `applied`.
  func failure(by cutOff: Timestamp, _ options: Failures.Options) -> FailedStage? {
    var first: (at: FirstTime, stage: FailedStage)?
    func note(_ time: FirstTime, _ stage: FailedStage, within age: Milliseconds, of start: FirstTime) {
      guard time.happened, time.at <= cutOff, time.at - start.at <= age, time < first?.at ?? .never else { return }
      first = (time, stage)
    }
    note(failed, .failed, within: options.attemptAge, of: start)
    note(rolledBack, .rolledBack, within: options.rollbackAge, of: launch)
    note(crashed, .crashed, within: options.rollbackAge, of: launch)
    return first?.stage
  }
}

extension JourneyView {
  /// nil where the device never tried.
  ///
  /// - Parameter contact: the device's first one in the journey's channel.
  func attempt(since contact: Timestamp?) -> Attempt? {
    let claim = first(of: Attempt.claims)
    let sign = first(of: Attempt.signs)
    guard let start = Attempt.start(sign: sign, claim: claim, since: contact) else { return nil }
    return Attempt(
      start: start, failed: first(.failed), launch: min(first(.applied), first(.rolledBack), claim),
      rolledBack: first(.rolledBack), crashed: first(.crashed), reason: failureReason)
  }

  private func first(of milestones: [Milestone]) -> FirstTime { milestones.lazy.map(first).min() ?? .never }
}

extension DeviceHistory {
  func attempt(_ journey: JourneyView) -> Attempt? {
    journey.attempt(since: uncutRuns.firstContact(in: journey.channel))
  }
}

extension ArraySlice<ContactRun> {
  func firstContact(in channel: Int64) -> Timestamp? {
    lazy.filter { $0.channel == channel }.map(\.start).min()
  }
}

extension Attempt {
  @inline(__always)
  static func start(sign: FirstTime, claim: FirstTime, since contact: @autoclosure () throws -> Timestamp?) rethrows
    -> FirstTime?
  {
    if sign.happened { return sign }
    guard claim.happened, let contact = try contact(), contact < claim.at else { return nil }
    return claim
  }
}

/// The first attempts of a shard's journeys, column by column.
struct AttemptColumns {
  private let shard: JourneyShard
  /// The earliest of `Attempt.signs` and of `Attempt.claims`.
  private let signs, claims: [Int64]
  private let offers, failed, applied, rolledBack, crashed: [Int64]

  init(_ shard: JourneyShard) {
    self.shard = shard
    func column(_ milestone: Milestone) -> [Int64] { shard.column(milestone) ?? [] }
    (offers, failed, applied) = (column(.available), column(.failed), column(.applied))
    (rolledBack, crashed) = (column(.rolledBack), column(.crashed))
    (signs, claims) = (shard.earliest(Attempt.signs), shard.earliest(Attempt.claims))
  }

  func offer(_ place: Int) -> FirstTime? {
    offers.isEmpty || offers[place] == .max ? nil : FirstTime(rawValue: offers[place])
  }

  /// nil where the device never tried.
  ///
  /// - Parameter contact: the device's first one in the journeys' channel; asked for where the signs do not tell.
  @inline(__always)
  func attempt(_ place: Int, since contact: @autoclosure () throws -> Timestamp?) rethrows -> Attempt? {
    func first(_ column: [Int64]) -> FirstTime { FirstTime(rawValue: column.isEmpty ? .max : column[place]) }
    let claim = first(claims)
    guard let start = try Attempt.start(sign: first(signs), claim: claim, since: try contact()) else { return nil }
    let (failure, back) = (first(failed), first(rolledBack))
    return Attempt(
      start: start, failed: failure, launch: min(first(applied), back, claim), rolledBack: back,
      crashed: first(crashed), reason: failure.happened ? shard.failureReason(place) : nil)
  }
}

extension JourneyShard {
  /// The earliest of some milestones, device by device.
  fileprivate func earliest(_ milestones: [Milestone]) -> [Int64] {
    var earliest = [Int64](repeating: .max, count: devices.count)
    for column in milestones.lazy.compactMap(column) {
      for place in earliest.indices { earliest[place] = min(earliest[place], column[place]) }
    }
    return earliest
  }
}
