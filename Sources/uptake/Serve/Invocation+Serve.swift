internal import Answers
internal import Console
internal import Glibc
internal import HTTP
internal import Ingest
internal import Lifecycle
internal import Report
internal import Server
internal import Store
internal import Warehouse

extension Invocation {
  func serve() throws {
    let signals = SignalSet([SIGTERM, SIGINT, SIGHUP])
    signals.block()
    outliveReaders()
    let address = try listenAddress()
    let keys = try KeysFile(self)
    defer { keys.remove() }
    try checkLimits()
    let tls = try tls()
    let retention = try retentionRule()
    // A new file has no keys, and would be left behind.
    if keys.warehouse == nil, access(keys.path, F_OK) != 0, !address.bound.isLocal { throw noKeys(address) }
    let journal = ServiceLog(host.errors, clock: host.clock)
    let service = try service(serviceSettings(keys), journal)
    let ring = service.keys
    if ring.isOpen, !address.bound.isLocal { throw noKeys(address) }
    let manager = ServiceManager(host.environment)
    let server = try listen(service, address, tls)
    service.certificate.take(expiry(of: tls))
    let housekeeping = Housekeeping(
      service, foldAfter: .milliseconds((duration(.foldAfter)?.rawValue) ?? 60_000),
      onUpgrade: { kill(getpid(), SIGTERM) })
    let daily = retention.map { DailyRetention(service, $0) }
    if daily == nil { service.planRetention(nil) }
    defer { daily?.stop() }
    service.noteStart(limitTexts)
    try announce(server, address, ring)
    journal.write(
      .info, "listening",
      ["address": .string("\(address)"), "port": .integer(Int(server.port)), "keys": .bool(!ring.isOpen)])
    let words = "listens on \(place(server, address))"
    manager.tell(.ready(words))
    while case let signal = signals.wait(), signal == SIGHUP {
      manager.tell(.reloading)
      service.reloadKeys()
      journal.write(.info, "keys_read")
      service.acceptClock()
      renewCertificate(of: server, service, journal)
      manager.tell(.ready(words))
    }
    manager.tell(.stopping)
    service.drain(server, housekeeping)
    if let error = service.supersession { throw superseded(error) }
  }

  private func service(_ settings: Service.Settings, _ journal: ServiceLog) throws -> Service {
    let (reports, exports) = (try reports(journal), try exports(journal))
    let (shipping, copying) = (try shipping(journal), try copying(journal))
    // Last, as whoever asks for the path is told in words.
    Upgrade.observe { done in
      let copy = Upgrade.snapshotPath(done.path, version: done.from)
      journal.write(
        .info, "schema_upgraded",
        ["from": .integer(done.from), "to": .integer(done.to), "copy": .string(copy)])
    }
    return try Service(
      settings, durability: choice(.durability) ?? .full, window: integer(.window) ?? 16_777_216,
      journal: journal, reports: reports, exports: exports, shipping: shipping, copying: copying)
  }

  /// With 1, not 5: a service manager starts the version that is installed now.
  private func superseded(_ error: StoreError) -> Failure {
    Failure(
      error.code, error.description, why: "another version upgraded it while the service was running",
      hints: ["start the service anew, with that version"], exit: .failed)
  }

  /// What clients are allowed, and how things are kept, as the audit tells it: of what may hold a password nothing.
  private var limitTexts: [(name: String, text: String)] {
    let options: [Option] =
      [
        .listen, .maxBody, .maxInflated, .maxConnections, .perAddress, .queue, .allowOrigin, .durability, .minFree,
        .window, .smallestGroup, .retainRaw, .retainArchive, .retainDrop,
      ] + Option.storage + Option.limits
    return options.compactMap { option in
      settings.setting(option).map { (option.name, $0.texts.joined(separator: ",")) }
    }
  }

  private func serviceSettings(_ keys: KeysFile) throws -> Service.Settings {
    Service.Settings(
      path: keys.path, version: program.version, maxBody: integer(.maxBody) ?? 8 << 20,
      maxInflated: integer(.maxInflated) ?? 64 << 20,
      minFree: keys.warehouse == nil ? integer(.minFree) ?? 64 << 20 : 0,
      reserve: keys.warehouse == nil ? integer(.reserve) ?? 32 << 20 : 0,
      largeLog: integer(.largeLog) ?? 256 << 20, queue: integer(.queue) ?? 200_000,
      limits: RateLimits.Settings(
        perAddress: integer(.ratePerAddress) ?? 1000, perKey: integer(.ratePerKey) ?? 20_000,
        trustedProxies: try trustedProxies(), newDevicesPerKey: integer(.newDevicesPerKey) ?? 60_000),
      questionThreads: integer(.questionThreads) ?? 2,
      questionTimeout: .milliseconds(duration(.questionTimeout)?.rawValue ?? 30_000), clock: host.clock,
      upstream: try Upstream(texts(.upstream), version: program.version), defaults: try judgingTexts(),
      judging: try parameters.judging(),
      origins: try allowedOrigins(), warehouse: keys.warehouse,
      worker: try QuestionWorker.start(database: databasePath(), memory: integer(.questionMemory) ?? 2 << 30),
      choreWorker: choreStart, attest: text(.attest))
  }

  /// Faults in the settings are told now, not to whoever asks first.
  func judgingTexts() throws -> [(option: Option, text: String)] {
    _ = try parameters.judging()
    return Option.objective.compactMap { option in
      settings.setting(option)?.texts.last.map { (option: option, text: $0) }
    }
  }

  private func reports(_ journal: ServiceLog) throws -> ReportKeeper? {
    try checkReports()
    guard let folder = text(.reports) else { return nil }
    return ReportKeeper(
      .init(
        folder: folder, every: reportEvery, newest: integer(.reportNewest) ?? Site.newestReleases,
        pages: text(.pages), judging: try parameters.judging(),
        minCell: integer(.smallestGroup) ?? Site.smallestGroup, database: try databasePath(), version: program.version),
      worker: choreStart, journal: journal, clock: host.clock)
  }

  private func exports(_ journal: ServiceLog) throws -> ExportKeeper? {
    let entries = try exportEntries()
    return entries.isEmpty
      ? nil
      : ExportKeeper(
        entries, database: try databasePath(), worker: choreStart, journal: journal, clock: host.clock)
  }

  /// An address that can be none is told now; one that cannot be reached is no reason not to take events.
  private func copying(_ journal: ServiceLog) throws -> CopyKeeper? {
    guard let address = text(.replicate) else { return nil }
    _ = try copyTarget(address)
    let (path, clock) = (try databasePath(), host.clock)
    return CopyKeeper(
      address: address, journal: journal, clock: clock, abandon: RunningCommand.end
    ) { () throws(StoreError) in
      try Replicator(of: path, to: try copyTarget(address)) { Timestamp(rawValue: clock().rawValue) }
    }
  }

  func allowedOrigins() throws -> AllowedOrigins {
    do { return try AllowedOrigins(texts(.allowOrigin)) } catch {
      throw Failure(
        "bad_origin", "\(quoted(error.text)) \(error.why)", place: "--allow-origin",
        hints: ["write https://app.example.com, capacitor://localhost, or APP=ORIGIN for one app"], exit: .usage)
    }
  }

  /// A socket that the service manager passes goes before settings and the default, but not before `--listen`. It is not for the
  /// processes that this one starts.
  private func listenAddress() throws -> ListenAddress {
    let passed = try ServiceManager(host.environment).socket()
    let isTyped = settings.setting(.listen)?.origin == .flag("--" + Option.listen.name)
    let address = isTyped ? nil : passed
    let chosen = try address ?? ListenAddress(text(.listen) ?? "127.0.0.1:8787")
    if case .inherited(let descriptor) = chosen { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return chosen
  }

  private func listen(
    _ service: Service, _ address: ListenAddress, _ tls: HTTP.Configuration.TLS?
  ) throws -> HTTPServer {
    var configuration = HTTP.Configuration(address: address)
    configuration.threads = integer(.threads) ?? 2
    configuration.maxConnections = integer(.maxConnections)
    configuration.maxConnectionsPerAddress = integer(.perAddress)
    limitTimes(&configuration)
    configuration.tls = tls
    return try service.listen(configuration)
  }

  func tls() throws -> HTTP.Configuration.TLS? {
    switch (text(.tlsCertificate), text(.tlsKey)) {
    case (nil, nil): return nil
    case (let certificate?, let key?):
      let tls = HTTP.Configuration.TLS(certificate: try file(certificate), key: try file(key))
      guard let why = tls.problem else { return tls }
      throw Failure(
        "certificate_unusable", "the certificate in \(certificate) cannot be used with the key in \(key)",
        place: "--tls-cert", why: why,
        hints: ["both files are of one renewal, in PEM: the key is the one that the certificate was made for"])
    default:
      throw Failure(
        "half_tls", "a certificate and its key go together",
        place: text(.tlsKey) == nil ? "--tls-cert" : "--tls-key", hints: ["give both --tls-cert and --tls-key"],
        exit: .usage)
    }
  }

  private func expiry(of tls: HTTP.Configuration.TLS?) -> Timestamp? { tls?.expiry.map(Timestamp.init(seconds:)) }

  /// The one in force stays where the files cannot be used, or hold one that expired while it is valid.
  private func renewCertificate(of server: HTTPServer, _ service: Service, _ journal: ServiceLog) {
    do {
      guard let tls = try tls() else { return }
      let expiry = expiry(of: tls)
      guard service.certificate.admits(expiry, at: Timestamp(rawValue: host.clock().rawValue)) else {
        return journal.write(
          .error, "certificate_refused",
          [
            "expired": expiry.map { .string($0.rfc3339) } ?? .null,
            "effect": .string("the one in force is valid, and stays"),
            "hint": .string("put a valid one into the files, and have them read again"),
          ])
      }
      try server.renew(tls)
      service.certificate.take(expiry)
      journal.write(.info, "certificate_read")
    } catch {
      let reason = (error as? ListenError)?.why ?? (error as? Failure)?.message ?? "\(error)"
      journal.write(.error, "certificate_not_read", ["reason": .string(reason)])
    }
  }

  /// A private key and the secrets of receivers are for their owner, and perhaps a group.
  func openFileWarnings() -> [String] {
    let secrets = exportSecretFiles.map { (path: $0, what: "a receiver's secret") }
    return ((text(.tlsKey).map { [(path: $0, what: "the private key")] } ?? []) + secrets).compactMap { path, what in
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & 0o007 != 0 else { return nil }
      return "\(path) holds \(what), and everybody on this machine may read it: chmod o= -- \(shellWord(path))"
    }
  }

  /// One that is not there may come, once its disk is mounted or the certificate was issued: that is no status 2, after which
  /// a service manager does not try again.
  private func file(_ path: String) throws(Failure) -> String {
    guard let bytes = try host.readFile(path) else {
      throw Failure("file_missing", "there is no file \(path)", hints: ["check the path"])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func announce(_ server: HTTPServer, _ address: ListenAddress, _ keys: KeyRing) throws {
    let database = RemoteDatabases.shown(try databasePath())
    try print("uptake \(program.version) listens on \(place(server, address)), database \(database)\n")
    try note(settingWarnings)
    if keys.isOpen {
      try note([
        "no keys: only this machine may connect, and it may do everything; uptake key create makes the first one"
      ])
    } else if keys.isEmpty {
      try note(["every key is revoked: nobody has access until uptake key create makes a new one"])
    }
  }

  private func place(_ server: HTTPServer, _ address: ListenAddress) -> String {
    address.bound.url(scheme: text(.tlsCertificate) == nil ? "http" : "https", port: server.port)
  }

  private func noKeys(_ address: ListenAddress) -> Failure {
    Failure(
      "no_keys", "listening on \(address) without keys would let anybody write", place: "--listen",
      hints: ["make a key first: uptake key create --app APP --scope ingest", "or listen on 127.0.0.1"], exit: .usage)
  }
}
