import Console
import Dispatch
import Foundation
import HTTP
import Ingest
import Lifecycle
import Store
import Synchronization

@testable import Server

/// A service on a database of its own, asked without sockets.
final class ServedDatabase {
  let folder: TemporaryFolder
  let service: Service
  let log = Written()
  var path: String { folder.path + "/x.db" }
  static let now = "2025-03-03T00:00:00Z"

  static let clock: @Sendable () -> Instant = { (try? Instant(now, now: Instant(rawValue: 0))) ?? .now() }
  var journal: ServiceLog { service.journal }

  /// - Parameters:
  ///   - folder: where the database lies; one of its own where not given.
  ///   - exports: and the rest: made from where the database lies, and the log.
  init(
    limits: RateLimits.Settings? = nil, upstream: Upstream? = nil, origins: AllowedOrigins? = nil,
    in folder: TemporaryFolder? = nil, durability: Durability = .normal, tail: Int = 64 << 20,
    minFree: Int = 0,
    clock: @escaping @Sendable () -> Instant = ServedDatabase.clock,
    reports: (String, ServiceLog) throws -> ReportKeeper? = { _, _ in nil },
    exports: (String, ServiceLog) throws -> ExportKeeper? = { _, _ in nil },
    shipping: (String, ServiceLog) throws -> ShippingKeeper? = { _, _ in nil }
  ) throws {
    self.folder = try folder ?? TemporaryFolder()
    let path = self.folder.path + "/x.db"
    let journal = ServiceLog(log.sink, clock: clock)
    var settings = Service.Settings(
      path: path, version: "1.2.3", maxBody: 1 << 16, maxInflated: 1 << 18, minFree: minFree, reserve: 0,
      largeLog: .max, queue: 1000, limits: limits ?? .init(perAddress: 0, perKey: 0, trustedProxies: []),
      questionThreads: 1, questionTimeout: .seconds(20), clock: clock, upstream: upstream,
      origins: origins)
    settings.tail = tail
    service = try Service(
      settings, durability: durability, window: 1000, journal: journal, reports: reports(path, journal),
      exports: exports(path, journal), shipping: shipping(path, journal))
  }

  /// Its thread ends with it: of hundreds of tests each would keep one.
  deinit { service.intake.drain() }

  func key(_ scope: Scope, app: String = "a") throws -> String {
    let made = try service.registry.createKey(app: app, scope: scope, now: Timestamp(rawValue: 0))
    service.reloadKeys()
    return made.secret
  }

  func request(
    _ method: String, _ target: String, _ body: String = "", key: String? = nil, headers: [(String, String)] = [],
    from address: String = "203.0.113.9"
  ) -> Request {
    Request(
      method: method, target: Target(target) ?? Target("/").unsafelyUnwrapped,
      headers: Headers(headers + (key.map { [("x-uptake-key", $0)] } ?? [])), body: Array(body.utf8),
      address: ClientAddress(address[...]))
  }

  /// Asks as a server does: first for admission, then with the whole request.
  func ask(
    _ method: String, _ target: String, _ body: String = "", key: String? = nil, headers: [(String, String)] = []
  ) -> Response {
    answer { service.handle(request(method, target, body, key: key, headers: headers), $0) }
  }

  func answer(_ ask: (Responder) -> Void) -> Response {
    let answered = DispatchSemaphore(value: 0)
    let found = Mutex<Response?>(nil)
    ask(
      Responder { response in
        found.withLock { $0 = response }
        answered.signal()
      })
    _ = answered.wait(timeout: .now() + 30)
    return found.withLock { $0 } ?? .error(599, code: "none", "nobody answered")
  }
}

extension Response {
  var text: String { String(decoding: body, as: UTF8.self) }
  /// The code of an error's one shape.
  var code: String? {
    let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
    return (object?["error"] as? [String: Any])?["code"] as? String
  }
}

/// What a service wrote into its log.
final class Written: Sendable {
  private let bytes = Mutex<[UInt8]>([])
  var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
  var sink: Sink {
    Sink(isTerminal: false, columns: 80) { (more) throws(Failure) in self.bytes.withLock { $0 += more } }
  }
}

/// Waits for what another thread does, which may give way to all others; false after five minutes.
func eventually(_ holds: () -> Bool) -> Bool {
  for _ in 0..<60_000 {
    if holds() { return true }
    usleep(5000)
  }
  return false
}
