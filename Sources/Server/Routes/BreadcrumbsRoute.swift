internal import Answers
internal import Console
internal import HTTP
internal import Query
internal import Report
internal import Store

/// `GET /v1/devices/{device}/breadcrumbs`: what the command prints, in its JSON or in a crash reporter's words.
@Sendable func tellBreadcrumbs(_ service: Service, _ call: Call, _ responder: Responder) {
  service.take(responder, call) {
    let (asked, format) = try trailParameters(call, now: service.settings.clock())
    return {
      let snapshot = try Snapshot(path: service.settings.path)
      guard let format else {
        return try .json(QuestionCommand.breadcrumbs.answer(asked, snapshot, hash: hashed).presentation)
      }
      let device = try Breadcrumbs.answer(asked, snapshot, hash: hashed).data.first
      return .json((device?.fragment(format) ?? [:]).text(.compact) + "\n")
    }
  }
}

private let parameters = ["app", "format", "limit", "now"]

private func trailParameters(_ call: Call, now: Instant) throws -> (Parameters, CrashFormat?) {
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
      sent.append((option, value))
    }
  }
  if let app = call.app { sent.append((.app, app)) }
  guard let device = call.parameters["device"], device != "-" else {
    throw BadForm("device", "no device is named")
  }
  return (
    try QuestionCommand.breadcrumbs.parameters(arguments: [device], sent: sent, now: now),
    form.flatMap(CrashFormat.init)
  )
}
