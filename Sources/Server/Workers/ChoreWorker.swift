public import Console
internal import Glibc
internal import Store

/// What the process of a chore does: one chore, and then it ends.
public enum ChoreWorker {
  /// - Parameters:
  ///   - descriptor: of a socket that the service holds the other end of.
  ///   - bytes: of memory that it may take; more ends it.
  public static func run(_ descriptor: Int32, memory bytes: Int, clock: @escaping @Sendable () -> Instant) {
    ChildProcess.callThisOne("uptake")
    QuietThread.giveWay()
    let socket = MessageSocket(descriptor)
    guard let name = try? socket.words(until: nil).first, let chore = try? socket.receive(until: nil) else { return }
    guard endsWithTheService(socket) else { return }
    QuestionWorker.limit(bytes)
    try? reply(name, chore, clock).send(over: socket)
  }

  /// Nobody waits for what is done for a service that is no more, and the next one does it anew.
  private static func endsWithTheService(_ socket: MessageSocket) -> Bool {
    QuietThread.starts("uptake.parent") {
      socket.waitUntilClosed()
      _exit(0)
    }
  }

  private static func reply(_ name: String, _ chore: [UInt8], _ clock: @Sendable () -> Instant) -> ChoreReply {
    do {
      let body = try body(name, chore, clock)
      return ChoreReply(seconds: processSeconds(), body: body)
    } catch { return ChoreReply(fault: ChoreFailure(error).description, seconds: processSeconds()) }
  }

  private static func body(_ name: String, _ chore: [UInt8], _ clock: @Sendable () -> Instant) throws -> [UInt8] {
    switch name {
    case VerdictChore.name: try body(VerdictChore.self, chore, clock)
    case SiteChore.name: try body(SiteChore.self, chore, clock)
    case NewsChore.name: try body(NewsChore.self, chore, clock)
    case SummaryChore.name: try body(SummaryChore.self, chore, clock)
    default: throw ChoreFailure("there is no chore \"\(name)\"")
    }
  }

  private static func body<Kind: Chore>(
    _: Kind.Type, _ chore: [UInt8], _ clock: @Sendable () -> Instant
  ) throws -> [UInt8] {
    JSON.bytes(try JSON.decode(Kind.self, from: chore).done(clock))
  }
}

/// Seconds that the processors have worked for this process.
private func processSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
