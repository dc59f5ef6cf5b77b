internal import Glibc
internal import HTTP
internal import Store

/// What a worker does: it answers one question after another until the service goes away.
public enum QuestionWorker {
  /// - Parameters:
  ///   - descriptor: of a socket that the service holds the other end of.
  ///   - bytes: of memory that it may take; more ends it.
  public static func run(_ descriptor: Int32, database path: String, memory bytes: Int) {
    ChildProcess.callThisOne("uptake")
    limit(bytes)
    Memory.keepFreed()
    let socket = MessageSocket(descriptor)
    while let words = try? socket.words(until: nil), let (asked, milliseconds) = AskedQuestion.read(words) {
      guard (try? socket.send(begun)) != nil else { return }
      let end = ContinuousClock.now + .milliseconds(milliseconds)
      let answer = Patience.$end.withValue(end) { WorkerAnswer(asked, path) }
      guard (try? answer.send(over: socket)) != nil else { return }
      Memory.giveBack()
    }
  }

  /// Says that a question was read: what ends the process from now on may be the question's doing.
  static let begun: [UInt8] = []

  /// Where memory is short the system takes it from a worker, not from who stores events.
  static func limit(_ bytes: Int) {
    var limits = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limits)
    let descriptor = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = write(descriptor, "500", 3)
    close(descriptor)
  }
}

/// An answer on its way from a worker to the service.
struct WorkerAnswer {
  var response: Response
  /// What nobody is to blame for who asks, for the log.
  var fault: String?
}

extension WorkerAnswer {
  init(_ asked: AskedQuestion, _ path: String) {
    do { self.init(response: try asked.answer(path)) } catch {
      let refusal = Response(asking: error, hasKey: asked.hasKey)
      self.init(response: refusal, fault: refusal.isFault(error) ? "\(error)" : nil)
    }
  }

  func send(over socket: MessageSocket) throws(MessageSocket.Ended) {
    try socket.send(["\(response.status)", fault ?? ""] + response.headers.flatMap { [$0.name, $0.value] })
    try socket.send(response.body)
  }

  init(from socket: MessageSocket, until end: ContinuousClock.Instant) throws(MessageSocket.Ended) {
    let words = try socket.words(until: end)
    guard words.count >= 2, words.count % 2 == 0, let status = Int(words[0]) else { throw .closed }
    let headers = stride(from: 2, to: words.count, by: 2).map { (name: words[$0], value: words[$0 + 1]) }
    response = Response(status: status, headers: headers, body: try socket.receive(until: end))
    fault = words[1].isEmpty ? nil : words[1]
  }
}

extension Response {
  /// Whether the log should say it: whoever asks learns nothing of the service's insides.
  func isFault(_ error: any Error) -> Bool {
    status >= 500 && (error as? StoreError)?.kind != .tookTooLong
  }
}
