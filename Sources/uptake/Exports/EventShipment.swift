internal import Console
internal import HTTP
internal import Lifecycle
internal import Report
internal import Store

/// Sends single events to a receiver of logs, in the order in which they were stored, and remembers how far it got.
struct EventShipment {
  var order: ExportOrder
  var registry: Registry
  var path: String
  var clock: @Sendable () -> Timestamp
  /// Of one request; its body stays far below what receivers take.
  static let size = 1000

  var identity: String { "events " + order.destination.identity(order.target) }

  /// The request that would go out next, and how many events are to go.
  func next() throws -> (parcel: Parcel, last: Int64, events: Int)? {
    let snapshot = try Snapshot(path: path)
    let position = try registry.exportPosition(identity)
    let events = try snapshot.events(after: position, app: order.choice.app, limit: Self.size)
    guard let last = events.last else { return nil }
    let parcel = ExportTarget.eventLog(events.map(EventRecord.init), to: order.destination)
    return (parcel, last.sequence, events.count)
  }

  func left() throws -> Int {
    try Snapshot(path: path).eventCount(after: try registry.exportPosition(identity), app: order.choice.app)
  }

  struct Tally {
    var sent = 0
    /// Why it stopped; nil at the end of the events.
    var reason: String?
    /// Whether it is worth to go on, and when.
    var nextAt: Timestamp?
    var attempts = 0
  }

  /// Until there are no more events, or the receiver takes no more.
  func send(_ client: HTTPClient, _ tally: inout Tally) throws {
    (tally.reason, tally.nextAt) = (nil, nil)
    while let (parcel, last, count) = try next() {
      guard let address = WebAddress(parcel.url) else {
        throw Failure("bad_url", "\(quoted(order.redaction(parcel.url))) is no address to send to", exit: .usage)
      }
      tally.attempts += 1
      let answer: OutboundAnswer
      do throws(OutboundError) { answer = try client.send(parcel.request(to: address)) } catch {
        (tally.reason, tally.nextAt) = (
          error.description, clock() + .seconds(ExportTarget.backoff(tally.attempts))
        )
        return
      }
      guard try settle(answer, last, count, &tally) else { return }
    }
  }

  /// False where nothing more should be sent now.
  private func settle(_ answer: OutboundAnswer, _ last: Int64, _ count: Int, _ tally: inout Tally) throws -> Bool {
    let words = order.redaction("\(answer.status) \(answer.text.prefix(300))")
    switch order.target.reception(answer.status, attempts: tally.attempts, header: { answer[$0] }) {
    case .accepted:
      try registry.setExportPosition(identity, last)
      (tally.sent, tally.attempts) = (tally.sent + count, 0)
      return true
    case .later(let seconds), .quiet(let seconds):
      (tally.reason, tally.nextAt) = (words, clock() + .seconds(seconds))
    case .misaddressed, .refused: tally.reason = words
    }
    return false
  }
}

extension EventRecord {
  /// With the names of attributes that this program reads itself.
  init(_ event: StoredEvent) {
    func hexadecimal(_ number: UInt64) -> String {
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    let attributes: [(String, String?)] = [
      ("ota.release", event.release), ("ota.channel", event.channel), ("ota.mechanism", event.trigger.rawValue),
      ("ota.from_version", event.from), ("ota.reason", event.reason), ("ota.outcome", event.outcome?.rawValue),
      ("ota.duration_ms", event.duration.map { String($0.rawValue) }), ("ota.bytes", event.bytes.map { String($0) }),
      ("ota.bucket", event.bucket.map { String($0) }), ("ota.arm", event.arm),
      ("ota.push", event.push.map(hexadecimal)), ("ota.emulator", event.isEmulator.map { $0 ? "true" : "false" }),
      ("network.connection.type", event.network),
    ]
    let resource: [(String, String?)] = [
      ("service.version", event.appVersion), ("os.name", event.platform), ("os.version", event.osVersion),
      ("uptake.sdk.version", event.sdkVersion),
    ]
    func known(_ pairs: [(String, String?)]) -> [String: String] {
      Dictionary(uniqueKeysWithValues: pairs.compactMap { name, text in text.map { (name, $0) } })
    }
    self.init(
      at: event.at, received: event.received, id: hexadecimal(event.identity),
      device: hexadecimal(event.device.rawValue), app: event.app, stage: event.stage.rawValue,
      attributes: known(attributes), resource: known(resource))
  }
}
