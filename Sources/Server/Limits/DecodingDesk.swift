internal import Dispatch
internal import HTTP
internal import Ingest
internal import Locks

/// Threads on which large bodies are inflated and decoded, so that those who take requests never do it.
///
/// Clients come in turns, one body each: who sends a hundred waits for its own hundred. What waits is bounded in bytes;
/// where more comes, the newest body of the client with the most gives way.
final class DecodingDesk: Sendable {
  /// What is decoded at once by the thread that took the request, in bytes once inflated.
  static let small = 16 << 10
  static let tooMuch = "more waits to be read than fits; send the request again soon"

  private struct State {
    var free: [Int]
    var turns = Turns()
  }
  private let capacity: Int
  private let state: Lock<State>
  /// Each is a thread, as in `QuestionDesk`.
  private let queues: [DispatchQueue]
  let refused = Counter()

  /// - Parameter capacity: bytes that may wait, as sent.
  init(threads: Int, capacity: Int) {
    self.capacity = capacity
    state = Lock(State(free: Array(0..<threads)))
    queues = (0..<threads).map { DispatchQueue(label: "uptake.decode.\($0)") }
  }

  var waiting: Int { state.withLock { $0.turns.count } }

  /// Calls one of both, once; `work` from another thread.
  func take(_ work: Turns.Work) {
    let (thread, left) = state.withLock { state -> (Int?, [Turns.Work]) in
      state.turns.add(work)
      if let thread = state.free.popLast() { return (thread, []) }
      var left: [Turns.Work] = []
      while state.turns.bytes > capacity, let last = state.turns.giveWay() { left.append(last) }
      return (nil, left)
    }
    if let thread { queues[thread].async { [self] in run(on: thread) } }
    refused.add(left.count)
    for work in left { work.orElse() }
  }

  private func run(on thread: Int) {
    while let next = next(on: thread) { next.run() }
  }

  private func next(on thread: Int) -> Turns.Work? {
    state.withLock { state in
      let next = state.turns.next()
      if next == nil { state.free.append(thread) }
      return next
    }
  }
}

extension Service {
  /// Calls `work` when it is the client's turn, or `orElse` where too much waits.
  func inTurn(
    _ request: HTTP.Request, _ work: @escaping @Sendable () -> Void, orElse: @escaping @Sendable () -> Void
  ) {
    let client = limits.client(of: request)?.crowd ?? 0
    decoding.take(Turns.Work(client: client, bytes: request.body.count, run: work, orElse: orElse))
  }

  /// Whether the body is more than the thread that took the request should read itself.
  func isLarge(_ request: HTTP.Request) -> Bool {
    guard request.body.count <= DecodingDesk.small else { return true }
    guard request.headers["content-encoding"] != nil else { return false }
    // Any other problem is told to the client without more work.
    do throws(DialectProblem) { _ = try inflated(request, limit: DecodingDesk.small) } catch {
      return error.kind == .tooLarge
    }
    return false
  }
}
