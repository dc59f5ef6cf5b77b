internal import Answers
internal import Console
internal import HTTP
internal import Lifecycle
internal import Query
internal import Store

/// `GET /v1/releases`: the publications of the key's app.
@Sendable func listReleases(_ service: Service, _ call: Call, _ responder: Responder) {
  service.desk.take(responder) {
    response {
      let snapshot = try Snapshot(path: service.settings.path)
      let app = call.app ?? call.request.target.query("app")
      let publications = snapshot.publications().filter { app == nil || $0.app == app }
      return .json(try publicationsPresentation(publications).document().text(.compact) + "\n")
    }
  }
}

/// `PUT /v1/releases/{release}`: registers a publication, or corrects it.
@Sendable func putRelease(_ service: Service, _ call: Call, _ responder: Responder) {
  service.desk.take(responder) {
    response { try register(service, call) }
  }
}

private func register(_ service: Service, _ call: Call) throws -> Response {
  let label = call.parameters["release"] ?? ""
  let form = try PublicationForm(call.request.body)
  let publication = try form.publication(label, app: call.app, now: service.now)
  try service.registry.publish(publication)
  service.journal.write(
    .info, "release_published", ["release": .string(label), "channel": .string(publication.channel)])
  return .json(publication.json.text(.compact) + "\n")
}

/// What `body` makes, or its error in the one shape that all errors have.
func response(_ body: () throws -> Response) -> Response {
  do { return try body() } catch let form as BadForm {
    return .error(form.status, code: form.status == 403 ? "wrong_app" : "bad_request", form.message)
  } catch let error as StoreError {
    return error.kind == .tookTooLong
      ? .questionTooLong : Response.error(503, code: error.code, error.hint.words).with("Retry-After", "5")
  } catch {
    return .error(500, code: "internal", "the request failed")
  }
}
