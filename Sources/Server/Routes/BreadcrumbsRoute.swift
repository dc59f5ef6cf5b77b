internal import Answers
internal import Console
internal import HTTP
internal import Query
internal import Report
internal import Store

/// `GET /v1/devices/{device}/breadcrumbs`: what the command prints, in its JSON or in a crash reporter's words.
@Sendable func tellBreadcrumbs(_ service: Service, _ call: Call, _ responder: Responder) {
  service.ask(responder, call) { try trail(call, now: service.settings.clock()) }
}

private let parameters = ["app", "format", "limit", "now"]

private func trail(_ call: Call, now: Instant) throws -> AskedQuestion {
  var (sent, form) = ([(option: Option, text: String)](), String?.none)
  try call.request.target.requireWhole()
  for (name, value) in call.request.target.queryItems {
    switch name {
    case "app" where call.app == value: continue
    case "app" where call.app != nil:
      throw BadForm("app", "the key is for another app", status: 403)
    case "format":
      guard form == nil else { throw BadForm("format", "format is given twice") }
      guard CrashFormat(rawValue: value) != nil || value == "json" else {
        throw BadForm("format", "format is json, sentry, bugsnag or crashlytics")
      }
      form = value
    default:
      guard parameters.contains(name),
        let option = QuestionCommand.breadcrumbs.askable.first(where: { $0.name == name })
      else {
        throw BadForm(name, "there is no parameter \"\(name)\"; known: \(parameters.joined(separator: ", "))")
      }
      guard !value.isEmpty else { throw BadForm(empty: name) }
      if option.kind == .instant { try requirePlus(name, value) }
      sent.append((option, value))
    }
  }
  if let app = call.app { sent.append((.app, app)) }
  guard let device = call.parameters["device"], device != "-" else {
    throw BadForm("device", "no device is named")
  }
  return AskedQuestion(
    form.flatMap(CrashFormat.init).map { .fragment($0) } ?? .json, .breadcrumbs, arguments: [device], sent: sent,
    now: now,
    hasKey: call.app != nil)
}
