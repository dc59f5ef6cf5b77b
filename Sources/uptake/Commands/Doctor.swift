internal import Answers
internal import Console
internal import Glibc
internal import HTTP
internal import Lifecycle
internal import Report
internal import Store

private extension Option {
  static let full = Option("full", help: "Read every index and fold every shard anew")
  static let salvage = Option(
    "salvage", .path, value: "OUT", completion: "files", help: "Write what can be read of a damaged file into a new one"
  )
  /// As `serve` has it.
  static let leastFree = Option(
    "min-free", .size, fallback: "64MiB", key: "min-free", help: "Below this much free space a service refuses events")
  static let renewChecksums = Option(
    "renew-checksums", help: "Take the file as it is, after another program wrote into it")
}

extension Command {
  static let doctor = Command(
    "doctor", group: "OPERATIONS", purpose: "Check the database and suggest fixes",
    discussion: """
      Changes nothing. Exit status 1 where a check fails. A damaged file is refused everywhere else, and never deleted: \
      restore a backup, or take what can be read with --salvage, which leaves the file as it is. Every page has a checksum, \
      which other programs do not write: once one changed the file on purpose, --renew-checksums takes it as it is, unless \
      SQLite finds a fault in it.
      """,
    options: [.database, .full, .salvage, .renewChecksums, .listen, .leastFree, .now] + Option.answer,
    examples: [
      .init("Every day", "uptake doctor --db /var/lib/uptake/uptake.db"),
      .init("A damaged file", "uptake doctor --db damaged.db --salvage salvaged.db"),
    ],
    exits: [.databaseUnusable], seeAlso: ["backup", "restore", "upgrade"]
  ) { invocation in
    let path = try invocation.databasePath()
    if RemoteDatabases.isAddress(path) { throw StoreError(.noFile, path: path) }
    guard access(path, F_OK) == 0 else { throw StoreError(.missingFile, path: path) }
    if let target = invocation.text(.salvage) { return try invocation.salvage(path, into: target) }
    if invocation.flag(.renewChecksums) {
      try ChecksumRenewal.run(path)
      try invocation.note(["\(path): the checksums of all pages were written anew"])
      return .done
    }
    var examination = Examination(path: path, now: invocation.instant, isFull: invocation.flag(.full))
    if let least = invocation.integer(.leastFree) { examination.leastFree = least }
    var findings = invocation.ticking("checking") {
      examination.findings().map { $0.callingReceivers.agreeing(path, until: invocation.instant) }
    }
    findings.append(try invocation.service(path))
    if let certificate = invocation.certificate() { findings.append(certificate) }
    try invocation.show(presentation(findings))
    return findings.contains { $0.verdict == .fail } ? .failed : .done
  }
}

extension Invocation {
  /// Whether the service that has the database open answers.
  fileprivate func service(_ path: String) throws -> Finding {
    let processes = FileUsers.of(path)
    guard !processes.isEmpty else { return Finding("service", .ok, "no other process has the database open") }
    let address = try ListenAddress(text(.listen) ?? "127.0.0.1:8787")
    if case .inherited = address {
      return Finding("service", .ok, "listens on \(address), which is not asked from here")
    }
    guard let answer = readiness(at: address) else {
      return Finding(
        "service", .warn,
        "\(FileUsers.words(processes)) has it open, nobody answers on \(address)",
        fix: "if a service is meant to run, name where with --listen, and look into its log")
    }
    if answer.status == 200 { return Finding("service", .ok, "answers on \(address) and takes events") }
    let error = JSON(parsing: answer.text)?.fields["error"]?.fields ?? [:]
    let code = error["code"]?.word.map { " \(harmless($0))" } ?? ""
    return Finding(
      "service", .warn, "answers on \(address) but takes no events (\(answer.status)\(code))", fix: "look into its log")
  }

  /// With TLS where settings say so, else also with it: options of the service are not known here.
  private func readiness(at address: ListenAddress) -> OutboundAnswer? {
    let schemes = settings.setting(.tlsCertificate) == nil ? ["http", "https"] : ["https", "http"]
    var client = HTTPClient(userAgent: "\(program.name)/\(program.version)", timeout: .seconds(10))
    client.verifies = false
    let place: String
    switch address {
    case .ipv4(let host, let port): place = "\(host == "0.0.0.0" ? "127.0.0.1" : host):\(port)"
    case .ipv6(let host, let port): place = "[\(host == "::" ? "::1" : host)]:\(port)"
    case .unix(let path):
      place = "localhost"
      client.socketPath = path
    case .inherited: return nil
    }
    for scheme in schemes {
      guard let ready = WebAddress("\(scheme)://\(place)/readyz") else { continue }
      if let answer = try? client.send(OutboundRequest("GET", ready)) { return answer }
    }
    return nil
  }

  /// How long the certificate of the settings is valid; nil where they name none.
  fileprivate func certificate() -> Finding? {
    guard let path = settings.setting(.tlsCertificate)?.texts.last else { return nil }
    let fix: Remedy = "renew it, then systemctl reload has a running service read it (SIGHUP)"
    let key = settings.setting(.tlsKey)?.texts.last.flatMap { try? host.readFile($0) }
    guard let bytes = try? host.readFile(path),
      case let tls = HTTP.Configuration.TLS(
        certificate: String(decoding: bytes, as: UTF8.self), key: String(decoding: key ?? [], as: UTF8.self)),
      let expiry = tls.expiry
    else {
      return Finding(
        "certificate", .fail, "\(path) cannot be read, or holds none", fix: "check the path, and who may read it")
    }
    // The next start of a service would end, and until then the one in force stays.
    if key != nil, let why = tls.problem {
      return Finding("certificate", .fail, "\(path) cannot be used with its key: \(why)", fix: fix)
    }
    let end = Timestamp(seconds: expiry)
    if end <= instant { return Finding("certificate", .fail, "it expired at \(end.rfc3339)", fix: fix) }
    let words = "valid until \(end.rfc3339)"
    return end - instant <= .days(14)
      ? Finding("certificate", .warn, words, fix: fix) : Finding("certificate", .ok, words)
  }

  fileprivate func salvage(_ path: String, into target: String) throws -> ExitCode {
    let salvaged = try Salvage.run(path, into: target)
    let rows = salvaged.tables.map { [Cell.text($0.name), .count($0.rows)] }
    let document: JSON = [
      "schema": "uptake.salvage/1",
      "data": .array(salvaged.tables.map { ["table": .string($0.name), "rows": .integer($0.rows)] }),
    ]
    try show(
      Presentation(
        table: Table([.init("TABLE", key: "table"), .init("ROWS", key: "rows")], rows: rows), document: document,
        notes: salvaged.notes))
    return .done
  }
}

extension Finding {
  /// With the options that an export to a place needs, which it is known by.
  fileprivate var callingReceivers: Finding {
    var finding = self
    finding.fix?.parts = (fix?.parts ?? []).map { part in
      guard case .command(var command) = part, command.words == ["export"], let place = command.arguments.first,
        let call = ExportCall(identity: place)
      else { return part }
      command.arguments = [call.argument]
      command.options = call.options.map { .init(name: $0.name, value: $0.value) } + command.options
      return .command(command)
    }
    return finding
  }
}

private func presentation(_ findings: [Finding]) -> Presentation {
  let columns: [Table.Column] = [
    .init("CHECK", key: "check"), .init("", key: "verdict"), .init("FOUND", key: "found").wrapping,
    .init("FIX", key: "fix").below,
  ]
  let rows: [[Cell]] = findings.map {
    [.text($0.check), .text($0.verdict.rawValue), .text($0.found), .text($0.fix?.words ?? "")]
  }
  let data: [JSON] = findings.map {
    [
      "check": .string($0.check), "verdict": .string($0.verdict.rawValue), "found": .string($0.found),
      "fix": ($0.fix?.words).map(JSON.string) ?? .null,
    ]
  }
  return Presentation(
    table: Table(columns, rows: rows), document: ["schema": "uptake.doctor/1", "data": .array(data)])
}
