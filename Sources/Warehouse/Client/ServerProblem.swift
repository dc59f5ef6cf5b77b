import HTTP
import Store

/// Why a server did not do what it was asked.
struct ServerProblem {
  /// ClickHouse's number of the error; nil where it did not answer, or not as ClickHouse does.
  var code: Int?
  var place: String
  /// The server's words, or the system's.
  var words: String
  /// Its certificate is none that is trusted here, or it speaks no TLS.
  var isUntrusted = false

  init(_ error: OutboundError) {
    (place, words) = (error.place, error.description)
    isUntrusted = error.kind == .untrusted
  }

  /// `Code: 60, e.displayText() = DB::Exception: Table …` of old servers, `Code: 60. DB::Exception: Table …` of new ones.
  init(_ answer: OutboundAnswer, _ host: WebAddress) {
    place = host.authority
    let text = answer.text
    if text.hasPrefix("Code: "), let number = Int(text.dropFirst(6).prefix { $0.isNumber }) {
      code = number
      let said = text.firstRange(of: "Exception: ").map { text[$0.upperBound...] } ?? text[...]
      // Which servers it tried in vain stands on further lines.
      words = String(said.prefix(400).split(separator: "\n").joined(separator: " "))
    } else {
      words = answer.isWhole ? "it answered \(answer.status)" : "its answer is longer than can be taken"
    }
  }

  /// Whether another server may do it.
  var mayBeThatServers: Bool {
    switch code {
    case nil, Code.readOnlyTable, Code.connectionsFailed, Code.network, Code.socketTimeout, Code.noKeeper,
      Code.keeper:
      true
    default: false
    }
  }

  enum Code {
    static let unknownTable = 60
    static let unknownDatabase = 81
    static let timeout = 159
    static let tooManyRows = 158
    static let readOnlyUser = 164
    static let unknownUser = 192
    static let wrongPassword = 193
    static let passwordNeeded = 194
    static let quota = 201
    static let socketTimeout = 209
    static let network = 210
    static let noKeeper = 225
    static let memory = 241
    static let readOnlyTable = 242
    static let noSpace = 243
    static let connectionsFailed = 279
    static let tooManyBytes = 307
    static let behind = 369
    static let denied = 497
    static let authenticationFailed = 516
    static let keeper = 999
  }

  func problem(_ address: WarehouseAddress) -> RemoteProblem {
    func problem(_ kind: RemoteProblem.Kind, _ code: String, _ what: String, _ remedy: Remedy) -> RemoteProblem {
      RemoteProblem(kind, code, "\(address.description): \(what) (\(place): \(words))", remedy)
    }
    switch code {
    case nil: return unanswered(address)
    case Code.unknownUser, Code.wrongPassword, Code.passwordNeeded, Code.authenticationFailed:
      return problem(
        .refused, "warehouse_denied", "the server refuses user \(address.user)",
        "set the password in UPTAKE_WAREHOUSE_PASSWORD, and the user in the address: clickhouse://user@host/database")
    case Code.readOnlyUser, Code.denied:
      return problem(
        .refused, "warehouse_read_only", "user \(address.user) may not do this",
        "questions need a user who may read; init and ship one who may create tables and insert")
    case Code.unknownDatabase, Code.unknownTable:
      return problem(
        .unusable, "warehouse_missing", "there is no warehouse in database \(address.database)",
        "make it: \(command: "warehouse", "init", options: ["db": address.description])")
    case Code.connectionsFailed, Code.network, Code.socketTimeout:
      return problem(
        .unreachable, "warehouse_shard_down", "no server of a shard can be reached; nothing is answered in part",
        "start one of the shard's servers; the words of the server name them")
    case Code.behind:
      return problem(
        .unreachable, "warehouse_behind", "no server of a shard is known to hold all that was shipped",
        """
        ask again when its replicas have caught up, as \(command: "warehouse", "status") shows; without ZooKeeper or Keeper \
        they cannot
        """)
    case Code.readOnlyTable, Code.noKeeper, Code.keeper:
      return problem(
        .unreachable, "warehouse_not_writable",
        "its tables cannot be written now: the server has no connection to its keeper",
        "start ZooKeeper or Keeper; what is to be shipped waits and is not lost")
    case Code.memory:
      return problem(
        .failed, "warehouse_memory", "the server has not enough memory for this",
        "raise max_memory_usage of the user, or ask for less: one release, one channel")
    case Code.quota, Code.tooManyRows, Code.tooManyBytes, Code.timeout:
      return problem(
        .failed, "warehouse_quota", "the question reads more than it may",
        """
        ask for less (one app, one release, fewer weeks), or allow more: with --quota or UPTAKE_QUOTA, or in the quota and \
        profile of the user in ClickHouse
        """)
    case Code.noSpace:
      return problem(
        .failed, "warehouse_full", "the server's disk is full",
        "free some space; what is to be shipped waits and is not lost")
    default:
      return problem(
        .failed, "warehouse_error", "the server reports error \(code ?? 0)", "look at the server's log for this moment")
    }
  }

  private func unanswered(_ address: WarehouseAddress) -> RemoteProblem {
    guard isUntrusted else {
      return RemoteProblem(
        .unreachable, "warehouse_unreachable", "the warehouse \(address.description) does not answer: \(words)",
        "check that the server runs, and that host and port are those of its HTTP interface (8123, with TLS 8443)")
    }
    return RemoteProblem(
      .unreachable, "warehouse_untrusted", "no safe connection to the warehouse \(address.description): \(words)",
      """
      where its certificate comes from an authority of your own, name that one's file (PEM) in UPTAKE_WAREHOUSE_TRUST; \
      the port is that of HTTPS (8443), and the host stands in the certificate
      """)
  }
}
