internal import Console
internal import Dispatch
internal import HTTP
internal import Ingest
internal import Lifecycle
internal import Locks
internal import Store
internal import Synchronization

/// A running service: the event log behind group commit, the keys, and what it counts.
final class Service: Sendable {
  struct Settings: Sendable {
    var path: String
    var maxBody: Int
    /// What a compressed body may inflate to.
    var maxInflated: Int
    /// Below so much free space events are refused.
    var minFree: Int
    /// Disk space that is set aside.
    var reserve: Int
    /// Above so many bytes of write-ahead log there is a warning.
    var largeLog: Int
    var queue: Int
    var limits: RateLimits.Settings
    var questionThreads: Int
    var questionTimeout: Swift.Duration
    var clock: @Sendable () -> Instant
    /// The update servers that questions are passed on to, where there are any.
    var upstream: Upstream?
  }

  let settings: Settings
  let log: EventLog
  let intake: Intake
  let registry: Registry
  let decoders: DecoderPool
  let channels: ChannelMemory
  let offers = OfferMemory()
  let metrics = ServiceMetrics()
  let journal: ServiceLog
  let program: Program
  /// Nil where no pages are asked for.
  let reports: ReportKeeper?
  /// Nil where nothing is to be exported.
  let exports: ExportKeeper?
  let limits: RateLimits
  let desk: QuestionDesk
  let storage: StorageGuard
  let logReaders: LogReaders
  /// Programs that read the database for long, as seen last.
  let longReaders = Lock<[LogReaders.Reader]>([])
  /// The second at which the write-ahead log was first seen to be too long.
  let logLargeSince = Lock<Int?>(nil)
  /// Wakes the housekeeping before its time.
  let housekeepingBell = DispatchSemaphore(value: 0)
  let started = ContinuousClock.now
  private let ring: Lock<KeyRing>
  let isStopping = Atomic(false)
  /// The last commit failed; the watch tries again until one does not.
  let commitsFail = Atomic(false)
  private let server = Lock<HTTPServer?>(nil)

  init(
    _ settings: Settings, durability: Durability, window: Int, journal: ServiceLog, program: Program,
    reports: ReportKeeper? = nil, exports: ExportKeeper? = nil
  ) throws {
    self.settings = settings
    self.journal = journal
    self.program = program
    self.reports = reports
    self.exports = exports
    log = try EventLog(path: settings.path, durability: durability, window: window)
    limits = RateLimits(settings.limits)
    desk = QuestionDesk(threads: settings.questionThreads, patience: settings.questionTimeout)
    storage = StorageGuard(path: settings.path, minFree: settings.minFree, reserve: settings.reserve)
    logReaders = LogReaders(database: settings.path)
    // What an interruption left half done is done before anybody asks.
    _ = try log.finishForgetting()
    registry = try Registry(path: settings.path)
    ring = Lock(try registry.keyRing())
    channels = try ChannelMemory(registry)
    decoders = DecoderPool(keys: log.identityKeys)
    intake = Intake(log: log, capacity: settings.queue)
  }

  var now: Timestamp { Timestamp(rawValue: settings.clock().rawValue) }
  var keys: KeyRing { ring.withLock { $0 } }

  /// Listens until `close`.
  func listen(_ configuration: HTTP.Configuration) throws(ListenError) -> HTTPServer {
    var configuration = configuration
    configuration.admit = { self.admit($0) }
    configuration.observe = { self.observe($0) }
    let started = try HTTPServer(configuration) { self.handle($0, $1) }
    server.withLock { $0 = started }
    return started
  }

  func statistics() -> HTTP.Statistics { server.withLock { $0?.statistics } ?? HTTP.Statistics() }

  /// Reads the keys again; those in force stay in force where that fails.
  func reloadKeys() {
    do {
      let keys = try registry.keyRing()
      ring.withLock { $0 = keys }
    } catch {
      journal.write(.error, "keys_not_read", ["reason": .string("\(error)")])
    }
  }

  /// Requests are still tried, as the next commit may succeed; but whoever spreads them should choose another service.
  var failing: (code: String, message: String)? {
    commitsFail.load(ordering: .relaxed) ? ("not_stored", "the last commit failed; the log says why") : nil
  }

  /// Whether an event could be stored now.
  var refusal: (code: String, message: String)? {
    if isStopping.load(ordering: .relaxed) {
      return ("stopping", "the service is stopping; send the request again soon")
    }
    return storage.refusal
  }
}
