import Lifecycle

/// A line of an access log in JSON, as nginx, Caddy, Envoy and the clouds' balancers write them.
///
/// Headers may lie anywhere in the line and be spelled in any way: `http_eas_client_id`, `Eas-Client-Id`, a list of values.
enum ExpoLog {
  static func drafts(_ line: JSONValue) -> [Draft] {
    var (headers, at): ([String: String], Timestamp?) = ([:], nil)
    collect(line, depth: 0, &headers, &at)
    return ExpoCheck(headers: headers, at: at).drafts.map { draft in
      var draft = draft
      draft.isUndated = at == nil
      return draft
    }
  }

  private static let times: Set<String> = [
    "time", "timestamp", "ts", "timeiso", "msec", "starttime", "atimestamp", "at",
  ]

  private static func collect(
    _ value: JSONValue, depth: Int, _ headers: inout [String: String], _ at: inout Timestamp?
  ) {
    guard depth < 5, let members = value.members else { return }
    for member in members {
      let name = letters(member.name)
      if times.contains(name), at == nil { at = Draft.time(member.value) }
      if member.value.members != nil { collect(member.value, depth: depth + 1, &headers, &at) }
      let known = name.hasPrefix("http") ? String(name.dropFirst(4)) : name
      guard known.hasPrefix("expo") || known == "easclientid" || known == "xuptaketrigger" else { continue }
      let text = member.value.text ?? member.value.array?.first?.text
      // Log formats write a dash for a header that was not sent.
      if let text, text != "-" { headers[known] = text }
    }
  }

  private static func letters(_ name: String) -> String {
    String(decoding: name.utf8.lazy.map { $0 &- 65 < 26 ? $0 | 0x20 : $0 }.filter { $0 &- 97 < 26 }, as: UTF8.self)
  }
}
