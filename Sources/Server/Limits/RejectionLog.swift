internal import Console
internal import Ingest
internal import Lifecycle

/// Tells in the log who sends what cannot be taken: a line a minute at most for each reason, with how many events it leaves out.
extension Service {
  /// What clients say is cut, and nothing in it is for a terminal.
  private static let longest = 200

  func tellRejected(_ decoded: Decoded, app: String?, key: Int64?, agent: String? = nil) {
    guard decoded.rejected.total > 0 else { return }
    let sender = decoded.batch.contexts.first
    let known: [String: JSON] = [
      "app": Self.told(app ?? sender?.app), "key": key.map { .integer(Int($0)) } ?? .null,
      "appVersion": Self.told(sender?.appVersion), "sdkVersion": Self.told(sender?.sdkVersion),
      "userAgent": Self.told(agent),
    ]
    for code in RejectionCode.allCases where decoded.rejected[code] > 0 {
      let first = decoded.rejections.first { $0.code == code }
      let facts: [String: JSON] = [
        "code": .string(code.rawValue), "events": .integer(decoded.rejected[code]), "field": Self.told(first?.field),
        "message": Self.told(first?.message),
      ]
      journal.writeSparingly(
        .warning, "events_rejected", about: code.rawValue, every: .seconds(60), times: decoded.rejected[code],
        facts.merging(known.filter { $0.value != .null }) { $1 })
    }
  }

  /// Cut, and harmless: a client may say anything.
  static func told(_ text: String?) -> JSON {
    text.map { .string(harmless(String(String.UnicodeScalarView($0.unicodeScalars.prefix(longest))))) } ?? .null
  }
}
