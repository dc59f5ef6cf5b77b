internal import Console
internal import HTTP
internal import Ingest
internal import Lifecycle
internal import Report
internal import Store

/// One round of sending, in the order in which it happened.
extension Exporter {
  /// What becomes of the facts behind one that was tried.
  enum Next: Equatable {
    case goesOn
    case stops
    /// No answer, or one of a server in trouble: the fact waits until then.
    case isInTrouble(until: Timestamp)
  }

  /// In seconds; what people mend is not tried more often.
  private static let untilMended: Int64 = 300

  /// Of a receiver in trouble the oldest fact is tried alone, so that the others keep their order. Where that fact failed again and again,
  /// another one tells whether it is the fact or the receiver.
  func send(_ due: [ExportRecord], _ client: HTTPClient, _ isOver: () -> Bool, _ tally: inout Tally) throws {
    var (rest, isWell) = (due, false)
    while !rest.isEmpty, !isOver() {
      let record = rest.removeFirst()
      switch try deliver(record, client, &tally) {
      case .goesOn: continue
      case .stops: return
      case .isInTrouble(let end):
        isWell = try record.isStuck && (isWell || takesAnother(&rest, client, &tally))
        guard isWell else { return try registry.postpone(identity, until: end) }
      }
    }
  }

  /// Tries the fact that was tried least.
  private func takesAnother(
    _ rest: inout [ExportRecord], _ client: HTTPClient, _ tally: inout Tally
  ) throws -> Bool {
    guard let place = rest.indices.min(by: { (rest[$0].attempts, $0) < (rest[$1].attempts, $1) }) else { return false }
    return try deliver(rest.remove(at: place), client, &tally) == .goesOn
  }

  private func deliver(_ record: ExportRecord, _ client: HTTPClient, _ tally: inout Tally) throws -> Next {
    guard let noticed = record.decoded else { return try refuse(record, "what was noticed cannot be read", &tally) }
    guard let fact = noticed.told(at: clock(), noticedAt: record.noticedAt, to: order.target) else {
      return try refuse(record, "it waited for so long that \(order.target.title) would not take it", &tally)
    }
    guard let request = try request(fact) else { return try refuse(record, "it cannot be told there", &tally) }
    guard request.body.count <= order.target.manners.maxBody else { return try refuse(record, "too large", &tally) }
    // What is tried for another's sake, before it is due, is not put off for longer by that.
    let counts = isDue(record.nextAt)
    try registry.begin(record, counts: counts, now: clock())
    var record = record
    record.attempts += counts ? 1 : 0
    let answer: OutboundAnswer
    do throws(OutboundError) { answer = try client.send(request) } catch {
      let reason = order.redaction(error.description)
      return error.kind == .redirected
        ? try stopUntilMended(record, reason, &tally)
        : try wait(record, reason, seconds: ExportTarget.backoff(record.attempts), &tally)
    }
    return try settle(record, answer, &tally)
  }

  /// It will never be sent, and holds up no other.
  private func refuse(_ record: ExportRecord, _ reason: String, _ tally: inout Tally) throws -> Next {
    (tally.refused, tally.reason) = (tally.refused + 1, reason)
    try registry.finish(record, .refused, reason: reason, nextAt: record.nextAt, now: clock())
    return .goesOn
  }

  private func request(_ fact: RolloutFact) throws -> OutboundRequest? {
    guard let parcel = order.target.parcel(fact, to: order.destination, sentAt: clock()) else { return nil }
    guard let address = WebAddress(parcel.url) else {
      throw Failure(
        "bad_url", "\(quoted(order.redaction(parcel.url))) is no address to send to",
        hints: ["write it like https://host:port/path"], exit: .usage)
    }
    return parcel.request(to: address)
  }

  /// Remembers what the answer means.
  private func settle(_ record: ExportRecord, _ answer: OutboundAnswer, _ tally: inout Tally) throws -> Next {
    let words = order.words(answer)
    let quiet = order.target.rest { answer[$0] }.map(later)
    if let quiet { try registry.pause(identity, until: quiet) }
    switch order.reception(answer, attempts: record.attempts, now: clock()) {
    case .accepted where !isDropped(answer):
      tally.sent += 1
      try registry.finish(record, .sent, reason: nil, nextAt: record.nextAt, now: clock())
    case .accepted, .refused: _ = try refuse(record, words, &tally)
    case .later(let seconds): return try wait(record, words, seconds: seconds, &tally)
    case .quiet(let seconds):
      try registry.pause(identity, until: later(seconds))
      return try stop(record, words, seconds: seconds, &tally)
    case .misaddressed: return try stopUntilMended(record, words, &tally)
    }
    return quiet == nil ? .goesOn : .stops
  }

  /// Whether the receiver accepts the request and says in its answer that it drops what is in it.
  private func isDropped(_ answer: OutboundAnswer) -> Bool {
    order.target.name == ExportTarget.otlp.name && PartialSuccess(answer) != nil
  }

  private func wait(
    _ record: ExportRecord, _ reason: String, seconds: Int64, _ tally: inout Tally
  ) throws -> Next {
    tally.reason = reason
    let isAsked = seconds > ExportTarget.backoff(record.attempts)
    let end = isAsked || isDue(record.nextAt) ? later(seconds) : record.nextAt
    try registry.finish(record, .waiting, reason: reason, nextAt: end, now: clock())
    return .isInTrouble(until: end)
  }

  /// The fact waits, and with it whatever else waits for the receiver.
  private func stop(_ record: ExportRecord, _ reason: String, seconds: Int64, _ tally: inout Tally) throws -> Next {
    _ = try wait(record, reason, seconds: seconds, &tally)
    try registry.postpone(identity, until: later(seconds))
    return .stops
  }

  private func stopUntilMended(_ record: ExportRecord, _ reason: String, _ tally: inout Tally) throws -> Next {
    tally.isMisaddressed = true
    return try stop(record, reason, seconds: Self.untilMended, &tally)
  }

  /// In so many seconds, or as late as it is ever waited.
  private func later(_ seconds: Int64) -> Timestamp { clock() + min(.seconds(seconds), Registry.longestPause) }
}

extension ExportRecord {
  /// It failed so often that it may be what the receiver does not like, and must not hold up the others.
  fileprivate var isStuck: Bool { attempts > 3 }
}
