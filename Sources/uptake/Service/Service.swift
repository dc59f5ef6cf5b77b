internal import Console
internal import HTTP
internal import Ingest
internal import Lifecycle
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
    var queue: Int
    var clock: @Sendable () -> Instant
  }

  let settings: Settings
  let log: EventLog
  let intake: Intake
  let registry: Registry
  let decoders: DecoderPool
  let metrics = ServiceMetrics()
  let journal: ServiceLog
  let program: Program
  /// Nil where no pages are asked for.
  let reports: ReportKeeper?
  private let ring: Mutex<KeyRing>
  /// Free bytes on the database's disk, looked at every second.
  let freeBytes = Atomic<Int>(.max)
  let isStopping = Atomic(false)
  private let server = Mutex<HTTPServer?>(nil)

  init(
    _ settings: Settings, durability: Durability, window: Int, journal: ServiceLog, program: Program,
    reports: ReportKeeper? = nil
  ) throws {
    self.settings = settings
    self.journal = journal
    self.program = program
    self.reports = reports
    log = try EventLog(path: settings.path, durability: durability, window: window)
    registry = try Registry(path: settings.path)
    ring = Mutex(try registry.keyRing())
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

  /// Whether an event could be stored now.
  var refusal: (code: String, message: String)? {
    if isStopping.load(ordering: .relaxed) {
      return ("stopping", "the service is stopping; send the request again soon")
    }
    if freeBytes.load(ordering: .relaxed) < settings.minFree {
      return (
        "disk_reserve",
        "less space is free than the reserve of \(settings.minFree) bytes; nothing is taken until there is more"
      )
    }
    return nil
  }
}
