public import Console
public import HTTP
internal import Ingest
public import Lifecycle
internal import Locks
public import Query
public import Store
internal import Synchronization

/// A running service: the event log behind group commit, the keys, and what it counts.
public final class Service: Sendable {
  public struct Settings: Sendable {
    public var path: String
    /// The address of a warehouse that is asked in place of the file, which then has the keys alone.
    public var warehouse: String?
    /// Of the program, for metrics.
    public var version: String
    public var maxBody: Int
    /// What a compressed body may inflate to.
    public var maxInflated: Int
    /// Below so much free space events are refused.
    public var minFree: Int
    /// Disk space that is set aside.
    public var reserve: Int
    /// Above so many bytes of write-ahead log there is a warning.
    public var largeLog: Int
    public var queue: Int
    /// Bytes of events in memory that are stored and not sorted.
    public var tail = 64 << 20
    public var limits: RateLimits.Settings
    public var questionThreads: Int
    public var questionTimeout: Swift.Duration
    public var clock: @Sendable () -> Instant
    /// The update servers that questions are passed on to, where there are any.
    public var upstream: Upstream?
    /// What questions are asked by where a request does not say it.
    public var defaults: [(option: Option, text: String)]
    /// What releases are judged by in `/metrics`.
    public var judging: Query.Verdict.Options
    /// Pages of which places may send events.
    public var origins: AllowedOrigins
    /// How a process begins that answers questions; nil answers them in the service itself.
    public var worker: ProcessStart?
    /// How a process begins that does a chore; nil does it in the service itself.
    public var choreWorker: ProcessStart?
    /// The command that verifies tokens of devices; nil where none are looked at.
    public var attest: String?

    public init(
      path: String, version: String, maxBody: Int, maxInflated: Int, minFree: Int, reserve: Int, largeLog: Int,
      queue: Int, limits: RateLimits.Settings, questionThreads: Int, questionTimeout: Swift.Duration,
      clock: @escaping @Sendable () -> Instant, upstream: Upstream? = nil,
      defaults: [(option: Option, text: String)] = [], judging: Query.Verdict.Options = .init(),
      origins: AllowedOrigins? = nil, warehouse: String? = nil, worker: ProcessStart? = nil,
      choreWorker: ProcessStart? = nil, attest: String? = nil
    ) {
      self.path = path
      self.version = version
      self.maxBody = maxBody
      self.maxInflated = maxInflated
      self.minFree = minFree
      self.reserve = reserve
      self.largeLog = largeLog
      self.queue = queue
      self.limits = limits
      self.questionThreads = questionThreads
      self.questionTimeout = questionTimeout
      self.clock = clock
      self.upstream = upstream
      self.defaults = defaults
      self.judging = judging
      self.origins = origins ?? AllowedOrigins.none
      self.worker = worker
      self.choreWorker = choreWorker
      self.attest = attest
      self.warehouse = warehouse
    }
  }

  let settings: Settings
  let log: EventLog
  let intake: Intake
  let registry: Registry
  let decoders: DecoderPool
  let channels: RememberedWords
  let offers: OfferMemory
  let metrics = ServiceMetrics()
  let resends = ResendShare()
  let ignoredNames = IgnoredNames()
  let journal: ServiceLog
  /// Nil where no pages are asked for.
  let reports: ReportKeeper?
  /// Nil where nothing is to be exported.
  let exports: ExportKeeper?
  /// Nil where nothing is to be shipped.
  let shipping: ShippingKeeper?
  /// Nil where no copy is kept.
  let copying: CopyKeeper?
  /// Nil where no tokens are looked at.
  let attestation: AttestationKeeper?
  let retention = Lock(RetentionStatus())
  let verdicts: VerdictKeeper
  /// Does what verdicts and summaries need, beside the service.
  let chores: ChoreRunner
  let table: RouteTable
  let limits: RateLimits
  let desk: QuestionDesk
  /// Nil where the service answers questions itself.
  let workers: QuestionWorkers?
  let decoding: DecodingDesk
  let bodies: BodyBudgets
  let vocabulary: VocabularyLimits
  let newDevices: NewDeviceLimits
  let keyUses: KeyUseNotes
  let storage: StorageGuard
  let clockGuard: ClockGuard
  public let certificate = CertificateWatch()
  let logReaders: LogReaders
  /// Programs that read the database for long, as seen last.
  let longReaders = Lock<[LogReaders.Reader]>([])
  /// The second at which the write-ahead log was first seen to be too long.
  let logLargeSince = Lock<Int?>(nil)
  /// Wakes the housekeeping before its time.
  let housekeepingBell = Bell()
  let started = ContinuousClock.now
  private let ring: Lock<KeyRing>
  /// Held from reading the keys to putting them in force: what was read first must not take the place of what came after.
  private let reloading = Lock(())
  let isStopping = Atomic(false)
  /// Why the service has to end: a newer program upgraded the file while this one had it open.
  public var supersession: StoreError? { superseded.withLock { $0 } }
  let superseded = Lock<StoreError?>(nil)
  /// The last commit failed; the watch tries again until one does not.
  let commitsFail = Atomic(false)
  private let server = Lock<HTTPServer?>(nil)

  public init(
    _ settings: Settings, durability: Durability, window: Int, journal: ServiceLog,
    reports: ReportKeeper? = nil, exports: ExportKeeper? = nil, shipping: ShippingKeeper? = nil,
    copying: CopyKeeper? = nil
  ) throws {
    self.settings = settings
    self.journal = journal
    self.reports = reports
    self.exports = exports
    self.shipping = shipping
    chores = ChoreRunner(settings.choreWorker, clock: settings.clock)
    self.copying = copying
    verdicts = VerdictKeeper(
      path: settings.asked, judging: settings.judging, journal: journal, runner: chores)
    log = try EventLog(path: settings.path, durability: durability, window: window)
    table = RouteTable(routes + (reports == nil ? [] : pageRoutes))
    limits = RateLimits(settings.limits)
    newDevices = NewDeviceLimits(perMinute: settings.limits.newDevicesPerKey)
    desk = QuestionDesk(threads: settings.questionThreads, patience: settings.questionTimeout)
    decoding = DecodingDesk(threads: 2, capacity: max(64 << 20, 8 * settings.maxBody))
    bodies = BodyBudgets(maxBody: settings.maxBody)
    storage = StorageGuard(path: settings.path, minFree: settings.minFree, reserve: settings.reserve)
    clockGuard = ClockGuard(try log.clockMark())
    logReaders = LogReaders(database: settings.path)
    // What an interruption left half done is done before anybody asks.
    log.finishForgetting(at: Timestamp(rawValue: settings.clock().rawValue), journal)
    registry = try Registry(path: settings.path)
    ring = Lock(try registry.keyRing())
    keyUses = KeyUseNotes(registry, began: Timestamp(rawValue: settings.clock().rawValue))
    channels = try RememberedWords(registry, .channels)
    offers = try OfferMemory(registry)
    vocabulary = try VocabularyLimits(registry)
    decoders = DecoderPool(keys: log.identityKeys)
    intake = Intake(
      log: log, capacity: settings.queue, tail: TailRoom(log, limit: settings.tail), patience: .milliseconds(2))
    workers = settings.worker.map {
      QuestionWorkers($0, count: settings.questionThreads, journal: journal)
    }
    attestation = settings.attest.map { [log] in AttestationKeeper($0, log, journal) }
    shipping?.start(chores)
    attestation?.start()
    copying?.start()
  }

  var now: Timestamp { Timestamp(rawValue: settings.clock().rawValue) }
  public var keys: KeyRing { ring.withLock { $0 } }

  /// Listens until `close`.
  public func listen(_ configuration: HTTP.Configuration) throws(ListenError) -> HTTPServer {
    var configuration = configuration
    for name in Self.headers where !configuration.headers.contains(name) { configuration.headers.append(name) }
    configuration.maxBodyBytes = settings.maxBody
    configuration.admit = { self.admit($0) }
    configuration.observe = { self.observe($0) }
    configuration.pause = { self.intake.hurry() }
    let started = try HTTPServer(configuration) { self.handle($0, $1) }
    server.withLock { $0 = started }
    return started
  }

  /// What routes and dialects look at, beside what every server does.
  private static let headers =
    [
      "x-uptake-key", "x-uptake-sent-at", "x-uptake-attestation", "x-forwarded-for", "accept-encoding",
      "if-match", "if-modified-since", "host", "origin",
      "access-control-request-method", "access-control-request-headers",
      "sec-fetch-site", "sec-fetch-mode",
    ] + Dialect.headers + Upstream.passedOn

  func statistics() -> HTTP.Statistics { server.withLock { $0?.statistics } ?? HTTP.Statistics() }

  /// Reads the keys again; those in force stay in force where that fails.
  public func reloadKeys() {
    do {
      try reloading.withLock { _ throws(StoreError) in
        let keys = try registry.keyRing()
        ring.withLock { $0 = keys }
      }
    } catch {
      journal.writeSparingly(.error, "keys_not_read", ["reason": .string("\(error)")])
    }
  }

  /// Answers what is under way, stores what is taken, folds it, and ends.
  public func drain(_ server: HTTPServer, _ housekeeping: Housekeeping) {
    journal.write(.info, "draining")
    let answered = server.drain(timeout: .seconds(10))
    isStopping.store(true, ordering: .relaxed)
    intake.drain()
    server.close()
    housekeeping.stop()
    reports?.stop()
    exports?.stop()
    shipping?.stop()
    verdicts.stop()
    workers?.stop()
    attestation?.stop()
    copying?.stop()
    // The log is read again at the next start; it is only longer.
    try? log.checkpoint()
    journal.write(.info, "stopped", ["allAnswered": .bool(answered), "stored": .integer(log.tally.stored)])
  }

  /// Requests are still tried, as the next commit may succeed; but whoever spreads them should choose another service.
  var failing: (code: String, message: String)? {
    if commitsFail.load(ordering: .relaxed) { return ("not_stored", "events cannot be stored now; the log says why") }
    guard let awaited = shipping?.awaited, awaited.isFailing else { return nil }
    return (
      "not_shipped", "the warehouse acknowledges nothing, and events are answered once it has them; the log says why"
    )
  }

  /// Whether an event could be stored now.
  var refusal: (code: String, message: String)? {
    if isStopping.load(ordering: .relaxed) {
      return ("stopping", "the service is stopping; send the request again soon")
    }
    return clockGuard.refusal(at: now) ?? storage.refusal
  }
}
