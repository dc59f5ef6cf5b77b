internal import Console
internal import Glibc
internal import Ingest
internal import Lifecycle
internal import Locks
internal import Store

/// Requests whose events are on disk here and are answered once the warehouse has them, too, in the order of their commits.
///
/// None waits for longer than it may. While shipping fails none waits at all: connections would pile up.
public final class AwaitedShipments: Sendable {
  /// Told whether the warehouse has acknowledged; from any thread.
  typealias Answer = @Sendable (_ isThere: Bool) -> Void

  private struct Waiting {
    /// Of the newest event that the file had.
    var sequence: Int64
    var end: ContinuousClock.Instant
    var answer: Answer
  }
  private struct State {
    var waiting: [Waiting] = []
    var arrived: Int64 = 0
    /// Nothing waits any more: the newest attempt failed, or the service stops.
    var isFailing = false
    var isStopping = false
  }

  private let patience: Swift.Duration
  private let state = Lock(State())
  let refused = Counter()

  public init(patience: Swift.Duration) { self.patience = patience }

  /// The newest attempt to ship failed: who sends events now is told to send them again.
  var isFailing: Bool { state.withLock { $0.isFailing } }
  var count: Int { state.withLock { $0.waiting.count } }

  func wait(for sequence: Int64, _ answer: @escaping Answer) {
    let isThere: Bool? = state.withLock { state in
      if sequence <= state.arrived { return true }
      if state.isFailing || state.isStopping { return false }
      state.waiting.append(Waiting(sequence: sequence, end: .now + patience, answer: answer))
      return nil
    }
    if isThere == false { refused.add() }
    if let isThere { answer(isThere) }
  }

  /// The warehouse has every event up to this number.
  func arrived(upTo sequence: Int64) {
    let answered = state.withLock { state in
      (state.arrived, state.isFailing) = (max(state.arrived, sequence), false)
      return state.waiting.take { [arrived = state.arrived] in $0.sequence <= arrived }
    }
    for waiting in answered { waiting.answer(true) }
  }

  /// Those that wait already wait on: the next attempt may be in time.
  func failed() { state.withLock { $0.isFailing = true } }

  func start() {
    QuietThread.start("uptake.awaited") { [self] in
      while !state.withLock({ $0.isStopping }) {
        usleep(50_000)
        let now = ContinuousClock.now
        refuse { $0.end <= now }
      }
    }
  }

  func stop() {
    state.withLock { $0.isStopping = true }
    refuse { _ in true }
  }

  private func refuse(_ isOver: (Waiting) -> Bool) {
    let late = state.withLock { $0.waiting.take(isOver) }
    refused.add(late.count)
    for waiting in late { waiting.answer(false) }
  }
}

extension Array {
  /// The first elements of which something holds, which are no longer there.
  fileprivate mutating func take(_ holds: (Element) -> Bool) -> [Element] {
    let taken = Array(prefix(while: holds))
    removeFirst(taken.count)
    return taken
  }
}

extension Service {
  /// Stores events, and has them answered once they are where answered events are to be.
  /// - Parameter mayWait: false where somebody else answers: the file is enough then.
  func submit(
    _ batch: EventBatch, mayWait: Bool = true, _ answer: @escaping @Sendable (Result<Admitted, NotStored>) -> Void
  ) {
    intake.submit(batch) { [self] result in
      switch result {
      case .failure(let refusal): answer(.failure(refused(refusal, batch.events.count)))
      case .success(let admitted):
        noteClashes(admitted)
        noteResends(admitted)
        guard mayWait, let awaited = shipping?.awaited else { return answer(.success(admitted)) }
        awaited.wait(for: log.newest) { answer($0 ? .success(admitted) : .failure(.notShipped)) }
      }
    }
  }

  private func noteClashes(_ admitted: Admitted) {
    guard admitted.clashing > 0 else { return }
    journal.writeSparingly(
      .warning, "event_ids_clash",
      [
        "events": .integer(admitted.clashing),
        "effect": .string("they were taken for resends of another device's events, and are lost"),
        "hint": .string("an id is of one event of the app: put the device's id before it, or send none"),
      ])
  }

  private func noteResends(_ admitted: Admitted) {
    guard let sums = resends.note(admitted) else { return }
    journal.writeSparingly(
      .warning, "mostly_resends",
      [
        "known": .integer(sums.known), "of": .integer(sums.of),
        "effect": .string("events whose id was stored before are taken for resends, and are not stored again"),
        "hint": .string(
          "clients that send again what was answered 200 waste requests; if these were other events, devices share ids: put the"
            + " device's id before each, or send none"),
      ])
  }
}
