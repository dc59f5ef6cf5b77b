public import Console
internal import Answers
internal import Glibc
internal import Ingest
public import Lifecycle
internal import Locks
public import Store
internal import Synchronization

/// What sends the events of the service's file to a warehouse, one batch after another.
public protocol EventShipping: AnyObject {
  /// Answers how many events went; 0 where none waited.
  func sendBatch() throws(StoreError) -> Int
  /// Tells what the file holds beside events, as far as it changed.
  func tellState() throws(StoreError)
  func waiting() throws(StoreError) -> Int64
  /// The greatest number up to which the warehouse has every event.
  func acknowledged() throws(StoreError) -> Int64
  /// Has the warehouse forget what the file forgot; answers how many devices it still knows.
  func forgetDevices() throws(StoreError) -> Int
}

/// Ships beside the requests, on a thread of its own; what cannot be sent waits in the file and is tried again.
public final class ShippingKeeper: Sendable {
  /// For metrics.
  struct Status: Sendable {
    /// nil until the warehouse was reached for the first time.
    var waiting: Int64?
    var batches = 0
    var failures = 0
    var isFailing = false
    /// Devices that the warehouse still has to forget.
    var unforgotten = 0
    /// When all that waited had arrived; nil for never.
    var lastSuccess: Timestamp?
  }
  private struct State {
    var status = Status()
    var isAtWork = false
  }

  private let address: String
  private let open: @Sendable () throws(StoreError) -> any EventShipping
  private let tallies: WarehouseTallies
  private let journal: ServiceLog
  private let clock: @Sendable () -> Instant
  private let state = Lock(State())
  /// Requests that are answered by what arrived; nil where the file's word is enough.
  let awaited: AwaitedShipments?
  private let isStopping = Atomic(false)
  /// Between two looks for events; after failures twice as long each time, up to the longest.
  private static let pause = 1.0
  private var longestPause: Double { awaited == nil ? 60 : 5 }
  private static let betweenStates = Swift.Duration.seconds(5)
  private static let betweenSummaries = 5.0

  /// - Parameters:
  ///   - address: without credentials, for the log.
  ///   - awaited: where requests wait for the warehouse.
  ///   - open: called again until it works; its events are those of the service's file.
  public init(
    address: String, journal: ServiceLog, clock: @escaping @Sendable () -> Instant,
    awaited: AwaitedShipments? = nil, tallies: WarehouseTallies,
    open: @escaping @Sendable () throws(StoreError) -> any EventShipping
  ) {
    (self.address, self.journal, self.clock) = (address, journal, clock)
    (self.tallies, self.open, self.awaited) = (tallies, open, awaited)
  }

  var status: Status { state.withLock { $0.status } }

  /// Begins; the service's file must be there.
  func start(_ runner: ChoreRunner) {
    state.withLock { $0.isAtWork = true }
    awaited?.start()
    QuietThread.start("uptake.shipping") { [self] in
      ship()
      state.withLock { $0.isAtWork = false }
    }
    QuietThread.start("uptake.warehouse-summaries") { [self] in summariseWhenIdle(runner) }
  }

  /// Waits a little for a batch that is under way; one that is not acknowledged by then is sent again at the next start.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    for _ in 0..<300 where state.withLock({ $0.isAtWork }) { usleep(10_000) }
    awaited?.stop()
  }

  private var mayGoOn: Bool { !isStopping.load(ordering: .relaxed) }

  private func ship() {
    var shipping: (any EventShipping)?
    var told: ContinuousClock.Instant?
    var pause = Self.pause
    while mayGoOn {
      var areSent = false
      do throws(StoreError) {
        if shipping == nil { shipping = try open() }
        if let shipping { try shipAll(shipping, &told, &areSent) }
        pause = Self.pause
      } catch {
        note(error, areSent: areSent)
        pause = min(2 * pause, longestPause)
      }
      rest(pause)
    }
  }

  private func shipAll(_ shipping: any EventShipping, _ told: inout ContinuousClock.Instant?, _ areSent: inout Bool)
    throws(StoreError)
  {
    try note(waiting: shipping.waiting())
    while mayGoOn, try sendBatch(shipping) {
      state.withLock { $0.status.batches += 1 }
      try note(waiting: shipping.waiting())
    }
    areSent = true
    guard mayGoOn else { return }
    if told.map({ .now - $0 >= Self.betweenStates }) ?? true {
      try shipping.tellState()
      told = .now
    }
    let unforgotten = try shipping.forgetDevices()
    let now = Timestamp(rawValue: clock().rawValue)
    state.withLock { state in
      state.status.unforgotten = unforgotten
      (state.status.isFailing, state.status.lastSuccess) = (false, now)
    }
  }

  /// Answers whether there was one.
  private func sendBatch(_ shipping: any EventShipping) throws(StoreError) -> Bool {
    let events = try shipping.sendBatch()
    if let awaited { try awaited.arrived(upTo: shipping.acknowledged()) }
    return events > 0
  }

  /// Beside shipping: what comes in meanwhile makes a summary worthless and does not wait for it.
  private func summariseWhenIdle(_ runner: ChoreRunner) {
    var (pause, counted) = (Self.betweenSummaries, Int64?.none)
    while mayGoOn {
      rest(pause)
      guard mayGoOn, state.withLock({ $0.status.waiting == 0 && !$0.status.isFailing }) else { continue }
      let begin = ContinuousClock.now
      do { try tallies.refresh(runner, &counted) { !mayGoOn } } catch { noteSummary(error) }
      // A tenth of the time at most.
      pause = max(Self.betweenSummaries, (ContinuousClock.now - begin) / .seconds(1) * 10)
    }
  }

  private func noteSummary(_ error: any Error) {
    guard mayGoOn else { return }
    journal.writeSparingly(
      .error, "warehouse_summary_failed",
      [
        "warehouse": .string(address), "reason": .string("\(error)"),
        "effect": .string("questions read the warehouse's devices instead: slower, and as right"),
      ])
  }

  private func note(waiting: Int64) { state.withLock { $0.status.waiting = waiting } }

  /// - Parameter areSent: whether the events themselves arrived.
  private func note(_ error: StoreError, areSent: Bool) {
    state.withLock { state in
      state.status.failures += 1
      state.status.isFailing = true
    }
    if !areSent { awaited?.failed() }
    journal.writeSparingly(
      .error, "ship_failed",
      [
        "warehouse": .string(address), "reason": .string(error.description),
        "effect": .string("events wait in the file and are sent again; answers of the warehouse lack them meanwhile"),
        "hint": .string(error.hint.words),
      ])
  }

  private func rest(_ seconds: Double) {
    let end = ContinuousClock.now + .seconds(seconds)
    while mayGoOn, .now < end { usleep(50_000) }
  }
}
