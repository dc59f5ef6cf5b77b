internal import Answers
internal import Console
public import HTTP
internal import Ingest
public import Lifecycle
public import Report
public import Store

/// Sends single events to a receiver of logs, in the order in which they were stored, and remembers how far it got.
public struct EventShipment {
  public var order: ExportOrder
  var registry: Registry
  var path: String
  var clock: @Sendable () -> Timestamp
  /// Of one request; its body stays far below what receivers take.
  public static let size = 1000

  public init(order: ExportOrder, registry: Registry, path: String, clock: @escaping @Sendable () -> Timestamp) {
    (self.order, self.registry, self.path, self.clock) = (order, registry, path, clock)
  }

  public var identity: String { "events " + order.destination.identity(order.target) }

  /// So many refused one by one, and none taken in between: it is not the events, it is the receiver.
  private static let mostRefused = 20

  /// The request that would go out next, and how many events are in it.
  public func next(after position: Int64? = nil, limit: Int = size) throws -> (
    parcel: Parcel, last: Int64, events: Int
  )? {
    let snapshot = try Snapshot(path: path)
    let position = try position ?? registry.exportPosition(identity)
    let events = try snapshot.events(after: position, app: order.choice.app, limit: limit)
    guard let last = events.last else { return nil }
    let parcel = ExportTarget.eventLog(events.map(EventRecord.init), to: order.destination)
    return (parcel, last.sequence, events.count)
  }

  public func left() throws -> Int {
    try Snapshot(path: path).eventCount(after: try registry.exportPosition(identity), app: order.choice.app)
  }

  public struct Tally {
    public var sent = 0
    /// Events that the receiver will never take, and what it said of the last of them.
    public var refused = 0
    public var refusal: String?
    /// Why it stopped; nil at the end of the events.
    public var reason: String?
    /// Whether it is worth to go on, and when.
    public var nextAt: Timestamp?
    /// Somebody has to mend the key or the address before anything is taken.
    public var isMisaddressed = false
    var attempts = 0

    public init() {}
  }

  /// How far a run is beyond what the receiver has taken.
  private struct Progress {
    var position: Int64
    var limit = EventShipment.size
    /// Refused one by one since the last that was taken. Remembered as passed over once another one is taken.
    var refused = 0
  }

  /// Until there are no more events, or the receiver takes no more.
  ///
  /// - Throws: `already_sending` where another process does.
  public func send(_ client: HTTPClient, _ tally: inout Tally) throws {
    try registry.sending(to: identity) { try sendRest(client, &tally) }
  }

  private func sendRest(_ client: HTTPClient, _ tally: inout Tally) throws {
    (tally.reason, tally.nextAt) = (nil, nil)
    guard try !isQuiet(&tally) else { return }
    var progress = Progress(position: try registry.exportPosition(identity))
    while let (parcel, last, count) = try next(after: progress.position, limit: progress.limit) {
      guard let address = WebAddress(parcel.url) else {
        throw Failure("bad_url", "\(quoted(order.redaction(parcel.url))) is no address to send to", exit: .usage)
      }
      tally.attempts += 1
      let answer: OutboundAnswer
      do throws(OutboundError) { answer = try client.send(parcel.request(to: address)) } catch {
        tally.isMisaddressed = error.kind == .redirected
        let pause = tally.isMisaddressed ? nil : ExportTarget.backoff(tally.attempts)
        return try stop(order.redaction(error.description), for: pause, &tally)
      }
      guard try settle(answer, last, count, &progress, &tally) else { return }
    }
    guard progress.refused > 0 else { return }
    if tally.sent > 0 { return try passOver(progress, &tally) }
    try stop(tally.refusal ?? "", for: nil, &tally)
  }

  private func isQuiet(_ tally: inout Tally) throws -> Bool {
    let standing = try registry.exportStandings().first { $0.target == identity }
    // Later than anybody is asked to wait: a clock that was ahead wrote it.
    guard let standing, standing.pausedUntil > clock(), standing.pausedUntil <= clock() + Registry.longestPause else {
      return false
    }
    (tally.nextAt, tally.reason) = (standing.pausedUntil, standing.quiet)
    return true
  }

  /// False where nothing more should be sent now.
  private func settle(
    _ answer: OutboundAnswer, _ last: Int64, _ count: Int, _ progress: inout Progress, _ tally: inout Tally
  ) throws -> Bool {
    let part = PartialSuccess(answer)
    let takesNone = part.map { $0.rejected >= count } ?? false
    let words = takesNone ? rejection(part, of: count) : order.words(answer)
    switch order.reception(answer, attempts: tally.attempts, now: clock()) {
    case .accepted where !takesNone:
      try passOver(progress, &tally)
      if let part { try note(part, of: count, &tally) }
      try registry.setExportPosition(identity, last, now: clock())
      (tally.sent, tally.attempts) = (tally.sent + count, 0)
      progress = Progress(position: last, limit: min(Self.size, progress.limit * 2))
      return true
    case .refused where !ExportTarget.isAboutContent(answer.status): try stop(words, for: nil, &tally)
    case .accepted where count > 1, .refused where count > 1:
      // Too much at once, or one among them that it cannot take: which one, smaller requests will tell.
      (progress.limit, tally.attempts) = (count / 2, 0)
      return true
    case .accepted, .refused:
      tally.refusal = "event \(last): \(words)"
      (progress.refused, progress.position, tally.attempts) = (progress.refused + 1, last, 0)
      guard progress.refused == Self.mostRefused else { return true }
      try stop("it refuses one event after another, such as \(tally.refusal ?? "")", for: nil, &tally)
    case .later(let seconds), .quiet(let seconds): try stop(words, for: seconds, &tally)
    case .misaddressed:
      tally.isMisaddressed = true
      try stop(words, for: nil, &tally)
    }
    return false
  }

  /// Some of a request were dropped, nobody says which: they count as refused, and must not be sent again.
  private func note(_ part: PartialSuccess, of count: Int, _ tally: inout Tally) throws {
    (tally.refused, tally.sent) = (tally.refused + part.rejected, tally.sent - part.rejected)
    tally.refusal = rejection(part, of: count)
    try registry.noteExport(identity, .refused, reason: tally.refusal, now: clock())
  }

  private func rejection(_ part: PartialSuccess?, of count: Int) -> String {
    let dropped = min(part?.rejected ?? 0, count)
    return order.redaction(
      "\(dropped) of \(count) event\(count == 1 ? "" : "s") dropped: \(part?.message.prefix(300) ?? "")")
  }

  /// What was refused while others are taken is not sent again.
  private func passOver(_ progress: Progress, _ tally: inout Tally) throws {
    guard progress.refused > 0 else { return }
    tally.refused += progress.refused
    try registry.noteExport(identity, .refused, reason: tally.refusal, now: clock())
    try registry.setExportPosition(identity, progress.position, now: nil)
  }

  /// - Parameter seconds: how long nothing at all is sent there; nil where somebody has to mend something first.
  private func stop(_ reason: String, for seconds: Int64?, _ tally: inout Tally) throws {
    tally.reason = reason
    try registry.noteExport(identity, .waiting, reason: reason, now: clock())
    guard let seconds else { return }
    let nextAt = clock() + min(.seconds(seconds), Registry.longestPause)
    tally.nextAt = nextAt
    try registry.pause(identity, until: nextAt)
  }
}

extension ExportStanding {
  /// Why nothing goes out before the pause is over.
  var quiet: String {
    let words = "quiet until \(pausedUntil.rfc3339)"
    guard isFailing, let reason else { return words + ", as it asked" }
    return words + (reason.hasPrefix("429 ") ? ", as it asked (429)" : ", after \(reason)")
  }
}

extension EventRecord {
  /// With the names of attributes that this program reads itself.
  init(_ event: StoredEvent) {
    let attributes: [(String, String?)] = [
      ("ota.release", event.release), ("ota.channel", event.channel), ("ota.mechanism", event.trigger.rawValue),
      ("ota.from_version", event.from), ("ota.reason", event.reason), ("ota.outcome", event.outcome?.rawValue),
      ("ota.duration_ms", event.duration.map { String($0.rawValue) }), ("ota.bytes", event.bytes.map { String($0) }),
      ("ota.bucket", event.bucket.map { String($0) }), ("ota.arm", event.arm),
      ("ota.push", event.push.map(hexadecimal)), ("ota.emulator", event.isEmulator.map { $0 ? "true" : "false" }),
      ("network.connection.type", event.network), ("ota.region", event.traits[DeviceTraits.region]),
    ]
    let resource: [(String, String?)] = [
      ("service.version", event.appVersion), ("os.name", event.platform), ("os.version", event.osVersion),
      ("uptake.sdk.version", event.sdkVersion),
      ("device.model.identifier", event.traits[DeviceTraits.deviceModel]),
    ]
    let tags = event.traits.values.filter { $0.key.hasPrefix(DeviceTraits.tag) }
      .map { ("ota.tag." + $0.key.dropFirst(DeviceTraits.tag.count), Optional($0.value)) }
    func known(_ pairs: [(String, String?)]) -> [String: String] {
      Dictionary(uniqueKeysWithValues: pairs.compactMap { name, text in text.map { (name, $0) } })
    }
    self.init(
      at: event.at, received: event.received, id: hexadecimal(event.identity),
      device: hexadecimal(event.device.rawValue), app: event.app, stage: event.stage.rawValue,
      attributes: known(attributes + tags), resource: known(resource))
  }
}
