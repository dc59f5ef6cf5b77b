internal import Lifecycle
public import Store

/// The answer to `POST /v1/events`.
public struct EventsAnswer: Equatable, Sendable {
  /// 200 when anything was stored or recognised, or nothing was sent that could be refused; else 400.
  public var status: Int
  /// JSON in UTF-8.
  public var body: [UInt8]
}

extension Decoded {
  /// What to answer once the valid events are stored.
  public func answer(_ admitted: Admitted) -> EventsAnswer {
    let isRefused = admitted.accepted + admitted.duplicate == 0 && (isEmpty || rejected.total > 0)
    var json: [UInt8] = []
    json.reserveCapacity(120)
    json += "{\"accepted\":\(admitted.accepted),\"duplicate\":\(admitted.duplicate)".utf8
    json += ",\"rejected\":\(rejected.total)".utf8
    if isBroken, !isRefused { json += ",\"unread\":true".utf8 }
    json += ",\"errors\":[".utf8
    for (place, rejection) in rejections.enumerated() {
      if place > 0 { json.append(UInt8(ascii: ",")) }
      rejection.appendJSON(to: &json)
    }
    json.append(UInt8(ascii: "]"))
    if !ignoredNames.isEmpty { appendIgnored(to: &json) }
    if isRefused {
      let problem = refusal
      json += ",\"error\":{\"code\":\"\(problem.code)\",\"message\":".utf8
      json.append(jsonString: problem.message)
      json.append(UInt8(ascii: "}"))
    }
    json.append(UInt8(ascii: "}"))
    return EventsAnswer(status: isRefused ? 400 : 200, body: json)
  }

  private func appendIgnored(to json: inout [UInt8]) {
    json += ",\"ignored\":[".utf8
    for (place, name) in ignoredNames.enumerated() {
      if place > 0 { json.append(UInt8(ascii: ",")) }
      json.append(jsonString: name)
    }
    json.append(UInt8(ascii: "]"))
  }

  /// Why nothing of the body was taken.
  private var refusal: (code: String, message: String) {
    if isEmpty { return ("empty_body", "the body is empty; send a JSON object, an array of them, or NDJSON") }
    if isBroken, rejected.total == 1, let only = rejections.first { return (only.code.rawValue, only.message) }
    if rejected.total == 1 {
      return ("all_rejected", "the event could not be taken\(rejections.first.map { ": \($0.message)" } ?? "")")
    }
    let first = rejections.first.map { "; the first: \($0.message)" } ?? ""
    return ("all_rejected", "none of the \(rejected.total) events could be taken\(first)")
  }
}

extension Rejection {
  func appendJSON(to json: inout [UInt8]) {
    json += "{\"index\":\(index)".utf8
    if let line { json += ",\"line\":\(line)".utf8 }
    if let field { json += ",\"field\":\"\(field)\"".utf8 }
    json += ",\"code\":\"\(code.rawValue)\",\"message\":".utf8
    json.append(jsonString: message)
    json.append(UInt8(ascii: "}"))
  }
}
