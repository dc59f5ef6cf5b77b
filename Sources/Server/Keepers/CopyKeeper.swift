public import Console
internal import Glibc
internal import Ingest
public import Lifecycle
internal import Locks
public import Store
internal import Synchronization

/// Keeps the continuous copy of the service's file, on a thread of its own; what cannot be sent is sent later.
public final class CopyKeeper: Sendable {
  /// For metrics.
  struct Status: Sendable {
    /// Everything that was stored before is in the copy; nil where that is not known yet.
    var through: Timestamp?
    var bytes = 0
    var surveys = 0
    var failures = 0
    var isFailing = false
  }
  private struct State {
    var status = Status()
    var isAtWork = false
  }

  private let address: String
  private let open: @Sendable () throws(StoreError) -> Replicator
  private let abandon: @Sendable () -> Void
  private let journal: ServiceLog
  private let clock: @Sendable () -> Instant
  private let began: Timestamp
  private let state = Lock(State())
  private let isStopping = Atomic(false)
  /// Seconds between two steps; after failures twice as long each time, up to the longest.
  private static let pause = 1.0
  private static let longestPause = 60.0

  /// - Parameters:
  ///   - open: called again until it works.
  ///   - abandon: ends what a step waits for when the service ends.
  public init(
    address: String, journal: ServiceLog, clock: @escaping @Sendable () -> Instant,
    abandon: @escaping @Sendable () -> Void = {},
    open: @escaping @Sendable () throws(StoreError) -> Replicator
  ) {
    (self.address, self.journal, self.clock, self.open) = (address, journal, clock, open)
    self.abandon = abandon
    began = Timestamp(rawValue: clock().rawValue)
  }

  var status: Status { state.withLock { $0.status } }

  /// Begins; the service's file must be there.
  func start() {
    state.withLock { $0.isAtWork = true }
    QuietThread.start("uptake.copy") { [self] in
      keepUp()
      state.withLock { $0.isAtWork = false }
    }
  }

  /// Waits a little, so that what was stored last is in the copy too: its thread gives way to all others, also on a machine that they
  /// keep busy.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    for _ in 0..<1500 where state.withLock({ $0.isAtWork }) { usleep(10_000) }
    abandon()
  }

  private var mayGoOn: Bool { !isStopping.load(ordering: .relaxed) }

  private func keepUp() {
    var replicator: Replicator?
    var pause = Self.pause
    while mayGoOn {
      if step(&replicator) { pause = Self.pause } else { pause = min(2 * pause, Self.longestPause) }
      let end = ContinuousClock.now + .seconds(pause)
      while mayGoOn, .now < end { usleep(20_000) }
    }
    _ = step(&replicator)
  }

  private func step(_ replicator: inout Replicator?) -> Bool {
    do throws(StoreError) {
      let current: Replicator
      if let replicator { current = replicator } else { current = try open() }
      replicator = current
      note(try current.run(), current.through)
      return true
    } catch {
      replicator?.letGo()
      note(error, replicator?.through)
      return false
    }
  }

  private func note(_ step: Replicator.Step, _ through: Timestamp?) {
    let wasFailing = state.withLock { state in
      let wasFailing = state.status.isFailing
      (state.status.through, state.status.isFailing) = (through, false)
      state.status.bytes += step.bytes
      state.status.surveys += step.isSurvey ? 1 : 0
      return wasFailing
    }
    if let missing = step.missing {
      journal.write(
        .warning, "copy_began_anew",
        [
          "target": .string(address), "reason": .string("part \(missing) is no longer there"),
          "effect": .string("all pages were sent again; moments after that part and before now cannot be restored"),
        ])
    }
    if wasFailing { journal.write(.info, "copy_resumed", ["target": .string(address)]) }
  }

  private func note(_ error: StoreError, _ through: Timestamp?) {
    state.withLock { state in
      if let through { state.status.through = through }
      state.status.failures += 1
      state.status.isFailing = true
    }
    journal.writeSparingly(
      .error, "copy_failed",
      [
        "target": .string(address), "reason": .string(error.description),
        "through": through.map { .string($0.rfc3339) } ?? .null,
        "effect": .string("the copy ends there; what came later is in the database alone until this works again"),
      ])
  }

  /// Seconds since the moment up to which the copy has everything; since the start where there is none.
  var lag: Double {
    Double(max(0, (Timestamp(rawValue: clock().rawValue) - (status.through ?? began)).rawValue)) / 1000
  }
}

extension Service {
  func write(_ copying: CopyKeeper, to text: inout MetricsText) {
    let status = copying.status
    text.gauge(
      "uptake_replica_lag_seconds", "How far the copy is behind: what a loss of this machine would cost", copying.lag)
    text.gauge(
      "uptake_replica_last_success_timestamp_seconds", "Everything stored before is in the copy; 0 where nothing is",
      Double(status.through?.seconds ?? 0))
    text.counter(
      "uptake_replica_failures_total", "Times that the copy could not be brought up to date", status.failures)
    text.gauge("uptake_replica_failing", "1 where the newest attempt failed", status.isFailing ? 1 : 0)
    text.counter("uptake_replica_sent_bytes_total", "Bytes sent to the copy", status.bytes)
    text.counter(
      "uptake_replica_surveys_total", "Times that all pages were compared, as it was not known which had changed",
      status.surveys)
  }
}
