internal import Glibc

/// The command that verifies tokens, kept running: takes a line for each on its standard input, and writes a line for each
/// answer. What it says on standard error goes where the service's log goes.
///
/// For one thread, which takes no signals: to write to a command that ended is then an error and not the end.
final class AttestationHook {
  private let process: pid_t
  private let input, output: Int32
  private var unsent: [UInt8] = []
  private var unread: [UInt8] = []

  /// A line that is longer is no answer.
  static let longestLine = 4096
  /// As much as waits for a command that reads nothing.
  static let mostUnsent = 256 << 10

  init(_ command: String) throws(ChildProcess.NotStarted) {
    let (tokens, answers) = try Self.pipes()
    defer { for end in [tokens.read, answers.write] { close(end) } }
    do {
      process = try ChildProcess.start(
        ["/bin/sh", "-c", command], input: tokens.read, output: answers.write, isApart: true)
    } catch {
      for end in [tokens.write, answers.read] { close(end) }
      throw error
    }
    (input, output) = (tokens.write, answers.read)
    for end in [input, output] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
  }

  /// With everything that it started, and itself where it left the group that it was given.
  deinit {
    for end in [input, output] { close(end) }
    kill(-process, SIGKILL)
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  var takesMore: Bool { unsent.count < Self.mostUnsent }

  func send(_ line: [UInt8]) { unsent += line }

  /// Waits until there is something to read or room to write, and does both. nil where the command ended, or writes what
  /// can be no answer.
  func lines(within milliseconds: Int32) -> [[UInt8]]? {
    var ends = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
    if !unsent.isEmpty { ends.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
    poll(&ends, nfds_t(ends.count), milliseconds)
    guard write(), read() else { return nil }
    var lines = unread.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    unread = Array(lines.removeLast())
    return unread.count > Self.longestLine ? nil : lines.filter { !$0.isEmpty }.map(Array.init)
  }

  private func write() -> Bool {
    while !unsent.isEmpty {
      let count = Glibc.write(input, unsent, unsent.count)
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      unsent.removeFirst(count)
    }
    return true
  }

  /// A part at most: a command that writes without end keeps nobody.
  private func read() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = Glibc.read(output, &bytes, bytes.count)
    if count < 0 { return errno == EAGAIN || errno == EINTR }
    unread += bytes.prefix(count)
    return count > 0
  }

  private typealias Pipe = (read: Int32, write: Int32)

  /// Both or none.
  private static func pipes() throws(ChildProcess.NotStarted) -> (tokens: Pipe, answers: Pipe) {
    let tokens = try pipe()
    do throws(ChildProcess.NotStarted) { return (tokens, try pipe()) } catch {
      for end in [tokens.read, tokens.write] { close(end) }
      throw error
    }
  }

  /// Sockets, since they close by themselves in whatever else is started meanwhile.
  private static func pipe() throws(ChildProcess.NotStarted) -> Pipe {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw ChildProcess.NotStarted(number: errno)
    }
    return (ends[0], ends[1])
  }
}
