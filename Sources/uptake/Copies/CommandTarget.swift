internal import Glibc
internal import Server
internal import Store
internal import Synchronization

/// A command that stores each object it is given: its bytes on standard input, its name in `UPTAKE_OBJECT`. It has a time
/// limit, and does not outlive this process (`RunningCommand`).
final class CommandTarget: CopyTarget {
  let address: String
  let isReadable = false
  let mostToReread = 0

  init(_ address: String) { self.address = address }

  func put(_ name: String, _ bytes: [UInt8]) throws(StoreError) {
    // A file, since a command may end before it has read everything.
    guard let input = tmpfile() else { throw failure("no temporary file: \(String(cString: strerror(errno)))") }
    defer { fclose(input) }
    guard fwrite(bytes, 1, bytes.count, input) == bytes.count, fflush(input) == 0 else {
      throw failure("no space for a temporary file")
    }
    rewind(input)
    let status = try run(input: fileno(input), name, within: Self.limit(bytes.count))
    guard status == 0 else { throw failure("the command ended with status \(status) for \(name)") }
  }

  func names() throws(StoreError) -> [String] { throw .copy(.unreadable, address) }
  func get(_ name: String, first count: Int?) throws(StoreError) -> [UInt8]? { throw .copy(.unreadable, address) }
  func remove(_ name: String) throws(StoreError) { throw .copy(.unreadable, address) }

  /// Five minutes, and a second for each 64 KiB.
  private static func limit(_ bytes: Int) -> Swift.Duration { .seconds(300 + (bytes >> 16)) }

  private func failure(_ why: String) -> StoreError { .copy(.unreachable(why), address) }

  /// - Returns: the exit status; 128 and the number of the signal that ended it.
  private func run(input: Int32, _ name: String, within limit: Swift.Duration) throws(StoreError) -> Int32 {
    let command = String(address.dropFirst("exec:".count))
    let process: Int32
    do {
      process = try ChildProcess.start(
        ["/bin/sh", "-c", command],
        environment: environment().filter { !$0.hasPrefix("UPTAKE_OBJECT=") } + ["UPTAKE_OBJECT=\(name)"],
        input: input, output: 2, isApart: true)
    } catch {
      throw failure("the command does not start: \(String(cString: strerror(error.number)))")
    }
    RunningCommand.began(process)
    defer { RunningCommand.ended() }
    let status = try wait(for: process, until: .now + limit, limit, name)
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }

  private func wait(
    for process: Int32, until end: ContinuousClock.Instant, _ limit: Swift.Duration, _ name: String
  ) throws(StoreError) -> Int32 {
    var (status, pause): (Int32, UInt32) = (0, 1000)
    while case let found = waitpid(process, &status, WNOHANG), found != process {
      guard found == 0 || errno == EINTR else { throw failure("the command was lost") }
      guard ContinuousClock.now < end else {
        kill(-process, SIGKILL)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        throw failure("the command did not end within \(limit.components.seconds) s for \(name)")
      }
      usleep(pause)
      pause = min(2 * pause, 50_000)
    }
    return status
  }

  private func environment() -> [String] {
    var (texts, place) = ([String](), environ)
    while let text = place.pointee {
      texts.append(String(cString: text))
      place += 1
    }
    return texts
  }
}

/// The command that stores an object now, in a group of its own with all that it starts; a process has one at most.
enum RunningCommand {
  /// 0 for none.
  private static let group = Atomic<Int32>(0)
  private static let isOver = Atomic(false)

  fileprivate static func began(_ process: Int32) {
    group.store(process, ordering: .sequentiallyConsistent)
    if isOver.load(ordering: .sequentiallyConsistent) { kill(-process, SIGKILL) }
  }

  fileprivate static func ended() { group.store(0, ordering: .sequentiallyConsistent) }

  /// Ends it, and each that begins after it. May be called by a handler of signals.
  @Sendable static func end() {
    isOver.store(true, ordering: .sequentiallyConsistent)
    let process = group.load(ordering: .sequentiallyConsistent)
    if process > 0 { kill(-process, SIGKILL) }
  }

  /// For a process that a signal ends by default.
  static func endWithProcess() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        RunningCommand.end()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }
}
