internal import Console
internal import Glibc

/// One connection with at most one request under way.
final class SendingLine {
  private let address: ServiceAddress
  private var socket: Socket?
  private var pending: [UInt8]?
  private(set) var answered = 0
  private(set) var repeated = 0

  /// The sum of the pauses is about a minute: long enough for a service to be restarted.
  private static let attempts = 14

  init(_ address: ServiceAddress) { self.address = address }

  /// Sends without waiting for the answer; the line must be settled.
  func post(_ bytes: [UInt8]) throws(Failure) {
    pending = bytes
    if socket == nil { socket = try? Socket(to: address) }
    if socket?.send(bytes) != true { socket = nil }
  }

  /// Waits until the request under way is answered; sends it again where that may help.
  func settle() throws(Failure) {
    guard let bytes = pending else { return }
    for attempt in 0..<Self.attempts {
      let answer = socket?.answer()
      if try isSettled(answer) { return pending = nil }
      repeated += 1
      socket = nil
      let pause = answer?.retryAfter.map { $0 * 1000 } ?? min(50 << attempt, 8000)
      usleep(UInt32(pause) * 1000)
      try post(bytes)
    }
    throw Failure(
      "send_failed", "\(address.authority) does not take events", why: "no answer, or only refusals, for a minute",
      hints: ["is a service running there? start one with: uptake serve"])
  }

  private func isSettled(_ answer: ServiceAnswer?) throws(Failure) -> Bool {
    guard let answer else { return false }
    switch answer.status {
    case 200..<300:
      answered += 1
      if answer.closes { socket = nil }
      return true
    case 408, 429, 500...: return false
    default:
      throw Failure(
        "send_refused", "\(address.authority) answered \(answer.status)", why: answer.text.isEmpty ? nil : answer.text,
        hints: [401, 403].contains(answer.status) ? ["give an ingest key with --key or UPTAKE_KEY"] : [])
    }
  }
}
