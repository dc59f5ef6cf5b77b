internal import Console
internal import Lifecycle
internal import Query

/// OpenTelemetry: a log record for each fact, over OTLP/HTTP, to any backend that takes logs.
extension ExportTarget {
  public static let otlp = ExportTarget(
    name: "otlp", title: "OpenTelemetry logs", kinds: Set(RolloutFact.Kind.allCases),
    placeVariable: "OTEL_EXPORTER_OTLP_ENDPOINT", secretVariable: "OTEL_EXPORTER_OTLP_HEADERS",
    mayHave: [.environment, .encoding], manners: RetryPolicy(maxBody: 20 << 20)
  ) { fact, destination, sentAt in
    logs([resource(attributes(resource(fact, destination)), [record(fact, sentAt)])], to: destination)
  }

  /// How the protocol's messages are written. Ours is JSON unless told otherwise: a dry run can be read.
  public enum Encoding: String, CaseIterable, Sendable {
    case json = "http/json"
    case protobuf = "http/protobuf"
    public static let variable = "OTEL_EXPORTER_OTLP_PROTOCOL"
  }

  /// What is said of one resource, as one request may hold many.
  static func resource(_ attributes: JSON, _ records: [JSON]) -> JSON {
    [
      "resource": ["attributes": attributes],
      "scopeLogs": [["scope": ["name": "uptake"], "logRecords": .array(records)]],
    ]
  }

  private static let logsPath = "/v1/logs"

  /// One request, in the encoding that the receiver wants.
  static func logs(_ resources: [JSON], to destination: Destination) -> Parcel {
    let message = JSON.object(["resourceLogs": .array(resources)])
    // Some have it in the address already, as collectors' documentation writes it.
    let url = destination.place.hasSuffix(logsPath) ? destination.place : destination.place + logsPath
    var parcel =
      destination[.encoding] == Encoding.protobuf.rawValue
      ? Parcel(
        "POST", url, ["Content-Type": "application/x-protobuf"], body: ProtobufMessage.logs.encoded(message),
        isPacked: true)
      : Parcel("POST", url, json: message, isPacked: true)
    parcel.headers += headers(destination.secret)
    return parcel
  }

  /// The parts of the variable that must not be seen: each value as written and as sent, and a scheme's credentials.
  public static func secrets(ofHeaders text: String) -> [String] {
    let written = text.split(separator: ",").compactMap { $0.split(separator: "=", maxSplits: 1).dropFirst().first }
    let sent = headers(text).map(\.value)
    return written.map(String.init) + sent + sent.compactMap { $0.split(separator: " ").last.map(String.init) }
  }

  /// `name=value,name=value`, the values percent-encoded, as OpenTelemetry's own variable has them.
  static func headers(_ text: String) -> [Parcel.Header] {
    text.split(separator: ",").compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimming() }
      guard parts.count == 2 else { return nil }
      return Parcel.Header(name: parts[0], value: percentDecoded(parts[1]))
    }
  }

  private static func resource(_ fact: RolloutFact, _ destination: Destination) -> [String: JSON] {
    let named = [
      "service.name": fact.app, "service.version": fact.release,
      "deployment.environment.name": destination.environment(fact),
    ]
    return named.filter { !$0.value.isEmpty }.mapValues(text)
  }

  private static func record(_ fact: RolloutFact, _ sentAt: Timestamp) -> JSON {
    let severity: (Int, String) =
      switch fact.level {
      case .info: (9, "INFO")
      case .warning: (13, "WARN")
      case .error: (17, "ERROR")
      }
    return [
      "timeUnixNano": .string("\(fact.at.rawValue)000000"),
      "observedTimeUnixNano": .string("\(sentAt.rawValue)000000"),
      "severityNumber": .integer(severity.0), "severityText": .string(severity.1),
      "eventName": .string("rollout.\(fact.kind.rawValue)"),
      "body": text("\(fact.title)\n\(fact.text)"), "attributes": attributes(attributes(fact)),
    ]
  }

  private static func attributes(_ fact: RolloutFact) -> [String: JSON] {
    let names = ["rollout.fact": fact.id, "rollout.release": fact.release, "rollout.channel": fact.channel]
    var all = names.filter { !$0.value.isEmpty }.mapValues(text)
    all["rollout.stage"] = fact.stage.map { text($0.rawValue) }
    all["rollout.finding"] = fact.finding.map { text($0.name) }
    all["rollout.verdict"] = fact.verdict.map(text)
    all["rollout.mechanism"] = fact.figures?.leadingMechanism.map(text)
    all["rollout.percent"] = fact.percent.map { ["doubleValue": .number($0)] }
    all["rollout.by_platform"] = fact.rolloutByPlatform.map(text)
    for (name, value) in fact.figures?.numbers ?? [] { all["rollout.\(name)"] = ["doubleValue": .number(value)] }
    return all
  }

  private static func text(_ text: String) -> JSON { ["stringValue": .string(text)] }

  private static func attributes(_ all: [String: JSON]) -> JSON {
    .array(all.sorted { $0.key < $1.key }.map { ["key": .string($0.key), "value": $0.value] })
  }
}

extension Substring {
  fileprivate func trimming() -> String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}

private func percentDecoded(_ text: String) -> String {
  var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
  while let byte = rest.popFirst() {
    let digits = String(decoding: rest.prefix(2), as: UTF8.self)
    if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
      bytes.append(value)
      rest = rest.dropFirst(2)
    } else {
      bytes.append(byte)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}
