import Lifecycle
import Store

@testable import Ingest

/// A request to the route with this method and path, placeholders and all.
struct Asked {
  var heard: ParsedRequest?
  var problem: DialectProblem?
  var reply: ForeignReply
  var decoded = Decoded(batch: EventBatch())

  var text: String { String(decoding: reply.body, as: UTF8.self) }

  /// Each event in a line: what a reader compares.
  var events: [String] {
    decoded.batch.events.map { event in
      let context = decoded.batch.contexts[Int(event.context)]
      var words = [event.stage.rawValue, decoded.batch.name(event.release) ?? "-", event.trigger.rawValue]
      if let from = decoded.batch.name(event.from) { words.append("from \(from)") }
      if let reason = decoded.batch.name(event.reason) { words.append("because \(reason)") }
      if let outcome = event.outcome { words.append(outcome.rawValue) }
      if event.at != noon { words.append("at \(event.at.rfc3339)") }
      if context.channel != "production" { words.append("on \(context.channel)") }
      return words.joined(separator: " ")
    }
  }

  var apps: Set<String> { Set(decoded.batch.contexts.map(\.app)) }
  var context: Context? { decoded.batch.contexts.first }
}

/// Asks as the service does, and answers as it does once everything is stored.
func ask(
  _ method: String, _ target: String, _ body: [UInt8] = [], headers: [String: String] = [:]
) -> Asked? {
  let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
  guard let (row, path) = route(method, parts[0]) else { return nil }
  let query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { item in
    let pair = item.split(separator: "=", maxSplits: 1).map(String.init)
    return (name: pair[0], value: pair.count > 1 ? pair[1] : "")
  }
  let request = ForeignRequest(path: path, query: query, headers: headers, body: body)
  do throws(DialectProblem) {
    var heard = try row.dialect.hear(request)
    heard.complete(request, keyApp: nil, keyChannel: nil)
    let decoded = NativeDecoder(keys: keys).decode(
      heard.drafts, .request(app: nil, received: noon, sentAt: heard.sentAt))
    let admitted = Admitted(accepted: decoded.batch.events.count, duplicate: 0)
    return Asked(
      heard: heard, reply: row.dialect.answer(request, heard, .stored(decoded, admitted)), decoded: decoded)
  } catch {
    return Asked(problem: error, reply: row.dialect.answer(request, nil, .refused(error)))
  }
}

func ask(_ method: String, _ target: String, _ body: String, headers: [String: String] = [:]) -> Asked? {
  ask(method, target, Array(body.utf8), headers: headers)
}

private func route(_ method: String, _ path: String) -> (DialectRoute, [String: String])? {
  let segments = path.split(separator: "/").map(String.init)
  for row in Dialect.routes where row.method == method {
    let pattern = row.path.split(separator: "/").map(String.init)
    guard pattern.count == segments.count else { continue }
    var found: [String: String] = [:]
    let fits = zip(pattern, segments).allSatisfy { part, segment in
      guard part.hasPrefix("{") else { return part == segment }
      found[String(part.dropFirst().dropLast())] = segment
      return true
    }
    if fits { return (row, found) }
  }
  return nil
}
