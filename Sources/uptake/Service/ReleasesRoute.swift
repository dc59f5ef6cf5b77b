internal import Console
internal import FoundationEssentials
internal import HTTP
internal import Lifecycle
internal import Query
internal import Store

/// `GET /v1/releases`: the publications of the key's app.
@Sendable func listReleases(_ service: Service, _ call: Call, _ responder: Responder) {
  respond(responder) {
    let snapshot = try Snapshot(path: service.settings.path)
    let app = call.app ?? call.request.target.query("app")
    let publications = snapshot.publications().filter { app == nil || $0.app == app }
    return .json(try publicationsPresentation(publications).document.text(.compact) + "\n")
  }
}

/// `PUT /v1/releases/{release}`: registers a publication, or corrects it.
@Sendable func putRelease(_ service: Service, _ call: Call, _ responder: Responder) {
  respond(responder) {
    let label = call.parameters["release"] ?? ""
    guard (1...128).contains(label.utf8.count) else {
      throw BadForm("release", "the release's name has 1 to 128 bytes")
    }
    let form = try PublicationForm(call.request.body)
    let publication = try form.publication(label, app: call.app, now: service.now)
    try service.registry.publish(publication)
    service.journal.write(
      .info, "release_published", ["release": .string(label), "channel": .string(publication.channel)])
    return .json(publication.json.text(.compact) + "\n")
  }
}

/// The body of `PUT /v1/releases/{release}`.
private struct PublicationForm: Decodable {
  struct Step: Decodable {
    var at: Moment
    var percent: Double
  }
  var app: String?
  var channel: String?
  var platform: String?
  var publishedAt: Moment?
  var rollout: [Step]?
  var mandatory: Bool?

  init(_ body: [UInt8]) throws {
    do { self = try JSONDecoder().decode(Self.self, from: Data(body)) } catch let error as DecodingError {
      throw BadForm(error)
    }
  }

  func publication(_ label: String, app keyApp: String?, now: Timestamp) throws -> Publication {
    guard let app = app ?? keyApp else { throw BadForm("app", "app is missing, and no key names one") }
    if let keyApp, keyApp != app { throw BadForm("app", "the key is for another app", status: 403) }
    for (name, text, limit) in [
      ("app", app, 128), ("channel", channel ?? "production", 64), ("platform", platform ?? "all", 64),
    ] {
      guard (1...limit).contains(text.utf8.count) else { throw BadForm(name, "\(name) has 1 to \(limit) bytes") }
    }
    let steps = (rollout ?? []).map { RolloutStep(at: $0.at.timestamp, percent: $0.percent) }
    for step in steps where !(0...100).contains(step.percent) {
      throw BadForm("rollout", "percent \(step.percent) is not between 0 and 100")
    }
    return Publication(
      app: app, release: ReleaseLabel(rawValue: label), channel: channel ?? "production", platform: platform,
      publishedAt: publishedAt?.timestamp ?? now, rollout: steps.sorted { $0.at < $1.at }, mandatory: mandatory ?? false
    )
  }
}

/// RFC 3339, or milliseconds since 1970.
private struct Moment: Decodable {
  var timestamp: Timestamp

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let milliseconds = try? container.decode(Int64.self) {
      timestamp = Timestamp(rawValue: milliseconds)
      return
    }
    let text = try container.decode(String.self)
    guard let instant = try? Timestamp(rfc3339: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is not a time such as 2025-03-01T08:00:00Z")
    }
    timestamp = instant
  }
}

/// A body that is not what the route takes.
struct BadForm: Error {
  var field: String?
  var message: String
  var status: Int

  init(_ field: String?, _ message: String, status: Int = 400) {
    (self.field, self.message, self.status) = (field, message, status)
  }

  fileprivate init(_ error: DecodingError) {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      self.init(
        path.isEmpty ? nil : path,
        path.isEmpty ? "the body is not a JSON object" : "\(path): \(context.debugDescription)")
    case .keyNotFound(let key, let context):
      let path = (context.codingPath + [key]).map(\.stringValue).joined(separator: ".")
      self.init(path, "\(path) is missing")
    @unknown default: self.init(nil, "the body cannot be read")
    }
  }
}

/// Answers with what `body` makes, or with its error in the one shape that all errors have.
func respond(_ responder: Responder, _ body: () throws -> Response) {
  do { responder.respond(try body()) } catch let form as BadForm {
    responder.respond(.error(form.status, code: form.status == 403 ? "wrong_app" : "bad_request", form.message))
  } catch let error as StoreError {
    responder.respond(Response.error(503, code: error.code, error.hint).with("Retry-After", "5"))
  } catch {
    responder.respond(.error(500, code: "internal", "the request failed"))
  }
}
