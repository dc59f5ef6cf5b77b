internal import Answers
internal import Console
internal import HTTP
internal import Ingest
internal import Lifecycle
internal import Store

/// A request of another system's client: understood, checked like any event, answered after the commit, in its protocol.
func hear(_ dialect: Dialect, _ service: Service, _ call: Call, _ responder: Responder) {
  guard service.isLarge(call.request) else { return understand(dialect, service, call, responder) }
  service.inTurn(call.request) {
    understand(dialect, service, call, responder)
  } orElse: {
    let problem = DialectProblem(.busy(seconds: 2), DecodingDesk.tooMuch)
    service.metrics.dropped.add(1, dialect.name, problem.reason)
    responder.respond(Response(dialect.answer(ForeignRequest(call), nil, .refused(problem))))
  }
}

private func understand(_ dialect: Dialect, _ service: Service, _ call: Call, _ responder: Responder) {
  var request = ForeignRequest(call)
  var heard: ParsedRequest?
  let upstream = service.upstream(of: dialect)
  do throws(DialectProblem) {
    if let refusal = service.onlyAnswers ?? service.refusal { throw DialectProblem(.busy(seconds: 2), refusal.message) }
    var key = if let proof = call.proof { proof.key } else { try service.key(of: dialect, request, call.request) }
    // A client that proved itself beside the body was counted when its request was let in.
    let wasCounted = call.proof?.key != nil
    if key == nil { key = try service.key(inFirstLineOf: call.request, of: dialect) }
    request.body = try inflated(call.request, limit: service.settings.maxInflated)
    var understood = try dialect.hear(request)
    if key == nil { key = try service.key(in: understood, of: dialect) }
    if !wasCounted, let excess = service.limits.excess(ofKey: key?.id) { throw excess.problem }
    understood.complete(
      request, keyApp: key?.app, keyChannel: key?.channel, keyPlatform: key?.platform,
      recall: { service.channels.word(of: service.device($0, $1), app: $0) },
      offered: { service.offers.release(offeredTo: service.device($0, $1), app: $0) })
    for problem in understood.problems { service.tellIgnored(problem, client: dialect.name) }
    heard = understood
    service.store(understood, dialect, key: key?.id) { [request, understood, key] verdict in
      guard let upstream else {
        if case .stored = verdict {
          service.passReport(call.request, body: request.body, dialect)
          service.noteNoUpstream(dialect)
        }
        return responder.respond(Response(dialect.answer(request, understood, verdict)))
      }
      service.pass(call.request, request, understood, dialect, key: key?.id, to: upstream, responder)
    }
  } catch {
    service.noteRefused(dialect, error)
    // Whatever is wrong between the client and us, its update server may know better.
    if let upstream { return service.pass(call.request, request, heard, dialect, key: nil, to: upstream, responder) }
    responder.respond(Response(dialect.answer(request, heard, .refused(error))))
  }
}

extension Service {
  /// A report that is stored here reaches the update server, too, which has its own figures and its own net.
  fileprivate func passReport(_ whole: HTTP.Request, body: [UInt8], _ dialect: Dialect) {
    guard let upstream = settings.upstream, upstream.takesReports(of: dialect) else { return }
    upstream.report(dialect, whole, body: body) { [self] problem in notPassed(dialect, problem) }
  }

  /// Answers a client's question with what its update server says; with "no update" where that says nothing.
  fileprivate func pass(
    _ whole: HTTP.Request, _ request: ForeignRequest, _ heard: ParsedRequest?, _ dialect: Dialect, key: Int64?,
    to upstream: Upstream,
    _ responder: Responder
  ) {
    var request = request
    // What was turned away unread is read for the update server.
    if request.body.isEmpty { request.body = (try? inflated(whole, limit: settings.maxInflated)) ?? [] }
    upstream.ask(dialect, whole, body: request.body) { [self, request] result in
      switch result {
      case .success(let answer):
        if let heard, let offer = heard.offer(dialect.offer(request, answer.body)) {
          if heard.subjects == .offered { remember(offer) }
          store(offer, dialect, key: key) { _ in }
        }
        responder.respond(
          Response(headers: [("Content-Type", mediaType(answer) ?? "application/json")], body: answer.body))
      case .failure(let problem):
        notPassed(dialect, problem)
        let nothing = Verdict.stored(Decoded(batch: EventBatch()), Admitted(accepted: 0, duplicate: 0))
        responder.respond(Response(dialect.answer(request, heard, nothing)))
      }
    }
  }
}

extension Service {
  /// Clients are told that there is nothing new: nobody but the log knows that their update server refuses them.
  private func notPassed(_ dialect: Dialect, _ problem: UpstreamProblem) {
    metrics.dropped.add(1, dialect.name, problem.reason)
    guard let words = problem.words else { return }
    journal.writeSparingly(
      .warning, "upstream_failed", about: dialect.name + " " + problem.reason, every: .seconds(60),
      ["client": .string(dialect.name), "code": .string(problem.reason), "reason": .string(words)])
  }
}

/// As the update server says it; nil where that is nothing that a header may hold.
private func mediaType(_ answer: OutboundAnswer) -> String? {
  answer["content-type"].flatMap { type in type.utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? type : nil }
}

extension Service {
  fileprivate func store(
    _ heard: ParsedRequest, _ dialect: Dialect, key: Int64?, _ answer: @escaping @Sendable (Verdict) -> Void
  ) {
    var decoded = decoders.withDecoder {
      $0.decode(heard.drafts, .request(app: nil, received: now, sentAt: heard.sentAt))
    }
    if let excess = newDeviceExcess(of: decoded.batch, key: key) { return answer(.refused(excess.problem)) }
    metrics.observe(decoded)
    tellRejected(decoded, app: nil, key: key)
    vocabulary.bound(&decoded.batch)
    if heard.channels == .remembered { remember(decoded.batch) }
    for (app, id, release) in heard.remembers { offers.remember(release, of: device(app, id), app: app) }
    noteDropped(dialect, heard.dropped)
    for code in RejectionCode.allCases { metrics.dropped.add(decoded.rejected[code], dialect.name, code.rawValue) }
    guard !decoded.batch.events.isEmpty else {
      return answer(.stored(decoded, Admitted(accepted: 0, duplicate: 0)))
    }
    // Where an update server answers, a warehouse that is away must not hold its answer back.
    submit(decoded.batch, mayWait: upstream(of: dialect) == nil) { [decoded] result in
      switch result {
      case .success(let admitted): answer(.stored(decoded, admitted))
      case .failure(let refusal): answer(.refused(refusal.problem))
      }
    }
  }
}

extension Service {
  func upstream(of dialect: Dialect) -> Upstream? { settings.upstream.flatMap { $0.has(dialect) ? $0 : nil } }

  func device(_ app: String, _ id: String) -> DeviceHash { log.identityKeys.device(app: app, id: id) }

  fileprivate func remember(_ offer: ParsedRequest) {
    for draft in offer.drafts {
      guard let release = draft.release else { continue }
      offers.remember(release, of: device(draft.app ?? "", draft.device), app: draft.app ?? "")
    }
  }

  private func remember(_ batch: EventBatch) {
    for event in batch.events {
      let context = batch.contexts[Int(event.context)]
      channels.remember(context.channel, of: event.device, app: context.app)
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
