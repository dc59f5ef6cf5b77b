internal import Console
internal import Dispatch
internal import Locks
internal import Query
internal import Store
internal import Synchronization

/// Makes summaries when they are due, in processes of their own: one of everything and one of the newest releases may be at work side
/// by side, so that the latter never waits for minutes.
final class SummaryKeeper: Sendable {
  private let path: String
  private let journal: ServiceLog
  private let runner: ChoreRunner
  private let isStopping = Atomic(false)
  private let queue = DispatchQueue(label: "uptake.summary", qos: .utility)
  private let openQueue = DispatchQueue(label: "uptake.newest", qos: .utility)
  private let pace: Lock<SummaryPace>
  private let begun = Lock([SummaryPace.Due: ClosedRange<Int64>]())

  init(path: String, journal: ServiceLog, runner: ChoreRunner, pace: SummaryPace = SummaryPace()) {
    (self.path, self.journal, self.runner) = (path, journal, runner)
    self.pace = Lock(pace)
  }

  /// What a service before left in place is not made anew at each start, only because releases are seen for the first time then.
  convenience init(_ service: Service) {
    let path = service.settings.path
    let isKnown = (try? Summary.knowsReleases(path: path)) ?? false
    let announced = isKnown ? try? service.registry.announcements() : nil
    self.init(path: path, journal: service.journal, runner: service.chores, pace: SummaryPace(announced: announced))
  }

  /// - Parameter sort: sorts what waits, so that a summary that is begun knows it; answers the number of the last event that is sorted.
  func look(_ standing: SummaryPace.Standing, sort: () -> Int64?) {
    for due in pace.withLock({ $0.look(standing) }) { begin(due, upTo: sort()) }
  }

  /// Whether a merge does better to wait for a summary, which is begun where none is being made.
  ///
  /// - Parameter last: the number of the last event that is sorted.
  func comesBeforeMerge(announced: Int, upTo last: () -> Int64?) -> Bool {
    let (due, isAwaited) = pace.withLock { $0.lookBeforeMerge(announced: announced) }
    if let due { begin(due, upTo: last()) }
    return isAwaited
  }

  /// Where stretches have to end until what is being made is stored.
  var kept: [ClosedRange<Int64>] { begun.withLock { Array($0.values) } }

  private func begin(_ due: SummaryPace.Due, upTo last: Int64?) {
    if let last { begun.withLock { $0[due] = last...last } }
    (due == .open ? openQueue : queue).async { [self] in
      summarise(due, upTo: last)
      begun.withLock { $0[due] = nil }
    }
  }

  private func summarise(_ due: SummaryPace.Due, upTo last: Int64?) {
    let begin = ContinuousClock.now
    do {
      let result = try runner.result(of: SummaryChore(database: path, due: due, last: last)) {
        isStopping.load(ordering: .relaxed)
      }
      note(due, took: .seconds(result.seconds))
    } catch {
      note(due, took: .now - begin, failure: isStopping.load(ordering: .relaxed) ? nil : "\(error)")
    }
  }

  private func note(_ due: SummaryPace.Due, took: Swift.Duration, failure: String? = nil) {
    pace.withLock { $0.note(due, took: took, failed: failure != nil) }
    guard let failure else { return }
    journal.writeSparingly(
      .error, "summary_failed",
      [
        "reason": .string(failure), "effect": .string("questions read the devices instead: slower, and as right"),
      ])
  }

  /// What has begun is given up: the next start does it anew.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    queue.sync {}
    openQueue.sync {}
  }
}
