import Lifecycle

extension ClaimRules {
  /// What the cells of an event claim.
  @inline(__always)
  mutating func claim(_ fields: Fields) throws(RejectionReason) -> EventClaim {
    let app = try app(fields.text(.app))
    let device = try fields.text(.device).needed(as: .device)
    guard let place = try fields.word(.stage, in: vocabulary.stages, else: .unknownStage) else {
      throw RejectionReason(code: .missingField, field: .stage)
    }
    let stage = vocabulary.stageWords[place].stage
    let release = try fields.text(.release).needed(by: stage)
    let from = try fields.text(.from)
    let reason = try fields.reason(orNone: vocabulary.impliedReasons[place])
    let id = try fields.text(.id)
    var claim = EventClaim(
      device: device, stage: stage, release: release, from: from, reason: reason, id: id,
      push: try push(of: stage, id: id, fields), context: try context(app, fields), at: try fields.time(.at),
      trigger: try trigger(of: stage, fields), outcome: try outcome(of: stage, fields),
      duration: try fields.integer(.durationMs).map(Milliseconds.init(rawValue:)), bytes: try fields.integer(.bytes),
      bucket: try fields.integer(.bucket, below: 100).map { UInt8($0) })
    claim.received = try received(fields)
    claim.skew = try skew(fields, claim.received)
    return claim
  }

  /// A sent push that names no push is one: its own id is the push's.
  @inline(__always)
  private func push(of stage: Stage, id: Text, _ fields: Fields) throws(RejectionReason) -> Text {
    try fields.text(.push, orNone: stage == .pushSent ? id : fields.nothing)
  }

  @inline(__always)
  private func trigger(of stage: Stage, _ fields: Fields) throws(RejectionReason) -> Trigger {
    let said = try fields.word(.trigger, in: vocabulary.triggers, else: .unknownTrigger)
    let state = try fields.word(.appState, in: vocabulary.appStates, else: .unknownAppState)
    let isStarting = try fields.boolean(.appIsStarting)
    return trigger(
      said.map { vocabulary.trigger[$0] }, of: stage, state: state.map { vocabulary.appState[$0] },
      isStarting: isStarting)
  }

  /// What became of the work; of a sent push also what the gateway answered.
  @inline(__always)
  private func outcome(of stage: Stage, _ fields: Fields) throws(RejectionReason) -> Outcome? {
    let said: Int?
    do throws(RejectionReason) {
      said = try fields.word(.outcome, in: vocabulary.outcomes, else: .unknownOutcome)
    } catch {
      throw error.of(stage)
    }
    if let said { return try vocabulary.outcome[said].permitted(of: stage, fields, from: reception) }
    guard stage == .pushSent, fields.has(.gateway) else { return nil }
    let answered = try fields.word(.gateway, in: vocabulary.gatewayAnswers, else: .unknownOutcome)
    return answered.map { vocabulary.outcome[$0] }
  }

  @inline(__always)
  private func context(_ app: Text, _ fields: Fields) throws(RejectionReason) -> ContextInterner.Key {
    ContextInterner.Key(
      app: app, channel: channel(try fields.text(.channel)), platform: platform(try fields.text(.platform)),
      osVersion: try fields.text(.osVersion), appVersion: try fields.text(.appVersion),
      sdkVersion: try fields.text(.sdkVersion), network: try fields.text(.network), arm: try fields.text(.arm),
      emulator: try fields.boolean(.emulator), region: try fields.text(.region),
      deviceModel: try fields.text(.deviceModel), tags: try fields.object(.tags))
  }

  @inline(__always)
  private mutating func received(_ fields: Fields) throws(RejectionReason) -> Timestamp? {
    guard fields.has(.received) else { return reception.received }
    if reception.trustsReceived { return try fields.time(.received) ?? reception.received }
    ignoredFields += 1
    return reception.received
  }

  @inline(__always)
  private func skew(_ fields: Fields, _ received: Timestamp?) throws(RejectionReason) -> Milliseconds? {
    guard fields.has(.sentAt), let sentAt = try fields.time(.sentAt), let received else { return nil }
    return received - sentAt
  }
}
