internal import Glibc
internal import HTTP

/// A process of this program that answers questions, and the end of the socket that it is asked through.
final class WorkerProcess: Sendable {
  let process: pid_t
  let socket: MessageSocket

  private init(_ process: pid_t, _ socket: MessageSocket) { (self.process, self.socket) = (process, socket) }

  /// Whether it can be asked; false where it ended since it was last.
  var isReady: Bool { socket.isQuiet }

  func answer(
    _ asked: AskedQuestion, until end: ContinuousClock.Instant
  ) throws(MessageSocket.Ended) -> WorkerAnswer {
    // It gives up by itself: a little longer, for what it then says.
    let last = end + Self.grace
    let left = Int64((end - .now) / .milliseconds(1))
    do {
      try socket.send(asked.message(within: max(0, left)))
      _ = try socket.receive(until: last)
    } catch .closed {
      throw .notBegun
    }
    return try WorkerAnswer(from: socket, until: last)
  }

  private static let grace = Swift.Duration.seconds(2)

  /// Ends it, whatever it does; answers in words how it had ended by itself, nil where it had not.
  @discardableResult
  func end() -> String? {
    socket.close()
    var (status, hasEnded) = (Int32(0), false)
    // Where its memory ran out the system is still at work on it.
    for _ in 0..<20 where !hasEnded {
      hasEnded = waitpid(process, &status, WNOHANG) == process
      if !hasEnded { usleep(5000) }
    }
    if hasEnded { return Self.words(status) }
    kill(process, SIGKILL)
    waitpid(process, &status, 0)
    return nil
  }

  private static func words(_ status: Int32) -> String {
    let signal = status & 0x7f
    return signal == 0 ? "exit status \(status >> 8 & 0xff)" : "signal \(signal)"
  }
}

/// The program, and what it is told; the socket is its standard input.
public struct ProcessStart: Sendable {
  var program: String
  var arguments: [String]
  /// As the list of processes shows it; nil for the program's path.
  var name: String?

  public init(program: String, arguments: [String], name: String? = nil) {
    (self.program, self.arguments, self.name) = (program, arguments, name)
  }
}

extension WorkerProcess {
  static func start(_ start: ProcessStart) throws(ChildProcess.NotStarted) -> WorkerProcess {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw ChildProcess.NotStarted(number: errno)
    }
    defer { close(ends[1]) }
    do {
      // It ends with its socket.
      let process = try ChildProcess.start(
        [start.program] + start.arguments, name: start.name, input: ends[1], output: nil, isApart: true)
      return WorkerProcess(process, MessageSocket(ends[0]))
    } catch {
      close(ends[0])
      throw error
    }
  }
}
