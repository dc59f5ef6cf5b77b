internal import Answers
internal import Console
internal import HTTP
internal import Lifecycle
internal import Query
internal import Store

/// `GET /v1/releases`: the publications of the key's app.
@Sendable func listReleases(_ service: Service, _ call: Call, _ responder: Responder) {
  service.desk.take(responder) {
    service.response {
      let app = try call.onlyApp()
      let snapshot = try Snapshot(path: service.settings.asked)
      let publications = snapshot.publications().filter { app == nil || $0.app == app }
      return .json(try publicationsPresentation(publications).text() + "\n")
    }
  }
}

/// `GET /v1/releases/{release}?channel=&platform=`: one publication, with the tag that a change of it may name.
@Sendable func tellRelease(_ service: Service, _ call: Call, _ responder: Responder) {
  service.desk.take(responder) {
    service.response { try tell(service, call) }
  }
}

private func tell(_ service: Service, _ call: Call) throws -> Response {
  let (place, condition) = (try call.publicationPlace(), try PublicationCondition(call.request.headers))
  let snapshot = try Snapshot(path: service.settings.asked)
  guard let known = snapshot.publications().first(where: { PublicationPlace($0) == place }) else {
    return .notRegistered(place)
  }
  guard condition.match?.has(known) ?? true else { return .unmet(condition, place, known) }
  guard condition.holds(of: known) else { return Response(status: 304, headers: [("ETag", known.entityTag)]) }
  return .publication(known)
}

/// `PUT /v1/releases/{release}`: registers a publication, or corrects it.
@Sendable func putRelease(_ service: Service, _ call: Call, _ responder: Responder) {
  service.desk.take(responder) {
    service.response { try register(service, call) }
  }
}

private func register(_ service: Service, _ call: Call) throws -> Response {
  if let response = service.onlyAnswersResponse { return response }
  let label = call.parameters["release"] ?? ""
  if let name = call.request.target.queryItems.first?.name {
    throw BadForm(name, "there is no parameter \"\(name)\"; the body says it")
  }
  let form = try PublicationForm(plainBody(call.request, limit: service.settings.maxInflated))
  if let named = form.release, named != label {
    throw BadForm("release", "the path says \(label), the body says \(named)")
  }
  let asked = try form.publication(label, app: call.app, now: service.now)
  let condition = try PublicationCondition(call.request.headers)
  // As it was before: what looks like a slip is told beside what is registered, and never instead.
  let before = try? Snapshot(path: service.settings.asked)
  let change = try service.registry.publish(
    asked, keepsTime: !form.namesTime, keepsHalt: !form.namesRollout, if: condition, by: call.author, now: service.now)
  guard case .done(let publication) = change else {
    return .unmet(condition, PublicationPlace(asked), change.registered)
  }
  service.journal.write(
    .info, "release_published", ["release": .string(label), "channel": .string(publication.channel)])
  let slips = try? before?.slips(in: publication, now: service.now, namesApps: call.app == nil)
  let kept = form.namesRollout || publication.rollout.isEmpty ? [] : [PublicationSlip.haltKept(of: publication)]
  return .publication(publication, notes: kept + (slips ?? []))
}

/// `DELETE /v1/releases/{release}?channel=&platform=`: takes back a publication that was registered by mistake.
@Sendable func deleteRelease(_ service: Service, _ call: Call, _ responder: Responder) {
  service.desk.take(responder) {
    service.response { try withdraw(service, call) }
  }
}

private func withdraw(_ service: Service, _ call: Call) throws -> Response {
  if let response = service.onlyAnswersResponse { return response }
  let place = try call.publicationPlace()
  let condition = try PublicationCondition(call.request.headers)
  let change = try service.registry.withdraw(place, if: condition, by: call.author, now: service.now)
  guard case .done(let known) = change else {
    return change.registered.map { .unmet(condition, place, $0) } ?? .notRegistered(place)
  }
  service.journal.write(
    .info, "release_withdrawn", ["release": .string(known.release.rawValue), "channel": .string(known.channel)])
  return .publication(known)
}

extension Call {
  /// What the path and the query name; without a channel `production`, as where it is registered.
  fileprivate func publicationPlace() throws(BadForm) -> PublicationPlace {
    var said: [String: String] = [:]
    try request.target.requireWhole()
    for (name, value) in request.target.queryItems {
      guard ["app", "channel", "platform"].contains(name) else {
        throw BadForm(name, "there is no parameter \"\(name)\"; known: app, channel, platform")
      }
      guard said.updateValue(value, forKey: name) == nil else { throw BadForm(name, "\(name) is given twice") }
    }
    guard let app = said["app"] ?? app else { throw BadForm("app", "app is missing, and no key names one") }
    if let own = self.app, own != app { throw BadForm("app", "the key is for another app", status: 403) }
    return PublicationPlace(
      app: app, release: ReleaseLabel(rawValue: parameters["release"] ?? ""), channel: said["channel"] ?? "production",
      platform: said["platform"])
  }

  /// The app that the request is about, where it may say no more than that: the key's, or the one that it names. nil where
  /// neither does.
  func onlyApp() throws(BadForm) -> String? {
    try request.target.requireWhole()
    var named: String?
    for (name, value) in request.target.queryItems {
      guard name == "app" else { throw BadForm(name, "there is no parameter \"\(name)\"; known: app") }
      guard named == nil else { throw BadForm(name, "app is given twice") }
      named = value
    }
    guard let app else { return named }
    guard named ?? app == app else { throw BadForm("app", "the key is for another app", status: 403) }
    return app
  }
}

extension Service {
  /// What `body` makes, or its error in the one shape that all errors have. What is wrong with the database is for the log:
  /// whoever asks learns no path.
  func response(_ body: () throws -> Response) -> Response {
    do { return try body() } catch let form as BadForm {
      return .error(form.status, code: form.status == 403 ? "wrong_app" : "bad_request", form.message)
    } catch let unreadable as Unreadable {
      return unreadable.response
    } catch {
      noteFailure(error)
      guard let error = error as? StoreError else { return .error(500, code: "internal", "the request failed") }
      if error.kind == .tookTooLong { return .questionTooLong }
      let why = error.kind == .full ? "no space is left on the database's disk" : "the database cannot be used now"
      return Response.error(503, code: error.code, why + "; ask again later").retry(after: 5)
    }
  }

  /// Why a request failed that nobody is to blame for who sent it.
  func noteFailure(_ error: any Error) {
    journal.writeSparingly(.error, "request_failed", ["reason": .string("\(error)")])
  }
}
