public import Console
internal import Dispatch
internal import HTTP
internal import Ingest
internal import Lifecycle
internal import Locks
internal import Store

/// The update servers behind this service: questions and reports of clients that know a single address are passed on to them.
///
/// Waiting is done on threads of their own, a few at a time. Whatever goes wrong there, the client gets its protocol's "no
/// update": it asks again at its next launch, as it always does.
public final class Upstream: Sendable {
  private let servers: [String: WebAddress]
  private let client: HTTPClient
  /// A thread each, so that one that waits holds up no other.
  private let lines = (0..<limit).map { DispatchQueue(label: "uptake.upstream.\($0)") }
  private let free = Lock(Array(0..<limit))
  private let breakers = Lock<[String: Breaker]>([:])
  /// Questions that wait for an update server at once; more are answered without it.
  private static let limit = 32
  /// What of a client's headers the update server gets to see.
  static let passedOn = [
    "accept", "content-type", "user-agent", "x-codepush-sdk-version", "x-codepush-plugin-name",
    "x-codepush-plugin-version", "hot-updater-sdk-version", "x-api-key", "authorization", "x-app-token",
    "x-sdk-pin-access-token", "uid",
  ]
  /// Reports that wait for a moment in which their server takes them; more are left to the client.
  private let waiting = Lock(0)

  init(_ servers: [String: WebAddress], version: String) {
    self.servers = servers
    client = HTTPClient(userAgent: "uptake/\(version)", timeout: .seconds(5), maxAnswerBytes: 1 << 20)
  }

  func has(_ dialect: Dialect) -> Bool { dialect.isCheck && servers[dialect.name] != nil }
  func takesReports(of dialect: Dialect) -> Bool { !dialect.isCheck && servers[dialect.name] != nil }

  /// Calls `then` with the answer, from another thread; with a reason where there is none.
  func ask(
    _ dialect: Dialect, _ request: Request, body: [UInt8],
    _ then: @escaping @Sendable (Result<OutboundAnswer, UpstreamProblem>) -> Void
  ) {
    let name = dialect.name
    guard let server = servers[name] else { return then(.failure(.none)) }
    guard let place = Self.place(of: request.target) else { return then(.failure(.path)) }
    guard let line = free.withLock({ $0.popLast() }) else { return then(.failure(.crowded)) }
    guard breakers.withLock({ $0[name, default: Breaker()].mayAsk(.now) }) else {
      free.withLock { $0.append(line) }
      return then(.failure(.resting))
    }
    let headers = Self.passedOn.compactMap { name in
      request.headers[name].flatMap { $0.contains(AccessKey.prefix) ? nil : (name: name, value: $0) }
    }
    // Nothing could be passed on of an answer to HEAD, and it may count as one that broke.
    let method = request.method == "HEAD" ? "GET" : request.method
    lines[line].async { [self] in
      defer { free.withLock { $0.append(line) } }
      do throws(OutboundError) {
        let answer = try client.send(OutboundRequest(method, server.appending(place), headers: headers, body: body))
        note(name, isUp: answer.status < 500)
        guard (dialect.isCheck ? 200..<201 : 200..<300).contains(answer.status), answer.isWhole else {
          return then(.failure(.status(answer.status)))
        }
        then(.success(answer))
      } catch {
        note(name, isUp: error.kind == .redirected)
        then(.failure(error.kind == .redirected ? .redirected : .unreachable(error.description)))
      }
    }
  }
}

extension Upstream {
  /// Passes a report on that is stored here: up to three times, where its server cannot be reached or fails.
  ///
  /// Nobody waits for it. Calls `gaveUp` with the reason where it never arrived.
  func report(
    _ dialect: Dialect, _ request: Request, body: [UInt8], attempt: Int = 0,
    _ gaveUp: @escaping @Sendable (UpstreamProblem) -> Void
  ) {
    ask(dialect, request, body: body) { [self] result in
      guard case .failure(let problem) = result else { return }
      guard problem.mayPass, attempt < Self.pauses.count, enters() else { return gaveUp(problem) }
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.pauses[attempt]) { [self] in
        waiting.withLock { $0 -= 1 }
        report(dialect, request, body: body, attempt: attempt + 1, gaveUp)
      }
    }
  }

  /// Seconds before the second attempt, and before the third: longer than a server is left alone.
  private static let pauses = [1.0, 7.0]
  private static let waitingLimit = 1000

  private func enters() -> Bool {
    waiting.withLock { count in
      if count < Self.waitingLimit { count += 1 } else { return false }
      return true
    }
  }

  /// A server that refuses a question is up.
  private func note(_ name: String, isUp: Bool) {
    breakers.withLock { breakers in
      if isUp { breakers[name]?.succeeded() } else { breakers[name]?.failed(.now) }
    }
  }

  /// By dialect, whether its update server is left alone.
  var resting: [(name: String, isResting: Bool)] {
    let breakers = breakers.withLock { $0 }
    return servers.keys.sorted().map { ($0, breakers[$0]?.isOpen ?? false) }
  }
}

extension Upstream {
  /// Path and query as a request line may carry them, without what is said to this service alone.
  ///
  /// nil where a part of the path could become several, or another one, at a server that reads it otherwise: it trusts
  /// this service's address, and whoever asks here has proved nothing.
  private static func place(of target: Target) -> String? {
    let segments = target.segments
    guard segments.dropLast().allSatisfy({ !$0.isEmpty }), segments.allSatisfy(isOneSegment) else { return nil }
    let query = target.rawQuery.split(separator: "&").filter { !isOwnKey($0) }.map(oneWord).joined(separator: "&")
    return "/" + segments.map(percentEncoded).joined(separator: "/") + (query.isEmpty ? "" : "?" + query)
  }

  /// A slash that was not sent as one, its like on other systems, and escapes that some servers undo a second time.
  private static func isOneSegment(_ segment: String) -> Bool {
    !segment.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "%") }
  }

  /// What would end the place in a request line, or be no part of one, as an escape.
  private static func oneWord(_ item: Substring) -> String {
    item.utf8.map { (0x21..<0x7F).contains($0) ? String(UnicodeScalar($0)) : percentEscape($0) }.joined()
  }

  private static func isOwnKey(_ item: Substring) -> Bool {
    guard let decoded = Target("/?" + item)?.queryItems.first else { return false }
    return decoded.name == "key" && decoded.value.hasPrefix(AccessKey.prefix)
  }
}

extension Upstream {
  /// - Parameter words: `URL` for every dialect that asks, or `DIALECT=URL`.
  public convenience init?(_ words: [String], version: String) throws(Failure) {
    let asking = Dialect.routes.filter(\.dialect.isCheck).map(\.dialect.name)
    let reporting = asking + ["capgo"]
    var servers: [String: WebAddress] = [:]
    for word in words {
      let name = word.prefix { $0 != "=" && $0 != ":" && $0 != "/" }
      let isNamed = word.dropFirst(name.count).hasPrefix("=")
      let address = WebAddress(isNamed ? String(word.dropFirst(name.count + 1)) : word)
      guard let address, !isNamed || reporting.contains(String(name)) else {
        throw Failure(
          "bad_upstream", "\(quoted(RemoteDatabases.shown(word))) is no update server", place: "--upstream",
          hints: [
            "write https://updates.example.com, or codepush=https://… for one kind of client: "
              + reporting.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", ")
          ], exit: .usage)
      }
      for dialect in isNamed ? [String(name)] : asking { servers[dialect] = address }
    }
    if servers.isEmpty { return nil }
    self.init(servers, version: version)
  }
}

/// Why an update server's answer, or a report to it, is not passed on.
enum UpstreamProblem: Error {
  case none, crowded
  /// The path could mean another one there.
  case path
  /// It failed several times in a row, and was not asked.
  case resting
  case status(Int)
  /// It answered with another address, which is not followed.
  case redirected
  case unreachable(String)

  /// Whether it may be otherwise in a moment.
  var mayPass: Bool {
    switch self {
    case .crowded, .resting, .unreachable: true
    case .status(let status): status >= 500 || status == 429
    case .none, .path, .redirected: false
    }
  }

  /// For the log; nil where the update server has no part in it, or was asked a moment before.
  var words: String? {
    switch self {
    case .none, .crowded, .path, .resting: nil
    case .status(200): "the update server's answer is longer than 1 MiB, or broke off"
    case .status(let status): "the update server answers with status \(status)"
    case .redirected: "the update server answers with another address, which is not followed"
    case .unreachable(let problem): problem
    }
  }

  /// As metrics count it.
  var reason: String {
    switch self {
    case .none: "upstream_none"
    case .crowded: "upstream_crowded"
    case .resting: "upstream_resting"
    case .path: "upstream_path"
    case .status, .redirected: "upstream_status"
    case .unreachable: "upstream_unreachable"
    }
  }
}
