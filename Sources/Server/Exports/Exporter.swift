internal import Answers
internal import Console
public import HTTP
internal import Ingest
public import Lifecycle
public import Report
public import Store

/// Notices what is news to one receiver, keeps it, and sends what is kept.
///
/// A fact is on disk before it is sent and marked while it is on its way. Whenever the program ends, what was not
/// answered is sent again, the same to the byte but for the time of sending, under the same id.
public struct Exporter {
  public let order: ExportOrder
  let registry: Registry
  let clock: @Sendable () -> Timestamp

  public init(order: ExportOrder, registry: Registry, clock: @escaping @Sendable () -> Timestamp) {
    (self.order, self.registry, self.clock) = (order, registry, clock)
  }

  public var identity: String { order.destination.identity(order.target) }
  private var wall: Timestamp { clock() }

  /// What has happened that the receiver was not told of, nor is waiting to be.
  public func news(_ rollouts: [Rollout], _ findings: [FleetFindings] = []) throws -> [RolloutFact] {
    try NewsChore(order, database: "").facts(rollouts, findings, registry)
  }

  /// Publications of which it was told, and that were taken back since; none where it is no chat.
  public func withdrawn(_ vocabulary: Vocabulary, now: Timestamp) throws -> [RolloutFact] {
    try NewsChore(order, database: "").withdrawn(vocabulary, registry, now: now)
  }

  /// How many of them were new.
  public func remember(_ facts: [RolloutFact]) throws -> Int {
    let now = wall
    return try registry.remember(
      try facts.map { fact in
        ExportRecord(
          target: identity, id: fact.id, app: fact.app, release: fact.release, channel: fact.channel,
          kind: fact.kind.rawValue, word: fact.word, at: fact.at, noticedAt: now,
          fact: try JSON(encoding: fact).text())
      })
  }

  public struct Tally: Equatable {
    public var sent = 0
    public var refused = 0
    public var waiting = 0
    /// When it is worth to try again; nil where nothing waits.
    public var nextAt: Timestamp?
    /// Of the last thing that went wrong.
    public var reason: String?
    /// Why nothing at all goes out before `nextAt`, whoever asks for it; nil where the receiver did not ask for quiet.
    public var quiet: String?
    /// Somebody has to mend the key or the address before anything is taken.
    public var isMisaddressed = false
  }

  /// Sends what is due, in the order in which it happened, and stops where the receiver is not to be bothered further.
  ///
  /// - Parameters:
  ///   - isUrgent: somebody asks for it now: what failed before is due at once, unless the receiver asked for quiet.
  ///   - isOver: whether no further request is to be begun.
  /// - Throws: `already_sending` where another process does.
  public func send(
    _ client: HTTPClient, isUrgent: Bool = false, isOver: () -> Bool = { false }
  ) throws -> Tally {
    try registry.sending(to: identity) { try sendDue(client, isUrgent, isOver) }
  }

  private func sendDue(_ client: HTTPClient, _ isUrgent: Bool, _ isOver: () -> Bool) throws -> Tally {
    var tally = Tally()
    let before = try standing()
    if isDue(before?.pausedUntil) { try send(due(try waiting(), isUrgent, before), client, isOver, &tally) }
    let (left, standing) = (try waiting(), try standing())
    tally.waiting = left.count
    let held = [standing?.pausedUntil, heldUntil(left, standing)].compactMap(\.self)
    tally.nextAt = left.map(\.nextAt).min().map { held.reduce($0, max) }
    tally.quiet = isDue(standing?.pausedUntil) ? nil : standing?.quiet
    return tally
  }

  /// What this order is to send; what another entry of the settings has for the same place says it its own way.
  func waiting() throws -> [ExportRecord] {
    try registry.unsent(identity).filter { order.choice.covers(app: $0.app, channel: $0.channel) }
  }

  /// Everything, once something is due, while the receiver is in trouble: what was noticed meanwhile is not told before what waits.
  private func due(_ waiting: [ExportRecord], _ isUrgent: Bool, _ standing: ExportStanding?) -> [ExportRecord] {
    guard isUrgent || isDue(heldUntil(waiting, standing)) else { return [] }
    let due = waiting.filter { isUrgent || $0.outcome == .sending || isDue($0.nextAt) }
    return standing?.isFailing ?? false && !due.isEmpty ? waiting : due
  }

  /// Until when the last answer asked to be left alone, as with `Retry-After`: also with what is noticed meanwhile, unless somebody asks for
  /// it. nil where it asked for no longer than would be waited anyhow.
  private func heldUntil(_ waiting: [ExportRecord], _ standing: ExportStanding?) -> Timestamp? {
    guard let standing, standing.isFailing, let most = waiting.map(\.attempts).max() else { return nil }
    let usual = Milliseconds.seconds(ExportTarget.backoff(most) + 1)
    return waiting.first { record in
      record.attempts > 0 && record.changedAt == standing.failedAt && record.nextAt > record.changedAt + usual
    }?.nextAt
  }

  /// An instant that nothing here writes is from a clock that was ahead; nobody waits for it.
  func isDue(_ at: Timestamp?) -> Bool {
    guard let at else { return true }
    return at <= wall || at > wall + Registry.longestPause
  }

  private func standing() throws -> ExportStanding? {
    try registry.exportStandings().first { $0.target == identity }
  }
}

extension ExportRecord {
  /// nil where it is not what this program writes.
  var decoded: RolloutFact? { RolloutFact(json: fact) }
}

extension RolloutFact {
  init?(json: String) {
    guard let fact = try? JSON.decode(RolloutFact.self, from: Array(json.utf8)) else { return nil }
    self = fact
  }
}

extension PartialSuccess {
  init?(_ answer: OutboundAnswer) { self.init(answer.body, mediaType: answer["content-type"] ?? "") }
}

extension Parcel {
  func request(to address: WebAddress) -> OutboundRequest {
    let packing: [(name: String, value: String)] = isPacked ? [("Content-Encoding", "gzip")] : []
    return OutboundRequest(
      method, address, headers: headers.map { ($0.name, $0.value) } + packing, body: isPacked ? gzip(body) : body)
  }
}
