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

  public init(program: String, arguments: [String]) { (self.program, self.arguments) = (program, arguments) }
}

extension WorkerProcess {
  /// The system's number of what went wrong.
  struct NotStarted: Error { var number: Int32 }

  static func start(_ start: ProcessStart) throws(NotStarted) -> WorkerProcess {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw NotStarted(number: errno)
    }
    defer { close(ends[1]) }
    do { return WorkerProcess(try spawn(start, input: ends[1]), MessageSocket(ends[0])) } catch {
      close(ends[0])
      throw error
    }
  }

  /// Everything else that is open closes by itself: nothing here is opened without saying so.
  private static func spawn(_ start: ProcessStart, input: Int32) throws(NotStarted) -> pid_t {
    var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    setApart(&attributes)
    var process: pid_t = 0
    var words = ([start.program] + start.arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    let fault = posix_spawn(&process, start.program, &actions, &attributes, &words, environ)
    guard fault == 0 else { throw NotStarted(number: fault) }
    return process
  }

  /// No signal is held back from it, and what a terminal sends to the service is not for it: it ends with its socket.
  static func setApart(_ attributes: inout posix_spawnattr_t) {
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }
}
