internal import Answers
internal import Console
internal import HTTP
internal import Ingest
internal import Lifecycle
internal import Store
internal import Synchronization

/// `POST /v1/events`: decodes, waits in line for the commit, answers after it.
@Sendable func acceptEvents(_ service: Service, _ call: Call, _ responder: Responder) {
  if let response = service.onlyAnswersResponse { return responder.respond(response) }
  if let refusal = service.refusal { return responder.respond(busy(refusal.code, refusal.message)) }
  guard service.isLarge(call.request) else { return store(service, call, responder) }
  service.inTurn(call.request) {
    store(service, call, responder)
  } orElse: {
    responder.respond(busy("too_many_bodies", DecodingDesk.tooMuch))
  }
}

private func store(_ service: Service, _ call: Call, _ responder: Responder) {
  do throws(Unreadable) {
    let format = try bodyFormat(call.request.headers, isOpen: service.keys.isOpen)
    let body = try plainBody(call.request, limit: service.settings.maxInflated)
    if body.starts(with: [0x1F, 0x8B]) { throw .inflation(.unannounced) }
    let sentAt = try sentAt(call.request.headers)
    let asides = try asides(call.request)
    for problem in asides.problems.prefix(1) { service.tellIgnored(problem) }
    let named = NamedNotes(service)
    var decoded = service.decoders.withDecoder {
      $0.decode(
        body.span.bytes, as: format,
        .request(app: call.app, received: service.now, sentAt: sentAt, asides: asides, named: named.releases))
    }
    service.metrics.observe(decoded)
    service.note(ignored: decoded.ignoredNames)
    service.tellRejected(decoded, app: call.app, key: call.key, agent: call.request.headers["user-agent"])
    if let excess = decoded.excess { return responder.respond(excess.response) }
    guard !decoded.batch.events.isEmpty else {
      return responder.respond(decoded.response(Admitted(accepted: 0, duplicate: 0)))
    }
    if let excess = service.newDeviceExcess(of: decoded.batch, key: call.key) {
      return responder.respond(excess.response)
    }
    service.vocabulary.bound(&decoded.batch)
    service.submit(decoded.batch) { [decoded] result in
      switch result {
      case .success(let admitted):
        named.keep(decoded)
        responder.respond(decoded.response(admitted))
        service.offerToken(call.request, decoded.batch)
      case .failure(let refusal): responder.respond(refusal.response)
      }
    }
  } catch {
    responder.respond(error.response)
  }
}

/// Why nothing of a request that was understood is stored, or not yet where it has to be, for whoever sent it.
struct NotStored: Error {
  var code: String
  var message: String
  /// Whether the same request may be stored another time.
  var mayPass = true
  /// After which it should come again.
  var seconds = 2

  static let notShipped = NotStored(
    code: "not_shipped",
    message: "the events are stored here, but the warehouse has not acknowledged them in time; "
      + "send the request again, nothing counts twice",
    seconds: 5)

  var response: Response { mayPass ? busy(code, message, seconds) : .error(400, code: code, message) }
  var problem: DialectProblem { DialectProblem(mayPass ? .busy(seconds: seconds) : .malformed, message) }
}

extension Service {
  func refused(_ refusal: IntakeRefusal, _ events: Int) -> NotStored {
    switch refusal {
    case .queueFull:
      metrics.rejected.add(events, "not_stored")
      return NotStored(code: "queue_full", message: "more waits for the disk than fits; send the request again soon")
    case .tailFull:
      metrics.rejected.add(events, "not_stored")
      return NotStored(
        code: "tail_full",
        message: "events come in faster than they are sorted; send the request again soon, nothing counts twice")
    case .stopping:
      metrics.rejected.add(events, "not_stored")
      return NotStored(code: "stopping", message: "the service is stopping; send the request again soon")
    case .store(let error):
      metrics.rejected.add(events, error.blamesContent ? "unstorable" : "not_stored")
      return error.blamesContent ? unstorable(error) : failed(error)
    }
  }

  /// Whether so many devices that nobody knows may not come with this key now.
  func newDeviceExcess(of batch: EventBatch, key: Int64?) -> NewDeviceExcess? {
    guard let excess = newDevices.excess(of: batch, key: key, now: now) else { return nil }
    metrics.rejected.add(batch.events.count, "too_many_new_devices")
    journal.writeSparingly(
      .warning, "new_devices_limited",
      [
        "key": key.map { .integer(Int($0)) } ?? .null, "perMinute": .integer(settings.limits.newDevicesPerKey),
        "hint": .string(
          "if real, raise --new-devices-per-key; if made up, give the app another key and revoke this one"),
      ])
    return excess
  }

  private func unstorable(_ error: StoreError) -> NotStored {
    journal.writeSparingly(.error, "request_unstorable", ["reason": .string(error.description)])
    return NotStored(
      code: "unstorable",
      message: "the database cannot hold these events; none was stored, and sending them again does not help",
      mayPass: false)
  }

  private func failed(_ error: StoreError) -> NotStored {
    commitsFail.store(true, ordering: .relaxed)
    if error.kind == .full { sawFullDisk() }
    journal.writeSparingly(.error, "commit_failed", ["reason": .string(error.description)])
    let why = error.kind == .full ? "the disk is full" : "the database refused"
    return NotStored(
      code: "not_stored",
      message: "the events could not be stored; none of them was: \(why), send the request again later")
  }
}

private func busy(_ code: String, _ message: String, _ seconds: Int = 2) -> Response {
  Response.error(503, code: code, message).retry(after: seconds)
}

extension Decoded {
  fileprivate func response(_ admitted: Admitted) -> Response {
    let answer = answer(admitted)
    let status = answer.status == 400 && isAllOfAnotherApp ? 403 : answer.status
    return .json(answer.body, status: status)
  }

  /// Every event named an app that the key is not for.
  private var isAllOfAnotherApp: Bool { rejected.total > 0 && rejected[.wrongApp] == rejected.total }
}

extension BodyExcess {
  fileprivate var response: Response {
    switch self {
    case .events: .error(413, code: code, message)
    case .rejections: .error(400, code: code, message)
    }
  }
}
