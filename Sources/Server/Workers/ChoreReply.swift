internal import Glibc

/// What the process of a chore answers: what was done, or why it was not.
struct ChoreReply {
  var fault: String?
  var seconds = 0.0
  var body: [UInt8] = []

  func send(over socket: MessageSocket) throws(MessageSocket.Ended) {
    try socket.send(["\(seconds)", fault ?? ""])
    try socket.send(body)
  }

  init(fault: String? = nil, seconds: Double = 0, body: [UInt8] = []) {
    (self.fault, self.seconds, self.body) = (fault, seconds, body)
  }

  init(from socket: MessageSocket, until end: ContinuousClock.Instant) throws(MessageSocket.Ended) {
    let words = try socket.words(until: end)
    guard words.count == 2, let seconds = Double(words[0]) else { throw .closed }
    self.init(fault: words[1].isEmpty ? nil : words[1], seconds: seconds, body: try socket.receive(until: end))
  }
}

extension WorkerProcess {
  /// - Parameter isOver: looked at several times a second; true gives the chore up.
  func reply(
    to name: String, _ chore: [UInt8], until end: ContinuousClock.Instant, _ isOver: () -> Bool
  ) throws(MessageSocket.Ended) -> ChoreReply {
    try socket.send([name])
    try socket.send(chore)
    while !socket.hasMore(within: 100) {
      if isOver() || end <= .now { throw .late }
    }
    return try ChoreReply(from: socket, until: end)
  }
}
