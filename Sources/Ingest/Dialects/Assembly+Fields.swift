import CSimdjson
import Lifecycle

/// The rules of single fields.
extension Assembly {
  @inline(__always)
  func required(_ field: Field, _ fields: Fields) throws(Refusal) -> Text {
    let text = try fields.text(field, orNone: fields.nothing)
    if text.isEmpty { throw Refusal(code: .missingField, field: field) }
    return text
  }

  @inline(__always)
  func app(of fields: Fields) throws(Refusal) -> Text {
    let app = try fields.text(.app, orNone: keyApp)
    if keyApp.isEmpty {
      if app.isEmpty { throw Refusal(code: .missingField, field: .app) }
      return app
    }
    if app.isEmpty || app.equals(keyApp) { return keyApp }
    throw Refusal(code: .wrongApp, field: .app, detail: .keyNames(reception.app ?? "", app))
  }

  @inline(__always)
  func release(of stage: Stage, _ fields: Fields) throws(Refusal) -> Text {
    let release = try fields.text(.release, orNone: fields.nothing)
    if release.isEmpty, stage.releaseMeaning == .subject {
      throw Refusal(code: .missingField, field: .release, detail: .releaseOf(stage))
    }
    return release
  }

  /// The reason as sent, cut where it is over-long at the last whole character; else the one that the stage's word
  /// implies.
  @inline(__always)
  func reason(_ fields: Fields, implied: Text) throws(Refusal) -> Text {
    guard fields.has(.reason) else { return implied }
    let cell = fields.cells[Field.reason.rawValue]
    guard cell.kind == csj_string else { throw Refusal(notText: cell.kind, .reason) }
    if cell.length == 0 { return implied }
    var count = Int(cell.length)
    if count > Field.reason.limit {
      count = Field.reason.limit
      while count > 0, cell.text[count] & 0xC0 == 0x80 { count -= 1 }
    }
    return Text(start: cell.text, count: count)
  }

  /// A sent push that names no push is one: its own id is the push's.
  @inline(__always)
  func push(of stage: Stage, id: Text, _ fields: Fields) throws(Refusal) -> Text {
    try fields.text(.push, orNone: stage == .pushSent ? id : fields.nothing)
  }

  @inline(__always)
  func trigger(of stage: Stage, _ fields: Fields) throws(Refusal) -> Trigger {
    let sent = try fields.word(.trigger, in: vocabulary.triggers, else: .unknownTrigger)
    let state = try fields.word(.appState, in: vocabulary.appStates, else: .unknownAppState)
    let isStarting = try fields.boolean(.appIsStarting)
    if stage == .pushReceived, let state {
      let classified = PushCallback.trigger(appState: vocabulary.appState[state], isStarting: isStarting)
      if let classified { return classified }
    }
    return sent.map { vocabulary.trigger[$0] } ?? reception.trigger
  }

  @inline(__always)
  func outcome(of stage: Stage, _ fields: Fields) throws(Refusal) -> Outcome? {
    let sent = try fields.word(.outcome, in: vocabulary.outcomes, else: .unknownOutcome)
    if let sent { return vocabulary.outcome[sent] }
    guard stage == .pushSent, fields.has(.gateway) else { return nil }
    let answered = try fields.word(.gateway, in: vocabulary.gatewayAnswers, else: .unknownOutcome)
    return answered.map { vocabulary.outcome[$0] }
  }

  @inline(__always)
  func contextKey(app: Text, _ fields: Fields) throws(Refusal) -> ContextInterner.Key {
    let channel = try fields.text(.channel, orNone: vocabulary.production)
    return ContextInterner.Key(
      app: app, channel: channel.isEmpty ? vocabulary.production : channel,
      platform: try fields.text(.platform, orNone: fields.nothing),
      osVersion: try fields.text(.osVersion, orNone: fields.nothing),
      appVersion: try fields.text(.appVersion, orNone: fields.nothing),
      sdkVersion: try fields.text(.sdkVersion, orNone: fields.nothing),
      network: try fields.text(.network, orNone: fields.nothing),
      arm: try fields.text(.arm, orNone: fields.nothing), emulator: try fields.boolean(.emulator))
  }

  @inline(__always)
  mutating func received(_ fields: Fields) throws(Refusal) -> Timestamp? {
    guard fields.has(.received) else { return reception.received }
    if reception.trustsReceived { return try fields.time(.received) ?? reception.received }
    ignoredFields += 1
    return reception.received
  }

  /// How far the client's clock is behind, by what the event itself says; nil where receipt is not known either.
  @inline(__always)
  func skew(_ fields: Fields, _ received: Timestamp?) throws(Refusal) -> Milliseconds? {
    guard fields.has(.sentAt), let sentAt = try fields.time(.sentAt), let received else { return nil }
    return received - sentAt
  }
}
