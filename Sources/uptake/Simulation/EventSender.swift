internal import Console
internal import Lifecycle
internal import Simulate

/// Sends requests to a service as clients do: many at the same time, each device's one after the other, again after
/// a refusal that says so.
final class EventSender: RequestOutlet {
  private let lines: [SendingLine]
  private let clock: () -> Instant
  private let path: String
  private let head: String

  init(_ url: String, key: String?, connections: Int, clock: @escaping () -> Instant) throws {
    let address = try ServiceAddress(url)
    lines = (0..<connections).map { _ in SendingLine(address) }
    self.clock = clock
    path = address.path
    head =
      "POST \(address.path) HTTP/1.1\r\nHost: \(address.authority)\r\nContent-Type: application/x-ndjson\r\n"
      + (key.map { "Authorization: Bearer \($0)\r\n" } ?? "")
  }

  func take(_ request: Simulate.Request) throws {
    let line = lines[line(of: request.sender)]
    try line.settle()
    // The simulated client's clock is off by as much from the real one as it was from the simulated one.
    let skew = request.sentAt.rawValue - request.received.rawValue
    let sentAt = clock().rawValue + skew
    var bytes = Array("\(head)X-Uptake-Sent-At: \(sentAt)\r\nContent-Length: \(request.body.count)\r\n\r\n".utf8)
    bytes += request.body
    try line.post(bytes)
  }

  func finish() throws {
    for line in lines { try line.settle() }
  }

  var notes: [String] {
    let (sent, repeated) = lines.reduce((0, 0)) { ($0.0 + $1.answered, $0.1 + $1.repeated) }
    return [
      "\(grouped(sent)) requests were answered" + (repeated > 0 ? ", \(grouped(repeated)) had to be repeated" : "")
    ]
  }

  /// One device always takes the same line, so that its requests stay in order.
  private func line(of sender: Simulate.Request.Sender) -> Int {
    guard case .device(let id) = sender else { return 0 }
    return id.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % lines.count
  }
}
