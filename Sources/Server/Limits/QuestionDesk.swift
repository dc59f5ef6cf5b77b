internal import Dispatch
internal import HTTP
internal import Locks
internal import Store

/// Threads for what reads or rewrites much, few and of their own: however many questions come, events are taken meanwhile.
///
/// So many are answered at once and so many wait; more are told to come again. A question that takes too long is given up.
final class QuestionDesk: Sendable {
  private struct Line {
    var free: [Int]
    var waiting: [@Sendable () -> Void] = []
  }
  private let places: Int
  private let patience: Swift.Duration
  private let line: Lock<Line>
  /// Each is a thread. One concurrent queue would not do: libdispatch watches its threads through descriptors, and ends
  /// the process where there are none left.
  private let queues: [DispatchQueue]

  /// - Parameters:
  ///   - threads: how many are answered at once.
  ///   - patience: from a question's arrival to its answer.
  init(threads: Int, places: Int = 32, patience: Swift.Duration) {
    (self.places, self.patience) = (places, patience)
    line = Lock(Line(free: Array(0..<threads)))
    queues = (0..<threads).map { DispatchQueue(label: "uptake.question.\($0)") }
  }

  var waiting: Int { line.withLock { $0.waiting.count } }

  /// Calls `answer` on another thread, within `Patience`, or refuses at once.
  func take(_ responder: Responder, _ answer: @escaping @Sendable () -> Response) {
    let end = ContinuousClock.now + patience
    let isTaken = enter {
      guard ContinuousClock.now < end else { return responder.respond(.questionTooLong) }
      responder.respond(Patience.$end.withValue(end) { answer() })
    }
    if !isTaken {
      let refusal = Response.error(
        503, code: "too_many_questions", "\(self.places) questions wait already; ask again soon")
      responder.respond(refusal.retry(after: 2))
    }
  }

  private func enter(_ work: @escaping @Sendable () -> Void) -> Bool {
    let (isTaken, thread) = line.withLock { line -> (Bool, Int?) in
      if let thread = line.free.popLast() { return (true, thread) }
      guard line.waiting.count < places else { return (false, nil) }
      line.waiting.append(work)
      return (true, nil)
    }
    if let thread { queues[thread].async { [self] in run(work, on: thread) } }
    return isTaken
  }

  private func run(_ first: @escaping @Sendable () -> Void, on thread: Int) {
    var work: (@Sendable () -> Void)? = first
    while let next = work {
      next()
      work = line.withLock { line in
        guard line.waiting.isEmpty else { return line.waiting.removeFirst() }
        line.free.append(thread)
        return nil
      }
    }
  }
}

extension Response {
  static let questionTooLong = Response.error(
    503, code: "question_too_long", "the answer took longer than the service gives a question; ask for less, or later"
  ).retry(after: 30)
}
