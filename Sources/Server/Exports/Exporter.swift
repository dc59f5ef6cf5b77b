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

  /// In seconds; what people mend is not tried more often.
  private static let untilMended: Int64 = 300

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
    if isDue(try standing()?.pausedUntil) {
      for record in try registry.unsent(identity) where isUrgent || record.outcome == .sending || isDue(record.nextAt) {
        guard !isOver(), try deliver(record, client, &tally) else { break }
      }
    }
    let (left, standing) = (try registry.unsent(identity), try standing())
    tally.waiting = left.count
    tally.nextAt = left.map(\.nextAt).min().map { max($0, standing?.pausedUntil ?? $0) }
    tally.quiet = isDue(standing?.pausedUntil) ? nil : standing?.quiet
    return tally
  }

  /// An instant that nothing here writes is from a clock that was ahead; nobody waits for it.
  private func isDue(_ at: Timestamp?) -> Bool {
    guard let at else { return true }
    return at <= wall || at > wall + Registry.longestPause
  }

  private func standing() throws -> ExportStanding? {
    try registry.exportStandings().first { $0.target == identity }
  }

  /// False where nothing more should be sent now.
  private func deliver(_ record: ExportRecord, _ client: HTTPClient, _ tally: inout Tally) throws -> Bool {
    guard let fact = record.decoded else { return try refuse(record, "what was noticed cannot be read", &tally) }
    guard let request = try request(fact) else { return try refuse(record, "it cannot be told there", &tally) }
    guard request.body.count <= order.target.manners.maxBody else { return try refuse(record, "too large", &tally) }
    try registry.begin(record, now: wall)
    var record = record
    record.attempts += 1
    let answer: OutboundAnswer
    do throws(OutboundError) { answer = try client.send(request) } catch {
      tally.isMisaddressed = error.kind == .redirected
      let seconds = tally.isMisaddressed ? Self.untilMended : ExportTarget.backoff(record.attempts)
      try postpone(record, order.redaction(error.description), seconds: seconds, &tally)
      return false
    }
    return try settle(record, answer, &tally)
  }

  /// It will never be sent, and holds up no other.
  private func refuse(_ record: ExportRecord, _ reason: String, _ tally: inout Tally) throws -> Bool {
    (tally.refused, tally.reason) = (tally.refused + 1, reason)
    try registry.finish(record, .refused, reason: reason, nextAt: record.nextAt, now: wall)
    return true
  }

  private func request(_ fact: RolloutFact) throws -> OutboundRequest? {
    guard let parcel = order.target.parcel(fact, to: order.destination, sentAt: wall) else { return nil }
    guard let address = WebAddress(parcel.url) else {
      throw Failure(
        "bad_url", "\(quoted(order.redaction(parcel.url))) is no address to send to",
        hints: ["write it like https://host:port/path"], exit: .usage)
    }
    return parcel.request(to: address)
  }

  /// Remembers what the answer means.
  private func settle(_ record: ExportRecord, _ answer: OutboundAnswer, _ tally: inout Tally) throws -> Bool {
    let words = order.words(answer)
    let quiet = order.target.rest { answer[$0] }.map(later)
    if let quiet { try registry.pause(identity, until: quiet) }
    switch order.reception(answer, attempts: record.attempts) {
    case .accepted where !isDropped(answer):
      tally.sent += 1
      try registry.finish(record, .sent, reason: nil, nextAt: record.nextAt, now: wall)
      return quiet == nil
    case .accepted, .refused:
      (tally.refused, tally.reason) = (tally.refused + 1, words)
      try registry.finish(record, .refused, reason: words, nextAt: record.nextAt, now: wall)
      return quiet == nil
    case .later(let seconds): try postpone(record, words, seconds: seconds, &tally)
    case .quiet(let seconds):
      try registry.pause(identity, until: later(seconds))
      try postpone(record, words, seconds: seconds, &tally)
    case .misaddressed:
      tally.isMisaddressed = true
      try postpone(record, words, seconds: Self.untilMended, &tally)
    }
    return false
  }

  /// Whether the receiver accepts the request and says in its answer that it drops what is in it.
  private func isDropped(_ answer: OutboundAnswer) -> Bool {
    order.target.name == ExportTarget.otlp.name && PartialSuccess(answer) != nil
  }

  /// The fact waits, and with it whatever else waits for the receiver.
  private func postpone(_ record: ExportRecord, _ reason: String, seconds: Int64, _ tally: inout Tally) throws {
    let nextAt = later(seconds)
    try registry.finish(record, .waiting, reason: reason, nextAt: nextAt, now: wall)
    try registry.postpone(identity, until: nextAt)
    tally.reason = reason
  }
}

extension Exporter {
  /// In so many seconds, or as late as it is ever waited.
  private func later(_ seconds: Int64) -> Timestamp { wall + min(.seconds(seconds), Registry.longestPause) }
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
