internal import Console
internal import HTTP
internal import Report

/// `GET /v1/devices/{device}/breadcrumbs`: what the command prints, in its JSON or in a crash reporter's words.
@Sendable func tellBreadcrumbs(_ service: Service, _ call: Call, _ responder: Responder) {
  do throws(BadForm) {
    let words = try commandWords(call, path: service.settings.path)
    let hasKey = call.app != nil
    service.desk.take(responder) { service.run(words).response(hasKey: hasKey) }
  } catch {
    responder.respond(.error(error.status, code: error.status == 403 ? "wrong_app" : "bad_request", error.message))
  }
}

private let parameters = ["app", "format", "limit", "now"]

private func commandWords(_ call: Call, path: String) throws(BadForm) -> [String] {
  var (options, format) = ([String](), "json")
  try call.request.target.requireWhole()
  for (name, value) in call.request.target.queryItems {
    switch name {
    case "app" where call.app != nil && call.app != value:
      throw BadForm("app", "the key is for another app", status: 403)
    case "format":
      format = value
      guard (["json"] + CrashFormat.allCases.map(\.rawValue)).contains(value) else {
        throw BadForm("format", "format is json, sentry, bugsnag or crashlytics")
      }
    case _ where parameters.contains(name): options.append("--\(name)=\(value)")
    default: throw BadForm(name, "there is no parameter \"\(name)\"; known: \(parameters.joined(separator: ", "))")
    }
  }
  if let app = call.app { options.append("--app=\(app)") }
  guard let device = call.parameters["device"], device != "-" else {
    throw BadForm("device", "no device is named")
  }
  return ["breadcrumbs", "--db=\(path)", "--format=\(format)", "--error-format=json", "--quiet"] + options
    + ["--", device]
}
