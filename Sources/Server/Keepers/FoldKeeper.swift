internal import Console
internal import Ingest
internal import Store

/// Sorts what comes in and merges it into the shards; for one thread.
struct FoldKeeper {
  private let service: Service
  private var pace = FoldPace()
  /// Events that were sorted by this process or another and not merged.
  private var sorted = 0
  /// How many of the events stored since the start need no sorting any more: others fold, too, such as a retention, and
  /// what they took was sorted by nobody here.
  private(set) var done = 0
  private var lastEvent = ContinuousClock.now
  /// Bytes written by a merge that is not done.
  private var written = 0
  private var isMerging = false
  /// Whether a merge that goes on at once let others go first.
  private(set) var gaveWay = false
  /// Where stretches have to end.
  private let kept: () -> [ClosedRange<Int64>]

  /// Nothing came in for so long.
  private static let rest = Swift.Duration.seconds(60)
  /// What comes in amid a merge is sorted, and summarised, every so often.
  private static let longestMerge = Swift.Duration.seconds(5)

  init(_ service: Service, keeping kept: @escaping () -> [ClosedRange<Int64>] = { [] }) {
    (self.service, self.kept) = (service, kept)
  }

  var waiting: Int { service.log.tally.stored - done }

  /// An earlier process may have ended before it had sorted everything.
  mutating func begin() {
    attempt { keeper throws(StoreError) in keeper.pace.mergeBytes = try keeper.service.log.expectedMergeBytes() }
    run(goesOn: { true })
  }

  /// - Parameters:
  ///   - goesOn: asked before each shard of a merge.
  ///   - mayMerge: asked before a merge that can wait.
  ///   - time: after so long a merge lets others go first.
  mutating func run(
    goesOn: () -> Bool, mayMerge: () -> Bool = { true }, within time: Swift.Duration? = Self.longestMerge
  ) {
    gaveWay = false
    attempt { keeper throws(StoreError) in
      try keeper.sortAll()
      try keeper.mergeIfDue(goesOn, mayMerge, time)
    }
  }

  /// Answers the number of the last event that is sorted; nil where that failed.
  mutating func sort() -> Int64? {
    var last: Int64?
    attempt { keeper throws(StoreError) in
      try keeper.sortAll()
      last = try keeper.service.log.lastSorted()
    }
    return last
  }

  private mutating func sortAll() throws(StoreError) {
    if waiting > 0 { lastEvent = .now }
    let stored = service.log.tally.stored
    service.metrics.folds.add(try service.log.sort(keeping: kept()))
    done = stored
    service.intake.tail?.note(sorted: stored)
    sorted = try service.log.sortedEvents()
  }

  private mutating func mergeIfDue(
    _ goesOn: () -> Bool, _ mayMerge: () -> Bool, _ time: Swift.Duration?
  ) throws(StoreError) {
    guard isRested else { return }
    // One that has begun is brought to its end, and none waits until there is twice as much.
    let canWait = !isMerging && !pace.shouldMerge(sorted: sorted / 2, isAtRest: false)
    if canWait, !mayMerge() { return }
    try merge(within: time, goesOn)
  }

  /// - Parameter time: at least a shard is merged.
  private mutating func merge(within time: Swift.Duration? = nil, _ goesOn: () -> Bool) throws(StoreError) {
    let (tail, end, before) = (service.intake.tail, time.map { ContinuousClock.now + $0 }, written)
    let isDone = try service.log.merge(
      while: {
        let isLate = written > before && end.map { $0 < .now } ?? false
        return goesOn() && tail?.isHalfFull != true && !isLate
      }, { written += $0 })
    (isMerging, gaveWay) = (!isDone, !isDone)
    if isDone {
      if written > 0 { pace.mergeBytes = written }
      written = 0
    }
    sorted = try service.log.sortedEvents()
    Memory.giveBack()
  }

  /// Whether a merge is worth while, by now perhaps because nothing comes in.
  var isRested: Bool {
    pace.shouldMerge(sorted: sorted, isAtRest: ContinuousClock.now - lastEvent > Self.rest)
  }

  /// Nobody waits for it now, unless there is much.
  mutating func end() {
    run(goesOn: { true }, within: nil)
    guard pace.shouldMergeAtEnd else { return }
    attempt { keeper throws(StoreError) in
      try keeper.merge { true }
      // The first two may have gone no further than what is summarised.
      for _ in 0..<2 where keeper.sorted > 0 { try keeper.merge { true } }
    }
  }

  private mutating func attempt(_ body: (inout Self) throws(StoreError) -> Void) {
    do throws(StoreError) { try body(&self) } catch {
      service.intake.tail?.noteFailure()
      if error.kind == .full { service.storage.sawFullDisk() }
      service.journal.writeSparingly(.error, "fold_failed", ["reason": .string(error.description)])
    }
  }
}
