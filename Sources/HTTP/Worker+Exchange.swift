import CMicrohttpd
import Synchronization

/// The steps of one request; each returns whether the connection goes on.
extension Worker {
  /// A refused body up to this size is read, so that the connection can be used again.
  private static let smallBody = 64 << 10
  /// The longest head of an answer, with room to spare.
  private static let answerHead = 1 << 10
  /// For browsers: for a year, ask this host through TLS alone.
  private static let onlyEncrypted = ("Strict-Transport-Security", "max-age=31536000")

  func headComplete(_ exchange: Exchange, _ call: Daemon.Call) -> Bool {
    exchange.method = String(cString: call.method)
    var head = Head(of: call, keeping: service.headerNames)
    if let refusal = sizeRefusal(head, call) { return refuseWithoutMemory(exchange, refusal, call) }
    if let refusal = refusal(exchange, head, call) { return refuseAtOnce(exchange, refusal.response, call) }
    guard !call.hidesSome(ofTarget: exchange.targetBytes), let target = target(exchange.rawTarget) else {
      return refuseAtOnce(exchange, UnhandledRequest.badTarget.response, call)
    }
    let request = Request(
      method: exchange.method, target: target, headers: head.headers, peer: exchange.connection.peer,
      address: exchange.connection.address)
    head.headers = Headers()
    let admission = service.configuration.admit?(request) ?? .body(limit: service.configuration.maxBodyBytes)
    (exchange.handler, exchange.label) = (admission.handler, admission.label)
    exchange.allowance = admission.allowance
    switch admission.decision {
    case .refuse(let response): return refuse(exchange, response, head, call)
    case .body(let limit, let tooLarge):
      if head.length > limit {
        return refuseAtOnce(exchange, tooLarge?() ?? UnhandledRequest.bodyTooLarge(limit: limit).response, call)
      }
      exchange.bodyLimit = limit
    }
    exchange.request = request
    exchange.phase = .body
    if head.hasBody { service.expect(.body, of: exchange.connection) }
    return true
  }

  /// An answer's head is made in what the request's head leaves of the connection's memory.
  private func sizeRefusal(_ head: Head, _ call: Daemon.Call) -> UnhandledRequest? {
    let configuration = service.configuration
    if call.headBytes > configuration.maxHeaderBytes { return .headTooLarge(limit: configuration.maxHeaderBytes) }
    let isFull = call.headBytes + head.memory > configuration.connectionMemory - Self.answerHead
    return isFull ? .tooManyHeaders : nil
  }

  private func refuseWithoutMemory(_ exchange: Exchange, _ refusal: UnhandledRequest, _ call: Daemon.Call) -> Bool {
    guard exchange.connection.isPlain else { return refuseAtOnce(exchange, refusal.response, call) }
    exchange.status = refusal.response.status
    exchange.connection.lingers = true
    exchange.connection.sendDirectly(refusal)
    return false
  }

  private func refusal(_ exchange: Exchange, _ head: Head, _ call: Daemon.Call) -> UnhandledRequest? {
    if exchange.method.isEmpty || !exchange.method.utf8.allSatisfy(isTokenByte) { return .badMethod }
    return head.refusal(isHTTP10: call.isHTTP10)
  }

  private func refuse(_ exchange: Exchange, _ response: Response, _ head: Head, _ call: Daemon.Call) -> Bool {
    if head.expectsContinue || head.length > Self.smallBody { return refuseAtOnce(exchange, response, call) }
    exchange.phase = .discarding(response, budget: Self.smallBody)
    if head.hasBody { service.expect(.body, of: exchange.connection) }
    return true
  }

  /// Answers before the body came; libmicrohttpd then closes the connection.
  private func refuseAtOnce(_ exchange: Exchange, _ response: Response, _ call: Daemon.Call) -> Bool {
    exchange.connection.lingers = true
    return send(response, exchange, call)
  }

  func bodyArrived(_ exchange: Exchange, _ bytes: UnsafeRawBufferPointer) -> Bool {
    exchange.requestBytes += bytes.count
    if case .discarding(let response, let budget) = exchange.phase {
      exchange.phase = .discarding(response, budget: budget - bytes.count)
      return budget >= bytes.count
    }
    guard let count = exchange.request?.body.count else { return true }
    if count + bytes.count > exchange.bodyLimit {
      return refuse(.bodyTooLarge(limit: exchange.bodyLimit), within: exchange)
    }
    guard exchange.hold(count + bytes.count) else { return refuse(.tooManyBodies, within: exchange) }
    exchange.request?.body.appendKeepingSlack(bytes)
    return true
  }

  /// A chunked body passed its limit, or there is no room for more. libmicrohttpd takes no answer in the middle of a body.
  private func refuse(_ refusal: UnhandledRequest, within exchange: Exchange) -> Bool {
    exchange.release()
    exchange.request = nil
    exchange.connection.lingers = true
    if exchange.connection.isPlain {
      exchange.status = refusal.response.status
      exchange.connection.sendDirectly(refusal)
      return false
    }
    exchange.phase = .discarding(refusal.response.with("Connection", "close"), budget: exchange.bodyLimit)
    return true
  }

  func requestComplete(_ exchange: Exchange, _ call: Daemon.Call) -> Bool {
    exchange.connection.deadline.clear()
    if case .discarding(let response, _) = exchange.phase { return send(response, exchange, call) }
    guard let request = exchange.request.take() else { return false }
    exchange.release()
    let reply = Reply(to: mailbox, connection: Int(bitPattern: call.connection))
    exchange.phase = .handling(reply)
    (exchange.handler.take() ?? service.handler)(request, Responder { reply.answer($0) })
    return answerOrSuspend(exchange, reply, call)
  }

  func answerOrSuspend(_ exchange: Exchange, _ reply: Reply, _ call: Daemon.Call) -> Bool {
    if let response = reply.takeOrSuspend() { return send(response, exchange, call) }
    MHD_suspend_connection(call.connection)
    return true
  }

  private func send(_ response: Response, _ exchange: Exchange, _ call: Daemon.Call) -> Bool {
    exchange.phase = .answered
    exchange.status = response.status
    exchange.responseBytes = response.body.count
    service.expect(.send, of: exchange.connection)
    let response = exchange.connection.isPlain ? response : response.with(Self.onlyEncrypted.0, Self.onlyEncrypted.1)
    return call.queue(response, closing: service.isDraining.load(ordering: .relaxed))
  }
}
