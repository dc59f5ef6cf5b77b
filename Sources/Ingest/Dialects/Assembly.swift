import CSimdjson
import Lifecycle

/// Puts a batch together, event by event: every check of the contract, then the event.
struct Assembly: ~Copyable {
  let reception: Reception
  let vocabulary = Vocabulary.shared
  var hasher: IdentityHasher
  var events: [Event] = []
  /// Times of receipt, one per event; stays empty where no event says its own.
  var receivedEach: [Timestamp?] = []
  /// By how much single events say that their client's clock is behind.
  var ownSkews: [(event: Int, skew: Milliseconds)] = []
  var contexts: ContextInterner
  var names: NameInterner
  var ignoredFields = 0
  let keyApp: Text
  private var arena: Arena

  init(_ reception: Reception, _ hasher: IdentityHasher, seed: UInt64, expecting count: Int) {
    self.reception = reception
    self.hasher = hasher
    var arena = Arena()
    if let app = reception.app {
      keyApp = withText(app) { arena.copy($0) }
    } else {
      keyApp = Fields.nothing
    }
    self.arena = arena
    contexts = ContextInterner(seed: seed)
    names = NameInterner(seed: seed)
    events.reserveCapacity(count)
  }

  /// Stands for the time of an event that gives none until its time of receipt takes its place.
  static let undated = Timestamp(rawValue: .min)

  mutating func add(_ fields: Fields) throws(Refusal) {
    let app = try app(of: fields)
    let device = try required(.device, fields)
    guard let place = try fields.word(.stage, in: vocabulary.stages, else: .unknownStage) else {
      throw Refusal(code: .missingField, field: .stage)
    }
    let stage = vocabulary.stageWords[place].stage
    let release = try release(of: stage, fields)
    let from = try fields.text(.from, orNone: fields.nothing)
    let reason = try reason(fields, implied: vocabulary.impliedReasons[place])
    let id = try fields.text(.id, orNone: fields.nothing)
    let push = try push(of: stage, id: id, fields)
    let key = try contextKey(app: app, fields)
    let at = try fields.time(.at)
    var event = Event(
      at: at ?? Self.undated, device: DeviceHash(rawValue: 0), identity: 0, context: 0, stage: stage,
      trigger: try trigger(of: stage, fields), outcome: try outcome(of: stage, fields),
      duration: try fields.integer(.durationMs).map(Milliseconds.init(rawValue:)), bytes: try fields.integer(.bytes),
      bucket: try fields.integer(.bucket, below: 100).map { UInt8($0) })
    let received = try received(fields)
    let skew = try skew(fields, received)
    // From here on nothing is refused: only valid events leave traces in the tables.
    event.context = contexts.intern(key)
    event.release = names.intern(release)
    event.from = names.intern(from)
    event.reason = names.intern(reason)
    event.device = hasher.device(app: app, id: device)
    if !push.isEmpty { event.push = hasher.push(app: app, id: push) }
    if !id.isEmpty {
      event.identity = hasher.event(app: app, id: id)
    } else {
      let seen = at == nil ? received ?? reception.now : nil
      event.identity = hasher.event(app: app, receivedIfUndated: seen) {
        $0.put(event, key, device: device, release: release, from: from, reason: reason, push: push)
      }
    }
    if let skew { ownSkews.append((events.count, skew)) }
    if reception.trustsReceived { note(received) }
    events.append(event)
  }

  private mutating func note(_ received: Timestamp?) {
    if received != nil, receivedEach.isEmpty { receivedEach = Array(repeating: nil, count: events.count) }
    if received != nil || !receivedEach.isEmpty { receivedEach.append(received) }
  }
}

extension IdentityHasher {
  /// Everything meaningful that the client sent, in one order, whatever spellings it used.
  fileprivate mutating func put(
    _ event: Event, _ key: ContextInterner.Key, device: Text, release: Text, from: Text, reason: Text, push: Text
  ) {
    put(1, device)
    put(2, Int64(event.stage.code) << 16 | Int64(event.trigger.code) << 8 | Int64(event.outcome?.code ?? 0))
    put(3, event.at.rawValue)
    put(4, release)
    put(5, from)
    put(6, reason)
    put(7, push)
    put(8, event.duration?.rawValue ?? -1)
    put(9, event.bytes ?? -1)
    put(10, event.bucket.map(Int64.init) ?? -1)
    put(11, key.channel)
    put(12, key.platform)
    put(13, key.osVersion)
    put(14, key.appVersion)
    put(15, key.sdkVersion)
    put(16, key.network)
    put(17, key.arm)
    put(18, key.emulator.map { $0 ? 1 : 0 } ?? -1)
  }
}
