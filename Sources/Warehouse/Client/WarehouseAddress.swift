public import HTTP
public import Store

/// `clickhouse://user@host:8123/database`, and further hosts of the same cluster behind a comma: `…/database,host2,host3:8124`.
/// `clickhouses://` speaks TLS.
public struct WarehouseAddress: Equatable, Sendable {
  public var hosts: [WebAddress]
  public var user: String
  /// Beats that of the environment.
  public var password: String?
  public var database: String

  public static let schemes = ["clickhouse", "clickhouses"]

  public init(_ text: String) throws(StoreError) {
    guard let found = Self.read(text) else { throw StoreError(Self.unreadable(text), at: RemoteDatabases.shown(text)) }
    self = found
  }

  /// Without the password: for messages, and to tell one warehouse from another.
  public var description: String {
    let scheme = hosts[0].isSecure ? "clickhouses" : "clickhouse"
    let rest = hosts.dropFirst().map { "," + $0.authority }.joined()
    return "\(scheme)://\(user)@\(hosts[0].authority)/\(database)\(rest)"
  }

  private init(hosts: [WebAddress], user: String, password: String?, database: String) {
    (self.hosts, self.user, self.password, self.database) = (hosts, user, password, database)
  }

  private static func read(_ text: String) -> WarehouseAddress? {
    guard let end = text.firstRange(of: "://"), schemes.contains(String(text[..<end.lowerBound])) else { return nil }
    let isSecure = text[..<end.lowerBound] == schemes[1]
    let list = text[end.upperBound...].split(separator: ",", omittingEmptySubsequences: false)
    guard let first = list.first, let slash = first.firstIndex(of: "/") else { return nil }
    let database = String(first[first.index(after: slash)...])
    guard !database.isEmpty, database.utf8.allSatisfy(isNamePart) else { return nil }
    let (credentials, host) = split(first[..<slash])
    let hosts = ([host] + list.dropFirst()).compactMap { address($0, isSecure) }
    guard hosts.count == list.count else { return nil }
    let words = credentials.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return WarehouseAddress(
      hosts: hosts, user: words.first.map(String.init).flatMap { $0.isEmpty ? nil : $0 } ?? "default",
      password: words.count == 2 ? String(words[1]) : nil, database: database)
  }

  private static func split(_ authority: Substring) -> (credentials: Substring, host: Substring) {
    guard let at = authority.lastIndex(of: "@") else { return ("", authority) }
    return (authority[..<at], authority[authority.index(after: at)...])
  }

  private static func address(_ host: Substring, _ isSecure: Bool) -> WebAddress? {
    guard var address = WebAddress((isSecure ? "https://" : "http://") + host), address.path == "/" else { return nil }
    let hasPort = host.last.map { $0.isNumber } == true && host.contains(":") && !host.hasSuffix("]")
    if !hasPort { address.port = isSecure ? 8443 : 8123 }
    return address
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func unreadable(_ text: String) -> RemoteProblem {
    RemoteProblem(
      .unsupported, "bad_warehouse_address", "\"\(RemoteDatabases.shown(text))\" is no address of a warehouse",
      "it has the form clickhouse://user@host:8123/database, with further hosts of the cluster as ,host2,host3")
  }
}
