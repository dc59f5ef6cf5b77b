import Dispatch
public import Lifecycle
import Locks
public import Store

/// Why a batch was not stored. Nothing of it was; the client may send it again as it is.
public enum IntakeRefusal: Error, Hashable, Sendable {
  /// More waits for the disk than the queue may hold.
  case queueFull
  /// More is stored that is not sorted than may lie in memory.
  case tailFull
  /// The service is stopping.
  case stopping
  case store(StoreError)
}

/// Group commit: whatever arrived while the last transaction was synced goes into the next one.
///
/// Each batch is answered exactly once, after the transaction that holds it is on disk. The queue is bounded in events;
/// what does not fit is refused at once. A batch that cannot be stored takes no other with it: the group is halved until
/// it stands alone. Where too much is stored that is not sorted, a group waits a little and is then refused.
public final class Intake: Sendable {
  public typealias Answer = @Sendable (Result<Admitted, IntakeRefusal>) -> Void

  fileprivate struct Waiting {
    var batch: EventBatch
    var since: ContinuousClock.Instant
    var answer: Answer
  }
  private struct Queue {
    var waiting: [Waiting] = []
    var events = 0
    var stopping = false
    /// Whether who brought them brings no more for now.
    var isComplete = false
    /// Whether a group waits for that.
    var isGathering = false
  }

  private let log: EventLog
  private let capacity: Int
  /// nil where nobody sorts beside it.
  public let tail: TailRoom?
  private let queue = Lock(Queue())
  private let patience: Duration
  private let complete = Bell()
  private let arrived = DispatchSemaphore(value: 0)
  private let stopped = DispatchSemaphore(value: 0)
  public let metrics: IntakeMetrics

  /// - Parameters:
  ///   - capacity: how many events may wait for the disk at once.
  ///   - patience: how long a group waits for `hurry` at most; zero where nobody calls it.
  public init(
    log: EventLog, capacity: Int = 200_000, tail: TailRoom? = nil, patience: Duration = .zero,
    metrics: IntakeMetrics = IntakeMetrics()
  ) {
    self.patience = patience
    self.log = log
    self.capacity = capacity
    self.tail = tail
    self.metrics = metrics
    let committer = DispatchQueue(label: "uptake.commit", qos: .userInitiated)
    committer.async { [self] in commitUntilStopped() }
  }

  /// Takes the batch in line; `answer` is called once, from another thread or at once where the batch is refused.
  public func submit(_ batch: EventBatch, _ answer: @escaping Answer) {
    let refusal: IntakeRefusal? = queue.withLock { queue in
      if queue.stopping { return .stopping }
      if queue.events + batch.events.count > capacity, queue.events > 0 { return .queueFull }
      queue.waiting.append(Waiting(batch: batch, since: .now, answer: answer))
      queue.events += batch.events.count
      if queue.waiting.count == 1 { arrived.signal() }
      return nil
    }
    if let refusal { answer(.failure(refusal)) }
  }

  /// Who brought batches brings no more for now: what waits is stored at once.
  public func hurry() {
    let mustRing = queue.withLock { queue in
      if queue.waiting.isEmpty || queue.isComplete { return false }
      queue.isComplete = true
      return queue.isGathering
    }
    if mustRing { complete.signal() }
  }

  /// Stores what waits, answers it, and stops. Later batches are refused.
  public func drain() {
    queue.withLock { $0.stopping = true }
    complete.signal()
    arrived.signal()
    stopped.wait()
    stopped.signal()
  }

  public var queuedEvents: Int { queue.withLock { $0.events } }

  /// How long the batch at the head of the line has waited.
  public var oldestWait: Duration { queue.withLock { $0.waiting.first.map { .now - $0.since } ?? .zero } }

  private func commitUntilStopped() {
    var (isStopping, last) = (false, 0)
    while !isStopping {
      arrived.wait()
      if last > 1 { gather() }
      let group: [Waiting]
      (group, isStopping) = takeAll(usually: last)
      last = group.count
      if group.isEmpty { continue }
      if hasRoom() { commit(group[...]) } else { answer(group[...], group.map { _ in .failure(.tailFull) }) }
    }
    stopped.signal()
  }

  /// Where many send at once, those who bring batches are heard out: the sync is quick, and this thread is woken by the first
  /// batch, so that most groups were of one. A larger one costs less than two, as each has a sync and wakes who answers.
  private func gather() {
    let mustWait = queue.withLock { queue in
      queue.isGathering = patience > .zero && !queue.isComplete && !queue.stopping
      return queue.isGathering
    }
    if mustWait { complete.wait(patience) }
  }

  /// As many may come as last time: their list is not to grow while they wait for each other.
  private func takeAll(usually count: Int) -> (group: [Waiting], isStopping: Bool) {
    var group: [Waiting] = []
    group.reserveCapacity(min(count, 1024))
    let isStopping = queue.withLock { queue in
      swap(&group, &queue.waiting)
      (queue.isComplete, queue.isGathering) = (false, false)
      return queue.stopping
    }
    return (group, isStopping)
  }

  private func hasRoom() -> Bool {
    guard let tail else { return true }
    let start = ContinuousClock.now
    let hasRoom = tail.wait { queue.withLock(\.stopping) }
    metrics.tailWait.observe(seconds: ContinuousClock.now - start)
    return hasRoom
  }

  /// k batches at fault among n cost at most 2k·log₂ n transactions more; a fault of the disk costs none.
  private func commit(_ group: ArraySlice<Waiting>) {
    let start = ContinuousClock.now
    do throws(StoreError) {
      let admitted = try log.append(group.map(\.batch))
      metrics.commit.observe(seconds: ContinuousClock.now - start)
      metrics.batch.observe(Double(group.events))
      answer(group, admitted.map { .success($0) })
    } catch {
      guard error.blamesContent, group.count > 1 else {
        return answer(group, group.map { _ in .failure(.store(error)) })
      }
      let middle = group.startIndex + group.count / 2
      commit(group[..<middle])
      commit(group[middle...])
    }
  }

  private func answer(_ group: ArraySlice<Waiting>, _ results: [Result<Admitted, IntakeRefusal>]) {
    queue.withLock { $0.events -= group.events }
    for (waiting, result) in zip(group, results) { waiting.answer(result) }
  }
}

extension ArraySlice<Intake.Waiting> {
  fileprivate var events: Int { reduce(0) { $0 + $1.batch.events.count } }
}
