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
      code = text.contains(Self.fullDisk) ? Code.noSpace : number
      let said = text.firstRange(of: "Exception: ").map { text[$0.upperBound...] } ?? text[...]
      // Which servers it tried in vain stands on further lines.
      words = String(said.prefix(400).split(separator: "\n").joined(separator: " "))
    } else {
      words = answer.isWhole ? "it answered \(answer.status)" : "its answer is longer than can be taken"
    }
  }

  /// Whatever could not be written then, an answer to a question too.
  private static let fullDisk = "errno: 28,"

  /// Whether another server may do it.
  var mayBeThatServers: Bool {
    switch code {
    case nil, Code.readOnlyTable, Code.connectionsFailed, Code.network, Code.socketTimeout, Code.noKeeper,
      Code.keeper:
      true
    default: false
    }
  }

  /// Whether it waited in vain for other servers to do what is done on the whole cluster: the same number as of a question that takes
  /// too long.
  private var isUnfinished: Bool { code == Code.timeout && words.contains("distributed_ddl_task_timeout") }

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
    guard let code else { return unanswered(address) }
    let meaning = isUnfinished ? Meaning.unfinished : Meaning.of(code)
    return RemoteProblem(
      meaning.kind, meaning.name, "\(address.description): \(meaning.what(address)) (\(place): \(words))",
      meaning.remedy(address))
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
