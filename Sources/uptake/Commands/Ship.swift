internal import Answers
internal import Console
internal import Glibc
internal import Lifecycle
internal import Store
internal import Warehouse

private extension Option {
  static let to = Option(
    "to", .text, value: "URL", help: "The warehouse: clickhouse://user@host:8123/database[,host2…]")
  static let follow = Option("follow", help: "Go on as events come in, until ended")
  static let batch = Option("batch", .integer(1...1_000_000), help: "Events of one batch; default 200,000")
}

extension Command {
  static let ship = Command(
    "ship", group: "OPERATIONS", purpose: "Send events to a warehouse in ClickHouse",
    discussion: """
      Events go in batches, in the order of their arrival. What a batch holds is on disk before it is sent; it is sent \
      again, unchanged, until the warehouse has acknowledged it, so that a crash anywhere loses nothing and counts nothing \
      twice. The file keeps answering questions by itself. uptake serve --ship does this all the time.
      """,
    options: [.database, .to, .follow, .batch],
    examples: [
      .init("Everything that waits", "uptake ship --to clickhouse://uptake@127.0.0.1:8123/uptake"),
      .init("Ask the warehouse", "uptake releases --db clickhouse://uptake@127.0.0.1:8123/uptake"),
    ],
    exits: [.databaseUnusable], seeAlso: ["warehouse", "serve"]
  ) { invocation in
    let client = try invocation.warehouse(.to)
    let limit = invocation.integer(.batch) ?? 200_000
    let shipper = try Shipper(path: try invocation.databasePath(), client, limit: limit) {
      Timestamp(rawValue: Instant.now().rawValue)
    }
    var (events, publications) = (0, 0)
    repeat {
      while case let sent = try shipper.sendBatch(), sent > 0 {
        events += sent
        try invocation.progress("\(events) events shipped, \(shipper.waiting()) wait")
      }
      publications += try shipper.tellState()
      while try shipper.forgetDevices() > 0, !invocation.flag(.follow) { usleep(200_000) }
      if invocation.flag(.follow) { sleep(1) }
    } while invocation.flag(.follow)
    let words = shipped(events, publications).map { "\($0) to \(client.address.description)" }
    try invocation.note([words ?? "nothing waits to be shipped"])
    return .done
  }
}

/// nil for nothing.
private func shipped(_ events: Int, _ publications: Int) -> String? {
  let parts = [(events, "event"), (publications, "publication")].filter { $0.0 > 0 }
  guard !parts.isEmpty else { return nil }
  let isOne = parts.reduce(0) { $0 + $1.0 } == 1
  return "\(parts.map { counted($0.0, $0.1) }.joined(separator: " and ")) \(isOne ? "was" : "were") shipped"
}

extension Invocation {
  /// - Parameter option: that has the address.
  func warehouse(_ option: Option) throws -> WarehouseClient {
    guard let address = text(option) else {
      throw Failure(
        "no_warehouse", "no warehouse is named", place: "--\(option.name)",
        hints: ["name it like clickhouse://uptake@127.0.0.1:8123/uptake"], exit: .usage)
    }
    return try WarehouseClient(at: address)
  }

  /// On a terminal, in one line that is written over.
  fileprivate func progress(_ words: String) throws {
    if host.errors.isTerminal { try host.errors.write(Array("\r\(words)\u{1B}[K".utf8)) }
  }
}

extension WarehouseClient {
  /// With the password and the certificates that the environment names: workers, which ask as well, have the service's.
  init(at address: String, quota: RemoteReading.Limit = .init()) throws(StoreError) {
    func variable(_ name: String) -> String? {
      getenv("UPTAKE_WAREHOUSE_" + name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    self.init(
      try WarehouseAddress(address), password: variable("PASSWORD") ?? "", trustFile: variable("TRUST"), quota: quota)
  }
}
