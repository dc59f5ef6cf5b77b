internal import Console
internal import Glibc
internal import Ingest

/// Has chores done, each by a process that is started for it; by the service itself where none can be named.
struct ChoreRunner: Sendable {
  /// What was done, and the seconds that the processor took for it.
  struct Result<Done> {
    var value: Done
    var seconds: Double
  }
  private let start: ProcessStart?
  private let clock: @Sendable () -> Instant
  /// By the chore.
  let ended = Counter()
  /// Nothing takes so long; what does hangs.
  private let patience: Swift.Duration

  init(
    _ start: ProcessStart?, patience: Swift.Duration = .seconds(1800), clock: @escaping @Sendable () -> Instant
  ) {
    (self.start, self.patience, self.clock) = (start, patience, clock)
  }

  /// - Parameter isOver: whether nobody waits for it any more; then its process is ended.
  func result<Kind: Chore>(of chore: Kind, isOver: () -> Bool) throws -> Result<Kind.Done> {
    guard let start else {
      let before = ownSeconds()
      do { return Result(value: try chore.done(clock), seconds: ownSeconds() - before) } catch {
        throw ChoreFailure(error)
      }
    }
    let process: WorkerProcess
    do { process = try WorkerProcess.start(start) } catch {
      throw ChoreFailure("no process could be started for it: errno \(error.number)")
    }
    return try result(of: chore, by: process, isOver)
  }

  private func result<Kind: Chore>(
    of chore: Kind, by process: WorkerProcess, _ isOver: () -> Bool
  ) throws -> Result<Kind.Done> {
    let reply: ChoreReply
    do throws(MessageSocket.Ended) {
      reply = try process.reply(to: Kind.name, JSON.bytes(chore), until: .now + patience, isOver)
    } catch {
      let how = process.end()
      if isOver() { throw ChoreFailure("the service stops") }
      ended.add(1, Kind.name)
      throw ChoreFailure(words(error, how))
    }
    process.end()
    if let fault = reply.fault { throw ChoreFailure(fault) }
    return Result(value: try JSON.decode(Kind.Done.self, from: reply.body), seconds: reply.seconds)
  }

  private func words(_ error: MessageSocket.Ended, _ how: String?) -> String {
    error == .late
      ? "the process that did it was ended, as it gave no answer within \(patience)"
      : "the process that did it ended with \(how ?? "a closed socket"); nothing else is touched by that"
  }
}

/// Seconds that this thread has worked, whatever else the machine is busy with.
private func ownSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

extension JSON {
  /// A value of this program can be written.
  static func bytes(_ value: some Encodable) -> [UInt8] {
    (try? JSON.text(encoding: value)).map { Array($0.utf8) } ?? []
  }
}
