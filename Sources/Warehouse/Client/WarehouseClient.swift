import Glibc
import HTTP
public import Store
import Synchronization

/// Speaks with ClickHouse over HTTP: a statement a request, the next host where one cannot be reached.
public struct WarehouseClient: Sendable {
  public let address: WarehouseAddress
  private let password: String
  private let trustFile: String?
  /// Statements may be repeated: all that they write are minimums, maximums and sets, or replaces itself.
  private let http: ConnectionPool
  private let quota: RemoteReading.Limit
  private let memory = Memory()
  /// nil for as long as the servers may work on a statement.
  private var limit: Duration?

  /// What was learned of the user, and what is under way.
  private final class Memory: Sendable {
    let mayNotSet = Atomic(false)
    let isCancelled = Atomic(false)
    let running = RunningStatements()
  }

  /// Ends on the servers what they are doing for this client. Who waits for it waits on: the process is about to end.
  public func cancel() {
    memory.isCancelled.store(true, ordering: .relaxed)
    let names = memory.running.names.map { "'\($0)'" }.joined(separator: ", ")
    if names.isEmpty { return }
    // Which host has it nobody remembers; those that know none of them do nothing.
    for host in eachHost { try? host.run("KILL QUERY WHERE query_id IN (\(names)) ASYNC") }
  }

  /// - Parameters:
  ///   - password: used where the address has none.
  ///   - trustFile: certificates to trust; the system's where nil.
  ///   - quota: the most that the servers read for one statement.
  public init(
    _ address: WarehouseAddress, password: String, trustFile: String? = nil, quota: RemoteReading.Limit = .init(),
    timeout: Duration = .seconds(300)
  ) {
    self.address = address
    self.password = address.password ?? password
    self.trustFile = trustFile
    self.quota = quota
    http = ConnectionPool(
      HTTPClient(
        userAgent: "uptake", timeout: timeout, connectTimeout: .seconds(5), maxAnswerBytes: 4 << 30,
        trustFile: trustFile))
  }

  /// The same for each server alone.
  var eachHost: [WarehouseClient] {
    address.hosts.map { host in
      var alone = address
      alone.hosts = [host]
      return WarehouseClient(alone, password: password, trustFile: trustFile, quota: quota)
    }
  }

  /// The same for a statement that any server answers at once: one that accepts and is silent is given up before what takes long is
  /// asked of it.
  var prompt: WarehouseClient {
    var copy = self
    copy.limit = .seconds(30)
    return copy
  }

  /// A table's name as statements say it.
  public func table(_ name: String) -> String { "`\(address.database)`.`\(name)`" }

  /// Runs a statement that returns nothing.
  func run(_ sql: String) throws(StoreError) { _ = try send(sql, settings: []) }

  /// One row of expressions, such as the server's clock.
  func insert(into table: String, values: String) throws(StoreError) {
    let sql = "INSERT INTO \(self.table(table)) VALUES (\(values))"
    _ = try send(sql, settings: ["insert_distributed_sync=1"] + Self.order)
  }

  /// Rows in RowBinary.
  func select(_ sql: String) throws(StoreError) -> RowReader {
    // Without it an error amid the rows would look like rows.
    let limits = [("max_bytes_to_read", quota.bytes), ("max_rows_to_read", quota.rows)]
    let number = memory.running.begin()
    defer { memory.running.end(number) }
    let settings =
      ["wait_end_of_query=1", "query_id=\(number)"] + limits.compactMap { name, most in most.map { "\(name)=\($0)" } }
    return RowReader(
      try send(Array((sql + " FORMAT RowBinary").utf8), settings: settings, wishes: Self.order + Self.whole, []),
      address.description)
  }

  /// Who asks after an insert asks the replica that took it, as long as it runs.
  private static let order = ["load_balancing=in_order", "prefer_localhost_replica=0"]
  /// A replica that was away lacks what came meanwhile: an error is better than an answer in part. In seconds.
  private static let whole = [
    "max_replica_delay_for_distributed_queries=10", "fallback_to_stale_replicas_for_distributed_queries=0",
  ]

  /// All rows or none are there when this returns. They go compressed: of a plain body that breaks off, old servers keep
  /// the rows that came.
  func insert(into table: String, _ rows: [UInt8]) throws(StoreError) {
    try insert(into: table, packed: gzip(rows, .fast), as: "RowBinary")
  }

  /// - Parameters:
  ///   - packed: rows of a format as a gzip file.
  ///   - isRepeat: the same rows were there and were deleted; a server leaves out a block that it took lately, unless told.
  func insert(
    into table: String, packed: [UInt8], as format: String, isRepeat: Bool = false
  ) throws(StoreError) {
    let sql = "INSERT INTO \(self.table(table)) FORMAT \(format)"
    let settings = ["insert_distributed_sync=1"] + (isRepeat ? ["insert_deduplicate=0"] : [])
    _ = try send(
      packed, settings: settings + ["query=" + Self.encoded(sql)] + Self.order, wishes: [],
      [("Content-Encoding", "gzip")])
  }

  private func send(_ sql: String, settings: [String]) throws(StoreError) -> [UInt8] {
    try send(Array(sql.utf8), settings: settings, wishes: [], [])
  }

  /// - Parameter wishes: settings that are left out where the user may set nothing (`readonly = 1`).
  private func send(
    _ body: [UInt8], settings: [String], wishes: [String], _ headers: [(name: String, value: String)]
  ) throws(StoreError) -> [UInt8] {
    let mayWish = !wishes.isEmpty && !memory.mayNotSet.load(ordering: .relaxed)
    do throws(Unanswered) {
      return try send(body, mayWish ? settings + wishes : settings, headers)
    } catch {
      guard mayWish, error.worst.code == ServerProblem.Code.readOnlyUser else {
        throw StoreError(error.worst.problem(address), at: address.description)
      }
      memory.mayNotSet.store(true, ordering: .relaxed)
    }
    return try send(body, settings: settings, wishes: [], headers)
  }

  private struct Unanswered: Error { var worst: ServerProblem }

  private func send(
    _ body: [UInt8], _ settings: [String], _ headers: [(name: String, value: String)]
  ) throws(Unanswered) -> [UInt8] {
    let credentials = [("X-ClickHouse-User", address.user), ("X-ClickHouse-Key", password)]
    var problems: [ServerProblem] = []
    for host in address.hosts {
      var place = host
      place.path = "/" + (settings.isEmpty ? "" : "?" + settings.joined(separator: "&"))
      do throws(OutboundError) {
        let request = OutboundRequest("POST", place, headers: headers + credentials, body: body)
        let answer = try http.send(request, within: limit)
        if answer.status == 200, answer.isWhole { return answer.body }
        while memory.isCancelled.load(ordering: .relaxed) { sleep(1) }
        problems.append(ServerProblem(answer, host))
      } catch { problems.append(ServerProblem(error)) }
      guard problems.last?.mayBeThatServers == true else { break }
    }
    // What a server said tells more than that another was silent.
    let worst = problems.last { $0.code != nil } ?? problems[problems.count - 1]
    throw Unanswered(worst: worst)
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }.joined()
  }
}
