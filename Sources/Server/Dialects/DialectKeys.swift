internal import HTTP
internal import Ingest
internal import Store

/// Who may send what another system's clients send. Each function answers nil where no key was ever made, or where a
/// later one can tell; the less of a request is read for strangers, the less they cost.
extension Service {
  /// Decides on a request before its body is read.
  func admit(_ dialect: Dialect, _ route: Route, _ call: Call) -> Admission {
    let request = ForeignRequest(call)
    var call = call
    do throws(DialectProblem) {
      // Whatever is wrong between the client and us, its update server may know better: it gets the body to see.
      if upstream(of: dialect) == nil {
        let key = try key(of: dialect, request, call.request)
        if let excess = limits.excess(ofKey: key?.id) { throw excess.problem }
        call.proof = Call.Proof(key: key)
      }
    } catch {
      noteRefused(dialect, error)
      return .refuse(Response(dialect.answer(request, nil, .refused(error))))
    }
    let limit = route.takesBody ? settings.maxBody : 0
    let tooLarge: @Sendable () -> Response = {
      let problem = DialectProblem(.tooLarge, "the body is larger than \(limit) bytes")
      return Response(dialect.answer(request, nil, .refused(problem)))
    }
    let isStranger = call.proof?.key == nil && !keys.isOpen
    return .body(
      limit: limit, tooLarge: tooLarge, handler: handler(of: route, call),
      allowance: route.takesBody ? allowance(call.request, isStranger: isStranger) : nil)
  }

  /// Too many from one address, whoever they say they are: no key is looked at for them.
  func tooMany(_ request: HTTP.Request, _ finding: RouteTable.Finding, _ excess: Excess) -> Response {
    guard case .route(let route, let parameters) = finding, let dialect = route.dialect else { return excess.response }
    metrics.dropped.add(1, dialect.name, excess.problem.reason)
    let call = Call(request: request, parameters: parameters)
    return Response(dialect.answer(ForeignRequest(call), nil, .refused(excess.problem)))
  }

  /// By what is said beside the body.
  func key(of dialect: Dialect, _ request: ForeignRequest, _ whole: HTTP.Request) throws(DialectProblem) -> AccessKey? {
    let own = presentedKey(whole.headers) ?? whole.target.query("key")
    if let own, let found = keys.find(own) { return try allowed(found) }
    switch dialect.proof {
    case .inside: return nil
    case .beside(let credential):
      return try key(credential(request), of: dialect, isKnown: own != nil)
    case .besideOrFirstLine(let credential, _):
      return try credential(request).flatMap { presented throws(DialectProblem) in try key(presented, of: dialect) }
    }
  }

  /// By the first line of the body, for the dialect whose clients may put it there. No more than it is inflated.
  func key(inFirstLineOf request: HTTP.Request, of dialect: Dialect) throws(DialectProblem) -> AccessKey? {
    guard case .besideOrFirstLine(_, let credential) = dialect.proof, !keys.isOpen else { return nil }
    let start = try inflated(request, limit: settings.maxInflated, enough: Self.longestFirstLine)
    return try key(credential(start.prefix { $0 != UInt8(ascii: "\n") }), of: dialect)
  }

  private static let longestFirstLine = 64 << 10

  /// By what the body as a whole said.
  func key(in heard: ParsedRequest, of dialect: Dialect) throws(DialectProblem) -> AccessKey? {
    guard case .inside = dialect.proof else { return nil }
    return try key(heard.credential, of: dialect)
  }

  /// - Parameter isKnown: whether something was presented, if not this.
  private func key(
    _ credential: String?, of dialect: Dialect, isKnown: Bool = false
  ) throws(DialectProblem) -> AccessKey? {
    let keys = keys
    guard !keys.isOpen else { return nil }
    guard let credential else {
      throw isKnown
        ? DialectProblem(.wrongKey, "the key is unknown or was revoked; uptake key create makes one")
        : DialectProblem(.noKey, "a key is needed; \(dialect.name) clients present theirs as docs/clients says")
    }
    guard let found = keys.find(credential, of: dialect.name) else {
      throw DialectProblem(
        .wrongKey, "the credential is unknown; uptake key create --for \(dialect.name):CREDENTIAL registers it")
    }
    return try allowed(found)
  }

  private func allowed(_ key: AccessKey) throws(DialectProblem) -> AccessKey {
    guard key.scope.allows(.ingest) else {
      throw DialectProblem(.wrongScope, "a key with scope \(key.scope.rawValue) may not send events")
    }
    keyUses.note(key.id, at: now)
    return key
  }
}
