import CSimdjson
import Lifecycle

/// Puts a batch together, event by event.
struct Assembly: ~Copyable {
  let reception: Reception
  var rules: ClaimRules
  var hasher: IdentityHasher
  var events: [Event] = []
  /// Times of receipt, one per event; stays empty where no event says its own.
  var receivedEach: [Timestamp?] = []
  /// By how much single events say that their client's clock is behind.
  var ownSkews: [(event: Int, skew: Milliseconds)] = []
  var contexts: ContextInterner
  var names: NameInterner
  private var arena: Arena

  init(_ reception: Reception, _ hasher: IdentityHasher, seed: UInt64, expecting count: Int) {
    self.reception = reception
    self.hasher = hasher
    var arena = Arena()
    let asides = reception.asides
    let beside = (arena.copy(asides.app), arena.copy(asides.channel), arena.copy(asides.platform))
    rules = ClaimRules(reception, keyApp: arena.copy(reception.app), beside: beside)
    self.arena = arena
    contexts = ContextInterner(seed: seed)
    names = NameInterner(seed: seed)
    events.reserveCapacity(count)
  }

  /// Stands for the time of an event that gives none until its time of receipt takes its place.
  static let undated = Timestamp(rawValue: .min)

  @inline(__always)
  mutating func add(_ fields: Fields) throws(RejectionReason) { add(try rules.claim(fields)) }

  mutating func add(_ draft: DraftFields) throws(RejectionReason) { add(try rules.claim(draft)) }

  /// Nothing is refused here: a claim holds, and leaves its traces in the tables.
  @inline(__always)
  private mutating func add(_ claim: EventClaim) {
    let app = claim.context.app
    var event = Event(
      at: claim.at ?? Self.undated, device: hasher.device(app: app, id: claim.device), identity: 0,
      context: contexts.intern(claim.context), stage: claim.stage, trigger: claim.trigger, outcome: claim.outcome,
      release: names.intern(claim.release), from: names.intern(claim.from), reason: names.intern(claim.reason),
      push: claim.push.isEmpty ? 0 : hasher.push(app: app, id: claim.push), duration: claim.duration,
      bytes: claim.bytes, bucket: claim.bucket)
    event.identity = identity(of: event, claim)
    if let skew = claim.skew { ownSkews.append((events.count, skew)) }
    if reception.trustsReceived { note(claim.received) }
    events.append(event)
  }

  @inline(__always)
  private mutating func identity(of event: Event, _ claim: EventClaim) -> UInt64 {
    let app = claim.context.app
    if !claim.id.isEmpty { return hasher.event(app: app, id: claim.id) }
    let seen = claim.at == nil ? claim.received ?? reception.now : nil
    return hasher.event(app: app, receivedIfUndated: seen) { $0.put(event, claim) }
  }

  private mutating func note(_ received: Timestamp?) {
    if received != nil, receivedEach.isEmpty { receivedEach = Array(repeating: nil, count: events.count) }
    if received != nil || !receivedEach.isEmpty { receivedEach.append(received) }
  }
}

extension IdentityHasher {
  /// Everything meaningful that the client sent, in one order, whatever spellings it used.
  fileprivate mutating func put(_ event: Event, _ claim: EventClaim) {
    put(1, claim.device)
    put(2, Int64(event.stage.code) << 16 | Int64(event.trigger.code) << 8 | Int64(event.outcome?.code ?? 0))
    put(3, event.at.rawValue)
    put(4, claim.release)
    put(5, claim.from)
    put(6, claim.reason)
    put(7, claim.push)
    put(8, event.duration?.rawValue ?? -1)
    put(9, event.bytes ?? -1)
    put(10, event.bucket.map(Int64.init) ?? -1)
    put(11, claim.context.channel)
    put(12, claim.context.platform)
    put(13, claim.context.osVersion)
    put(14, claim.context.appVersion)
    put(15, claim.context.sdkVersion)
    put(16, claim.context.network)
    put(17, claim.context.arm)
    put(18, claim.context.emulator.map { $0 ? 1 : 0 } ?? -1)
    // Events without them are those of before there were any.
    guard claim.context.isExtended else { return }
    put(19, claim.context.region)
    put(20, claim.context.deviceModel)
    put(21, claim.context.tags)
  }
}
