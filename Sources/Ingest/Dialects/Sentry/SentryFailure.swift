/// What ended the app, in an event: fatal, and handled by nobody. SDKs keep it, and send it again until it is taken.
struct SentryFailure {
  /// The type and the first line of what was thrown last.
  let reason: String?
  let id: String?

  /// nil where the app went on.
  init?(_ event: JSONValue) {
    let exceptions = event["exception"]?["values"]?.array ?? event["exception"]?.array ?? []
    guard event["level"]?.text == "fatal",
      exceptions.contains(where: { $0["mechanism"]?["handled"]?.bool == false })
    else { return nil }
    let message = exceptions.last?["value"]?.text.map { String($0.prefix { !$0.isNewline }) }
    let said = [exceptions.last?["type"]?.text, message].compactMap(\.self)
    reason = said.isEmpty ? nil : said.joined(separator: ": ")
    id = event["event_id"]?.text.map { Draft.identity(["sentry", $0]) }
  }
}
