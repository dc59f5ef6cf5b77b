internal import HTTP
internal import Ingest
internal import Lifecycle
internal import Store

/// A request of another system's client: understood, checked like any event, answered after the commit, in its protocol.
func hear(_ dialect: Dialect, _ service: Service, _ call: Call, _ responder: Responder) {
  var request = ForeignRequest(call)
  var heard: Heard?
  let upstream = service.settings.upstream.flatMap { $0.has(dialect) ? $0 : nil }
  do throws(DialectProblem) {
    if let refusal = service.refusal { throw DialectProblem(.busy(seconds: 2), refusal.message) }
    request.body = try inflated(call.request, limit: service.settings.maxInflated)
    var understood = try dialect.hear(request)
    let key = try service.key(for: understood, of: dialect, call.request)
    understood.complete(request, keyApp: key?.app, keyChannel: key?.channel) { app, device in
      service.channels.channel(of: service.log.identityKeys.device(app: app, id: device))
    }
    heard = understood
    service.store(understood, dialect) { [request, understood] verdict in
      guard let upstream else { return responder.respond(Response(dialect.answer(request, understood, verdict))) }
      service.pass(call.request, request, understood, dialect, to: upstream, responder)
    }
  } catch {
    service.metrics.dropped.add(1, dialect.name, error.reason)
    // Whatever is wrong between the client and us, its update server may know better.
    if let upstream { return service.pass(call.request, request, heard, dialect, to: upstream, responder) }
    responder.respond(Response(dialect.answer(request, heard, .refused(error))))
  }
}

extension Service {
  /// Answers a client's question with what its update server says; with "no update" where that says nothing.
  fileprivate func pass(
    _ whole: HTTP.Request, _ request: ForeignRequest, _ heard: Heard?, _ dialect: Dialect, to upstream: Upstream,
    _ responder: Responder
  ) {
    upstream.ask(dialect, whole, body: request.body) { [self] result in
      switch result {
      case .success(let answer):
        if let offer = heard?.offer(dialect.offer(request, answer.body)) { store(offer, dialect) { _ in } }
        responder.respond(
          Response(headers: [("Content-Type", answer["content-type"] ?? "application/json")], body: answer.body))
      case .failure(let problem):
        metrics.dropped.add(1, dialect.name, problem.reason)
        let nothing = Verdict.stored(Decoded(batch: EventBatch()), Admitted(accepted: 0, duplicate: 0))
        responder.respond(Response(dialect.answer(request, heard, nothing)))
      }
    }
  }
}

extension Service {
  /// The key that lets the request in; nil where no keys are in use.
  fileprivate func key(
    for heard: Heard, of dialect: Dialect, _ request: HTTP.Request
  ) throws(DialectProblem) -> AccessKey? {
    let keys = keys
    guard !keys.isEmpty else { return nil }
    let own = presentedKey(request.headers) ?? request.target.query("key")
    let found = own.flatMap { keys.find($0) } ?? heard.credential.flatMap { keys.find($0, of: dialect.name) }
    guard let found else {
      guard own != nil || heard.credential != nil else {
        throw DialectProblem(.noKey, "a key is needed; \(dialect.name) clients present theirs as docs/clients says")
      }
      throw DialectProblem(
        .wrongKey, "the credential is unknown; uptake key create --for \(dialect.name):CREDENTIAL registers it")
    }
    guard found.scope.allows(.ingest) else {
      throw DialectProblem(.wrongScope, "a key with scope \(found.scope.rawValue) may not send events")
    }
    return found
  }

  fileprivate func store(_ heard: Heard, _ dialect: Dialect, _ answer: @escaping @Sendable (Verdict) -> Void) {
    let decoded = decoders.withDecoder {
      $0.decode(heard.drafts, .request(app: nil, received: now, sentAt: heard.sentAt))
    }
    if heard.channels == .remembered { remember(decoded.batch) }
    metrics.observe(decoded)
    for (reason, count) in heard.dropped { metrics.dropped.add(count, dialect.name, reason) }
    for code in RejectionCode.allCases { metrics.dropped.add(decoded.rejected[code], dialect.name, code.rawValue) }
    guard !decoded.batch.events.isEmpty else {
      return answer(.stored(decoded, Admitted(accepted: 0, duplicate: 0)))
    }
    intake.submit(decoded.batch) { [self] result in
      switch result {
      case .success(let admitted): answer(.stored(decoded, admitted))
      case .failure(let refusal):
        let (_, message) = refused(refusal, decoded.batch.events.count)
        answer(.refused(DialectProblem(.busy(seconds: 2), message)))
      }
    }
  }
}

extension Service {
  private func remember(_ batch: EventBatch) {
    for event in batch.events { channels.remember(batch.contexts[Int(event.context)].channel, of: event.device) }
  }
}

private func inflated(_ request: HTTP.Request, limit: Int) throws(DialectProblem) -> [UInt8] {
  do throws(Unreadable) {
    guard request.headers["content-encoding"]?.lowercased() == "br" else {
      return try plainBody(request, limit: limit)
    }
    do throws(InflationProblem) { return try inflateBrotli(request.body.span.bytes, limit: limit) } catch {
      throw .inflation(error)
    }
  } catch {
    switch error {
    case .inflation(.tooLarge): throw DialectProblem(.tooLarge, "the body is larger than allowed once it is inflated")
    case .inflation(let problem): throw DialectProblem(.malformed, "\(problem)")
    case .encoding(let name):
      throw DialectProblem(.unsupported, "Content-Encoding \(name) is not read here; send gzip, deflate, br or none")
    case .type, .sentAt: throw DialectProblem(.malformed, "the request's headers cannot be read")
    }
  }
}

extension ForeignRequest {
  init(_ call: Call) {
    var headers: [String: String] = [:]
    for name in Dialect.headers { headers[name] = call.request.headers[name] }
    self.init(path: call.parameters, query: call.request.target.queryItems, headers: headers)
  }
}

extension Response {
  init(_ reply: ForeignReply) {
    self.init(status: reply.status, headers: [("Content-Type", reply.type)], body: reply.body)
    for (name, value) in reply.headers.sorted(by: { $0.key < $1.key }) { headers.append((name, value)) }
  }
}
