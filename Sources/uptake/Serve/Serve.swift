internal import Answers
internal import Console
internal import Glibc
internal import HTTP
internal import Ingest
internal import Lifecycle
internal import Report
internal import Server
internal import Store
internal import Synchronization

extension Option {
  static let listen = Option(
    "listen", .text, value: "ADDRESS", fallback: "127.0.0.1:8787", environment: "UPTAKE_LISTEN", key: "listen",
    help: "Where the service listens: 127.0.0.1:8787, [::1]:8787, unix:/run/uptake/uptake.sock, fd:3")
}

extension Option {
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
    "max-connections", .integer(1...1_000_000), key: "max-connections",
    help: "The most connections at once; without it as many as there are file descriptors for")
  static let perAddress = Option(
    "max-connections-per-address", .integer(1...1_000_000), fallback: "4096", key: "max-connections-per-address",
    help: "The most connections of one address")
  static let upstream = Option(
    "upstream", .text, value: "URL|DIALECT=URL", arity: .list, key: "upstream",
    help:
      "Pass checks and reports on to this update server, for clients that know one address only; of all dialects, or of one"
  )
  static let allowOrigin = Option(
    "allow-origin", .text, value: "ORIGIN|APP=ORIGIN", arity: .list, key: "allow-origin",
    help: "Let pages and web views of this origin send events: https://app.example.com, capacitor://localhost")
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
  static let ship = Option(
    "ship", .text, value: "URL", key: "ship",
    help: "Send events on to this warehouse: clickhouse://user@host:8123/database[,host2…]")
  static let replicate = Option(
    "replicate", .text, value: "DIR|s3://BUCKET/PREFIX|exec:COMMAND", key: "replicate",
    help: "Keep a second copy of the database there, as uptake replicate does")
  static let attest = Option(
    "attest", .text, value: "COMMAND", key: "attest",
    help: "Have this command verify attestation tokens of devices, a line of JSON each; it is kept running")
  static let acknowledgement = Option(
    "ack", .choice(["stored", "shipped"]), fallback: "stored", key: "ack",
    help: "stored: events are answered once they are on disk; shipped: once the warehouse has them, too")
  static let acknowledgementWait = Option(
    "ack-wait", .duration, fallback: "10s", key: "ack-wait",
    help: "With --ack shipped: the longest that a request waits; then it is refused and may be sent again")
  static let reports = Option(
    "reports", .text, value: "DIR", key: "reports", completion: "files",
    help: "Write pages there, a folder per app, and serve them at /")
  static let reportEvery = Option(
    "report-every", .duration, fallback: "5m", key: "report-every", help: "How often pages are made anew")
  static let reportNewest = Option(
    "report-newest", .integer(0...1_000_000), fallback: "\(Site.newestReleases)", key: "report-newest",
    help: "Pages of the newest N releases, of each channel's newest three, and of what 1% of devices run; 0: of all")
}

extension Command {
  static let serve = Command(
    "serve", group: "SERVICE", purpose: "Accept events over HTTP and answer questions",
    discussion: """
      Creates the database where there is none. An event is answered once it is on disk. Until the first \
      key is made only this machine may connect, and it may do everything: make keys with uptake key create before \
      listening elsewhere. From then on nobody has access without a valid key, also when all are revoked. SIGTERM answers what is under way and \
      ends; SIGHUP reads the keys and the certificate again.

      With the address of a warehouse as --db it answers questions and serves pages of that, and stores nothing: any number of \
      such services may stand beside each other. Their keys come from --keys.
      """,
    options: [
      .database, .keys, .listen, .tlsCertificate, .tlsKey, .threads, .maxBody, .maxInflated, .maxConnections,
      .perAddress, .queue, .upstream, .allowOrigin,
      .durability, .minFree, .window, .ship, .acknowledgement, .acknowledgementWait, .replicate, .attest,
      .reports, .reportEvery, .reportNewest, .pages, .smallestGroup,
      .retainRaw, .retainShipped, .retainArchive, .retainDrop,
    ] + Option.storage + Option.limits + Option.objective,
    examples: [
      .init("On this machine", "uptake serve --db uptake.db"),
      .init("With pages at http://127.0.0.1:8787/", "uptake serve --db uptake.db --reports site"),
      .init(
        "For the world, with TLS",
        "uptake serve --db /var/lib/uptake/uptake.db --listen 0.0.0.0:443 --tls-cert chain.pem --tls-key key.pem"),
      .init(
        "Answers of a warehouse",
        "uptake serve --db clickhouse://reader@ch1:8123/uptake --keys keys.db --listen 0.0.0.0:8787"),
    ],
    exits: [.databaseUnusable], seeAlso: ["key", "import", "replicate", "ship", "help environment"]
  ) { invocation in
    try untilTriedAgain { try invocation.serve() }
    return .done
  }
}

/// A lock, a file system that cannot be written and one that is full get better by themselves: then a service ends with 1,
/// which service managers try again, and not with 5, which they take for the end.
private func untilTriedAgain(_ serve: () throws -> Void) throws {
  do { try serve() } catch let error as StoreError where error.passes {
    throw Failure(
      error.code, error.description, hints: [error.hint.words, "a service manager may start it again until then"],
      exit: .failed)
  }
}

extension StoreError {
  fileprivate var passes: Bool {
    if case .noRoomForSnapshot = kind { return true }
    return kind == .locked || kind == .readOnly
  }
}
