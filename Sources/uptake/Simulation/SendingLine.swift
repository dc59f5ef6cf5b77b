internal import Console
internal import Glibc
internal import HTTP

/// One connection with at most one request under way.
final class SendingLine {
  private let connection: KeptConnection
  private var pending: OutboundRequest?
  private(set) var answered = 0
  private(set) var repeated = 0

  /// The sum of the pauses is about a minute: long enough for a service to be restarted.
  private static let attempts = 14

  init(_ client: HTTPClient) { connection = KeptConnection(client) }

  /// Sends without waiting for the answer; the line must be settled.
  func post(_ request: OutboundRequest) {
    pending = request
    try? connection.send(request)
  }

  /// Waits until the request under way is answered; sends it again where that may help.
  func settle() throws(Failure) {
    guard let request = pending else { return }
    for attempt in 0..<Self.attempts {
      let answer = connection.answer()
      if try isSettled(answer, request.address) { return pending = nil }
      repeated += 1
      connection.close()
      let pause = answer?.retryAfter.map { $0 * 1000 } ?? min(50 << attempt, 8000)
      usleep(UInt32(pause) * 1000)
      post(request)
    }
    throw Failure(
      "send_failed", "\(request.address.authority) does not take events",
      why: "no answer, or only refusals, for a minute",
      hints: ["is a service running there? start one with: uptake serve"])
  }

  private func isSettled(_ answer: OutboundAnswer?, _ address: WebAddress) throws(Failure) -> Bool {
    guard let answer else { return false }
    switch answer.status {
    case 200..<300:
      answered += 1
      return true
    case 408, 429, 500...: return false
    default:
      throw Failure(
        "send_refused", "\(address.authority) answered \(answer.status)",
        why: answer.body.isEmpty ? nil : answer.beginning,
        hints: [401, 403].contains(answer.status) ? ["give an ingest key with --key or UPTAKE_KEY"] : [])
    }
  }
}

extension OutboundAnswer {
  /// Seconds, at most a minute.
  fileprivate var retryAfter: Int? { self["retry-after"].flatMap { Int($0) }.map { min(max($0, 0), 60) } }
  fileprivate var beginning: String { String(decoding: body.prefix(400), as: UTF8.self) }
}
