import CSimdjson
import Lifecycle

/// A draft, its texts one after the other in memory.
struct DraftFields {
  let draft: Draft
  let start: UnsafePointer<UInt8>
  /// By the number of the field, where its text ends; it begins where the one before it ends.
  let ends: [Int]

  /// Empty where the draft has none.
  func text(_ field: Field) throws(RejectionReason) -> Text { try anyText(field).permitted(as: field) }

  func reason() throws(RejectionReason) -> Text { try anyText(.reason).cut(to: .reason) }

  /// The text of an object, for whoever reads its members.
  func object(_ field: Field) throws(RejectionReason) -> Text { try anyText(field) }

  private func anyText(_ field: Field) throws(RejectionReason) -> Text {
    let begin = field.rawValue == 0 ? 0 : ends[field.rawValue - 1]
    let text = Text(start: start + begin, count: ends[field.rawValue] - begin)
    let kind = csj_text_kind(text.start, text.count)
    guard kind == csj_string else { throw RejectionReason(notText: kind, field) }
    return text
  }
}

extension ClaimRules {
  /// What a draft claims. The request says when it came in, and what its clock is behind.
  func claim(_ fields: DraftFields) throws(RejectionReason) -> EventClaim {
    let draft = fields.draft
    guard !draft.isUnclear else { throw RejectionReason(code: .unknownOutcome, field: .gateway) }
    guard !draft.isUndated else { throw RejectionReason(code: .badTime, field: .at, detail: .undatedLine) }
    if let fault = draft.fault { throw try reason(fault, fields) }
    let app = try app(fields.text(.app))
    let device = try fields.text(.device).needed(as: .device)
    let release = try fields.text(.release).needed(by: draft.stage)
    let from = try fields.text(.from)
    let reason = try fields.reason()
    let id = try fields.text(.id)
    let push = draft.push == nil && draft.stage == .pushSent ? id : try fields.text(.push)
    let context = try context(app, fields)
    let at = try draft.at?.permitted(as: .at)
    let trigger = trigger(draft.trigger, of: draft.stage, state: draft.appState, isStarting: draft.appIsStarting)
    let duration = try draft.durationMs?.permitted(as: .durationMs)
    let bytes = try draft.bytes?.permitted(as: .bytes)
    let bucket = try draft.bucket?.permitted(as: .bucket, below: 100)
    return EventClaim(
      device: device, stage: draft.stage, release: release, from: from, reason: reason, id: id, push: push,
      context: context, at: at, trigger: trigger, outcome: draft.outcome.flatMap { $0.meant(by: draft.stage) },
      duration: duration.map(Milliseconds.init(rawValue:)), bytes: bytes, bucket: bucket.map { UInt8($0) },
      received: reception.received)
  }

  private func reason(_ fault: Draft.Fault, _ fields: DraftFields) throws(RejectionReason) -> RejectionReason {
    switch fault {
    case .stage: RejectionReason(code: .unknownStage, field: .stage, detail: .text(try fields.text(.stage)))
    case .keyOf(let app):
      RejectionReason(code: .wrongApp, field: .app, detail: .keyNames(app, try fields.text(.app)))
    case .nanoseconds(let name, let number):
      RejectionReason(code: .badTime, field: .at, detail: .nanoseconds(name, number))
    }
  }

  private func context(_ app: Text, _ fields: DraftFields) throws(RejectionReason) -> ContextInterner.Key {
    ContextInterner.Key(
      app: app, channel: channel(try fields.text(.channel)), platform: try fields.text(.platform),
      osVersion: try fields.text(.osVersion), appVersion: try fields.text(.appVersion),
      sdkVersion: try fields.text(.sdkVersion), network: try fields.text(.network), arm: try fields.text(.arm),
      emulator: fields.draft.emulator, region: try fields.text(.region), deviceModel: try fields.text(.deviceModel),
      tags: try fields.object(.tags))
  }
}

extension Draft {
  private var unknownStage: String? { if case .stage(let word) = fault { word } else { nil } }

  /// In the order of their names: the same tags are the same text, and the same event.
  private var tagsAsJSON: String? {
    guard !tags.isEmpty else { return nil }
    var json: [UInt8] = []
    let members = tags.sorted { $0.key < $1.key }.map { JSONValue.Member(name: $0.key, value: .string($0.value)) }
    JSONValue.object(members).append(to: &json)
    return String(decoding: json, as: UTF8.self)
  }

  /// nil also for the fields that are no texts.
  func text(_ field: Field) -> String? {
    switch field {
    case .device: device
    case .app: app
    case .release: release
    case .channel: channel
    case .id: id
    case .from: from
    case .platform: platform
    case .osVersion: osVersion
    case .appVersion: appVersion
    case .sdkVersion: sdkVersion
    case .network: network
    case .reason: reason
    case .push: push
    case .arm: arm
    case .region: region
    case .deviceModel: deviceModel
    case .tags: tagsAsJSON
    case .stage: unknownStage
    case .trigger, .at, .durationMs, .bytes, .outcome, .appState, .appIsStarting, .emulator, .bucket, .sentAt,
      .received, .gateway, .foreign:
      nil
    }
  }
}
