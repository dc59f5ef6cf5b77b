internal import Console
internal import HTTP
internal import Lifecycle
internal import Simulate

/// Sends requests to a service as clients do: many at the same time, each device's one after the other, again after
/// a refusal that says so.
final class EventSender: RequestOutlet {
  private let lines: [SendingLine]
  /// The devices whose requests are under way, so that a device's next one waits for the answer.
  private var devices: [String?]
  private var underWay: [String: Int] = [:]
  private var next = 0
  private let clock: () -> Instant
  private let address: WebAddress
  private let headers: [(name: String, value: String)]

  init(_ url: String, key: String?, connections: Int, userAgent: String, clock: @escaping () -> Instant) throws {
    address = try WebAddress(service: url)
    lines = (0..<connections).map { _ in SendingLine(HTTPClient(userAgent: userAgent)) }
    devices = Array(repeating: nil, count: connections)
    self.clock = clock
    headers =
      [("Content-Type", "application/x-ndjson")] + (key.map { [("Authorization", "Bearer \($0)")] } ?? [])
  }

  func take(_ request: Simulate.Request) throws {
    if case .device(let id) = request.sender, let line = underWay[id] { try settle(line) }
    next = (next + 1) % lines.count
    try settle(next)
    // The simulated client's clock is off by as much from the real one as it was from the simulated one.
    let skew = request.sentAt.rawValue - request.received.rawValue
    let sentAt = clock().rawValue + skew
    let stamped = headers + [("X-Uptake-Sent-At", String(sentAt))]
    lines[next].post(OutboundRequest("POST", address, headers: stamped, body: Array(request.body)))
    guard case .device(let id) = request.sender else { return }
    underWay[id] = next
    devices[next] = id
  }

  func finish() throws {
    for line in lines.indices { try settle(line) }
  }

  /// The line whose request has been under way for longest is the next to be used again.
  private func settle(_ line: Int) throws(Failure) {
    try lines[line].settle()
    if let id = devices[line].take() { underWay[id] = nil }
  }

  var notes: [String] {
    let (sent, repeated) = lines.reduce((0, 0)) { ($0.0 + $1.answered, $0.1 + $1.repeated) }
    return [
      "\(grouped(sent)) requests were answered" + (repeated > 0 ? ", \(grouped(repeated)) had to be repeated" : "")
    ]
  }
}
