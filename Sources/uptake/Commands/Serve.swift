internal import Answers
internal import Console
internal import Glibc
internal import HTTP
internal import Ingest
internal import Lifecycle
internal import Store
internal import Synchronization

extension Option {
  static let listen = Option(
    "listen", .text, value: "ADDRESS", fallback: "127.0.0.1:8787", environment: "UPTAKE_LISTEN", key: "listen",
    help: "Where to listen: 127.0.0.1:8787, [::1]:8787, unix:/run/uptake.sock, fd:3")
}

private extension Option {
  static let tlsCertificate = Option(
    "tls-cert", .text, value: "FILE", environment: "UPTAKE_TLS_CERT", key: "tls-cert", completion: "files",
    help: "Serve HTTPS with this certificate chain (PEM)")
  static let tlsKey = Option(
    "tls-key", .text, value: "FILE", environment: "UPTAKE_TLS_KEY", key: "tls-key", completion: "files",
    help: "The certificate's private key (PEM)")
  static let threads = Option(
    "threads", .integer(1...64), fallback: "2", key: "threads", help: "Threads that read and decode requests")
  static let maxBody = Option(
    "max-body", .size, fallback: "8MiB", key: "max-body", help: "The largest request body, as sent")
  static let maxInflated = Option(
    "max-inflated", .size, fallback: "64MiB", key: "max-inflated", help: "The largest request body, once inflated")
  static let maxConnections = Option(
    "max-connections", .integer(1...1_000_000), key: "max-connections", help: "The most connections at once")
  static let perAddress = Option(
    "max-connections-per-address", .integer(1...1_000_000), fallback: "4096", key: "max-connections-per-address",
    help: "The most connections of one address")
  static let upstream = Option(
    "upstream", .text, value: "URL|DIALECT=URL", arity: .list, key: "upstream",
    help: "Pass update checks of clients that know one server only on to this one; all of them, or one dialect's")
  static let queue = Option(
    "queue", .integer(1...100_000_000), fallback: "200000", key: "queue", help: "The most events that wait for the disk"
  )
  static let durability = Option(
    "durability", .choice(Durability.allCases.map(\.rawValue)), fallback: "full", key: "durability",
    help: "full: an answered event survives a power loss; normal: it survives a crash of the program")
  static let minFree = Option(
    "min-free", .size, fallback: "64MiB", key: "min-free", help: "Refuse events while less disk space is free")
  static let window = Option(
    "duplicate-window", .integer(0...268_435_456), fallback: "16777216", key: "duplicate-window",
    help: "How many of the newest events a resend is recognised among")
  static let reports = Option(
    "reports", .text, value: "DIR", key: "reports", completion: "files",
    help: "Write pages there, a folder per app, and serve them at /")
  static let reportEvery = Option(
    "report-every", .duration, fallback: "5m", key: "report-every", help: "How often pages are made anew")
}

extension Command {
  static let serve = Command(
    "serve", group: "SERVICE", purpose: "Accept events over HTTP and answer questions",
    discussion: """
      Creates the database where there is none. An event is answered once it is on disk. Until the first \
      key is made only this machine may connect, and it may do everything: make keys with uptake key create before \
      listening elsewhere. From then on nobody has access without a valid key, also when all are revoked. SIGTERM answers what is under way and \
      ends; SIGHUP reads the keys again.
      """,
    options: [
      .database, .listen, .tlsCertificate, .tlsKey, .threads, .maxBody, .maxInflated, .maxConnections, .perAddress,
      .queue, .upstream,
      .durability, .minFree, .window, .reports, .reportEvery, .pages,
      .retainRaw, .retainArchive, .retainDrop,
    ] + Option.storage + Option.limits,
    examples: [
      .init("On this machine", "uptake serve --db uptake.db"),
      .init("With pages at http://127.0.0.1:8787/", "uptake serve --db uptake.db --reports site"),
      .init(
        "For the world, with TLS",
        "uptake serve --db /var/lib/uptake/uptake.db --listen 0.0.0.0:443 --tls-cert chain.pem --tls-key key.pem"),
    ],
    exits: [.databaseUnusable], seeAlso: ["key", "import", "help environment"]
  ) { invocation in
    try invocation.serve()
    return .done
  }
}

extension Invocation {
  fileprivate func serve() throws {
    let signals = SignalSet([SIGTERM, SIGINT, SIGHUP])
    signals.block()
    let address = try listenAddress()
    let retention = try retentionRule()
    let journal = ServiceLog(host.errors, clock: host.clock)
    let service = try Service(
      serviceSettings(), durability: choice(.durability) ?? .full, window: integer(.window) ?? 16_777_216,
      journal: journal, program: program, reports: try reports(journal), exports: try exports(journal))
    let keys = service.keys
    if keys.isOpen, !address.isLocal { throw noKeys(address) }
    let server = try listen(service, address)
    let housekeeping = Housekeeping(service, foldAfter: .milliseconds((duration(.foldAfter)?.rawValue) ?? 60_000))
    let daily = retention.map { DailyRetention(service, $0) }
    defer { _ = daily }
    try announce(server, address, keys)
    journal.write(
      .info, "listening",
      ["address": .string("\(address)"), "port": .integer(Int(server.port)), "keys": .bool(!keys.isOpen)])
    while case let signal = signals.wait(), signal == SIGHUP {
      service.reloadKeys()
      journal.write(.info, "keys_read")
    }
    drain(service, server, housekeeping, journal)
  }

  private func drain(_ service: Service, _ server: HTTPServer, _ housekeeping: Housekeeping, _ journal: ServiceLog) {
    journal.write(.info, "draining")
    let answered = server.drain(timeout: .seconds(10))
    service.isStopping.store(true, ordering: .relaxed)
    service.intake.drain()
    server.close()
    housekeeping.stop()
    service.exports?.stop()
    try? service.log.checkpoint()
    journal.write(.info, "stopped", ["allAnswered": .bool(answered), "stored": .integer(service.log.tally.stored)])
  }

  private func serviceSettings() throws -> Service.Settings {
    Service.Settings(
      path: try databasePath(), maxBody: integer(.maxBody) ?? 8 << 20, maxInflated: integer(.maxInflated) ?? 64 << 20,
      minFree: integer(.minFree) ?? 64 << 20, reserve: integer(.reserve) ?? 32 << 20,
      largeLog: integer(.largeLog) ?? 256 << 20, queue: integer(.queue) ?? 200_000,
      limits: RateLimits.Settings(
        perAddress: integer(.ratePerAddress) ?? 1000, perKey: integer(.ratePerKey) ?? 20_000,
        trustedProxies: try trustedProxies()),
      questionThreads: integer(.questionThreads) ?? 2,
      questionTimeout: .milliseconds(duration(.questionTimeout)?.rawValue ?? 30_000), clock: host.clock,
      upstream: try Upstream(texts(.upstream), version: program.version))
  }

  /// Faults in own pages are told now, not in a log later.
  private func reports(_ journal: ServiceLog) throws -> ReportKeeper? {
    guard let folder = text(.reports) else {
      guard text(.pages) == nil else {
        throw Failure(
          "pages_unused", "own pages are not made without --reports", hints: ["add --reports DIR"], exit: .usage)
      }
      return nil
    }
    let every = duration(.reportEvery) ?? Console.Duration(rawValue: 300_000)
    guard every.seconds >= 1 else {
      throw Failure("too_often", "pages are made once a second at most", place: "--report-every", exit: .usage)
    }
    return ReportKeeper(
      .init(
        folder: folder, every: every, site: try SiteFolder.site(pages: text(.pages)), pages: text(.pages),
        database: try databasePath(), version: program.version),
      journal: journal, clock: host.clock)
  }

  private func exports(_ journal: ServiceLog) throws -> ExportKeeper? {
    let entries = try exportEntries()
    return entries.isEmpty
      ? nil : ExportKeeper(entries, database: try databasePath(), journal: journal, clock: host.clock)
  }

  private func listenAddress() throws -> ListenAddress {
    try ListenAddress(text(.listen) ?? "127.0.0.1:8787")
  }

  private func listen(_ service: Service, _ address: ListenAddress) throws -> HTTPServer {
    var configuration = HTTP.Configuration(address: address)
    configuration.threads = integer(.threads) ?? 2
    configuration.maxBodyBytes = service.settings.maxBody
    configuration.maxConnections = integer(.maxConnections)
    configuration.maxConnectionsPerAddress = integer(.perAddress)
    limitTimes(&configuration)
    let own =
      configuration.headers + [
        "x-uptake-key", "x-uptake-sent-at", "x-forwarded-for", "accept-encoding", "if-modified-since",
      ]
    configuration.headers = own + Dialect.headers.filter { !own.contains($0) }
    configuration.tls = try tls()
    return try service.listen(configuration)
  }

  private func tls() throws -> HTTP.Configuration.TLS? {
    switch (text(.tlsCertificate), text(.tlsKey)) {
    case (nil, nil): return nil
    case (let certificate?, let key?):
      return HTTP.Configuration.TLS(certificate: try file(certificate), key: try file(key))
    default:
      throw Failure(
        "half_tls", "a certificate and its key go together", hints: ["give both --tls-cert and --tls-key"], exit: .usage
      )
    }
  }

  private func file(_ path: String) throws(Failure) -> String {
    guard let bytes = try host.readFile(path) else {
      throw Failure("file_missing", "there is no file \(path)", hints: ["check the path"], exit: .usage)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func announce(_ server: HTTPServer, _ address: ListenAddress, _ keys: KeyRing) throws {
    let scheme = text(.tlsCertificate) == nil ? "http" : "https"
    let place = address.url(scheme: scheme, port: server.port)
    try print("uptake \(program.version) listens on \(place), database \(try databasePath())\n")
    if keys.isOpen {
      try note([
        "no keys: only this machine may connect, and it may do everything; uptake key create makes the first one"
      ])
    } else if keys.isEmpty {
      try note(["every key is revoked: nobody has access until uptake key create makes a new one"])
    }
  }

  private func noKeys(_ address: ListenAddress) -> Failure {
    Failure(
      "no_keys", "listening on \(address) without keys would let anybody write", place: "--listen",
      hints: ["make a key first: uptake key create --app APP --scope ingest", "or listen on 127.0.0.1"], exit: .usage)
  }
}
