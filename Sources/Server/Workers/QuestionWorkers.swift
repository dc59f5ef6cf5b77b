internal import Console
internal import HTTP
internal import Ingest
internal import Locks

/// Processes of this program that answer questions: what a question does to its process does nothing to events.
///
/// As many as are answered at once, started ahead. One that ends or takes too long is replaced, and costs the question that it
/// had.
final class QuestionWorkers: Sendable {
  private struct State {
    var idle: [WorkerProcess] = []
    var asked = 0
    var isStopping = false
  }
  private let start: ProcessStart
  private let journal: ServiceLog
  private let state = Lock(State())
  /// By how they ended.
  let ended = Counter()

  init(_ start: ProcessStart, count: Int, journal: ServiceLog) {
    (self.start, self.journal) = (start, journal)
    for _ in 0..<count { refill() }
  }

  /// - Parameter end: by when the answer must be there.
  func answer(_ asked: AskedQuestion, until end: ContinuousClock.Instant) -> Response {
    answer(asked, until: end, again: 2)
  }

  /// - Parameter again: how often another worker is asked where one ended without having begun.
  private func answer(_ asked: AskedQuestion, until end: ContinuousClock.Instant, again: Int) -> Response {
    guard let worker = take() else {
      return Response.error(503, code: "questions_unavailable", "no process could be started; ask again soon")
        .retry(after: 5)
    }
    do {
      let answer = try worker.answer(asked, until: end)
      keep(worker)
      if let fault = answer.fault { journal.writeSparingly(.error, "request_failed", ["reason": .string(fault)]) }
      return answer.response
    } catch {
      guard error == .notBegun, again > 0 else { return replace(worker, asked, error) }
      worker.end()
      refill()
      return answer(asked, until: end, again: again - 1)
    }
  }

  private func take() -> WorkerProcess? {
    while let worker = state.withLock({ $0.idle.popLast() }) {
      if worker.isReady { return worker }
      // It ended while nobody asked it anything.
      worker.end()
    }
    return started()
  }

  private func keep(_ worker: WorkerProcess) {
    let isKept = state.withLock { state in
      if !state.isStopping { state.idle.append(worker) }
      return !state.isStopping
    }
    if !isKept { worker.end() }
  }

  private func replace(
    _ worker: WorkerProcess, _ asked: AskedQuestion, _ error: MessageSocket.Ended
  ) -> Response {
    let how = worker.end()
    defer { refill() }
    let number = state.withLock { state in
      state.asked += 1
      return "q\(worker.process)-\(state.asked)"
    }
    let isLate = error == .late
    ended.add(1, isLate ? "late" : "crashed")
    journal.write(
      .error, "question_ended",
      [
        "id": .string(number), "question": .string(asked.question), "process": .integer(Int(worker.process)),
        "how": .string(isLate ? "gave no answer in time" : how ?? "closed its socket"),
        "effect": .string("this question has no answer; another process has taken its place"),
      ])
    return isLate
      ? .questionTooLong
      : .error(
        500, code: "internal", "the question ended the process that answered it; the log tells more under \(number)")
  }

  private func refill() {
    if let worker = started() { keep(worker) }
  }

  private func started() -> WorkerProcess? {
    do { return try WorkerProcess.start(start) } catch {
      journal.writeSparingly(
        .error, "no_process",
        ["errno": .integer(Int(error.number)), "effect": .string("questions are refused; events are taken")])
      return nil
    }
  }

  /// Those that are at work end when they are done.
  func stop() {
    let idle = state.withLock { state in
      state.isStopping = true
      defer { state.idle = [] }
      return state.idle
    }
    for worker in idle { worker.end() }
  }
}
