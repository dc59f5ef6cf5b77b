internal import Glibc

/// Messages between the service and a worker: four bytes of length, then as many bytes.
///
/// Both are this program, in one version: what is no message is a fault, not a version to be understood.
struct MessageSocket: Sendable {
  enum Ended: Error {
    /// The other side went away.
    case closed
    /// It went away before it began.
    case notBegun
    /// The time is over.
    case late
  }
  static let longest = 1 << 30

  let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Whether the other side is there, and has said nothing yet.
  var isQuiet: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
  }

  /// Whether the other side has said something, or is gone, by then.
  func hasMore(within milliseconds: Int32) -> Bool {
    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waited, 1, milliseconds) > 0
  }

  /// Nothing is said any more by the other side.
  func waitUntilClosed() {
    var byte: UInt8 = 0
    while true {
      let count = recv(descriptor, &byte, 1, 0)
      // At the end `errno` still tells of a call before.
      guard count > 0 || (count < 0 && errno == EINTR) else { return }
    }
  }

  func close() { Glibc.close(descriptor) }

  func send(_ bytes: [UInt8]) throws(Ended) {
    try write((0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) })
    try write(bytes)
  }

  private func write(_ bytes: [UInt8]) throws(Ended) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .closed }
      sent += count
    }
  }

  /// - Parameter end: nil waits for ever.
  func receive(until end: ContinuousClock.Instant?) throws(Ended) -> [UInt8] {
    let head = try read(4, until: end)
    let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= Self.longest else { throw .closed }
    return try read(length, until: end)
  }

  private func read(_ count: Int, until end: ContinuousClock.Instant?) throws(Ended) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var have = 0
    while have < count {
      try wait(until: end)
      let got = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress.map { $0 + have }, count - have, 0) }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw .closed }
      have += got
    }
    return bytes
  }

  private func wait(until end: ContinuousClock.Instant?) throws(Ended) {
    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let left = end.map { ($0 - .now) / .milliseconds(1) }
      if let left, left <= 0 { throw .late }
      let ready = poll(&waited, 1, left.map { Int32(min($0.rounded(.up), 1e9)) } ?? -1)
      if ready > 0 { return }
      if ready < 0, errno != EINTR { throw .closed }
    }
  }
}

extension MessageSocket {
  /// Texts without a zero byte.
  func send(_ words: [String]) throws(Ended) { try send(Array(words.joined(separator: "\0").utf8)) }

  func words(until end: ContinuousClock.Instant?) throws(Ended) -> [String] {
    try receive(until: end).split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
