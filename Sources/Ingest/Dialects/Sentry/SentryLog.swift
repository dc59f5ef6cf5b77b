import Lifecycle

/// One record of Sentry's structured logs. Those that name a stage and a mechanism tell of updates as breadcrumbs do;
/// "ready" and "failed" alone are words of every log.
struct SentryLog {
  private let attributes: JSONValue
  private let crumb: JSONValue

  /// Each attribute is wrapped: `{"value": …, "type": "string"}`.
  init(_ record: JSONValue) {
    let pairs = (record["attributes"]?.members ?? []).map { pair in
      JSONValue.Member(name: pair.name, value: pair.value["value"] ?? (pair.value.members == nil ? pair.value : .null))
    }
    attributes = .object(pairs)
    let data = pairs.map { JSONValue.Member(name: Self.bare($0.name), value: $0.value) }
    crumb = .object([
      .init(name: "timestamp", value: record["timestamp"] ?? .null),
      .init(name: "message", value: record["body"] ?? .null),
      .init(name: "data", value: .object(data)),
    ])
  }

  /// The event that the record tells of; nil where it tells of something else. Its device may be missing.
  func draft(project: String) -> Draft? {
    let data = crumb["data"]
    let words = [data?[["stage", "event", "eventType", "event_type"]], crumb["message"]].compactMap { $0?.text }
    guard data?[["mechanism", "trigger"]]?.text != nil, words.contains(where: { LooseStage.find($0) != nil }) else {
      return nil
    }
    return SentryEvent(event, project: project).draft(of: crumb)
  }

  /// What SDKs say of every record in its attributes, where an event has it in its contexts.
  private var event: JSONValue {
    func object(_ members: [(String, String)]) -> JSONValue {
      .object(members.map { .init(name: $0.0, value: attributes[$0.1] ?? .null) })
    }
    let user = object([("id", "user.id")])
    let device = object([("id", "app.installation.id")])["id"] == nil ? "device.id" : "app.installation.id"
    let contexts = JSONValue.object([
      .init(name: "os", value: object([("name", "os.name"), ("version", "os.version")])),
      .init(name: "device", value: object([("id", device), ("model", "device.model")])),
      .init(name: "ota", value: object([("channel", "ota.channel")])),
    ])
    return .object([
      .init(name: "release", value: attributes["sentry.release"] ?? .null), .init(name: "user", value: user),
      .init(name: "contexts", value: contexts), .init(name: "sdk", value: object([("version", "sentry.sdk.version")])),
    ])
  }

  /// `ota.mechanism` is a mechanism; `os.name` is no name of anything about updates.
  private static func bare(_ name: String) -> String {
    let prefix = LogRecord.prefixes.first { name.hasPrefix($0) }
    return String(name.dropFirst(prefix?.count ?? 0))
  }
}
