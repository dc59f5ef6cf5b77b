internal import Console
internal import Lifecycle
internal import Query

/// OpenTelemetry: a log record for each fact, over OTLP/HTTP in JSON, to any backend that takes logs.
extension ExportTarget {
  public static let otlp = ExportTarget(
    name: "otlp", title: "OpenTelemetry logs", kinds: Set(RolloutFact.Kind.allCases),
    placeVariable: "OTEL_EXPORTER_OTLP_ENDPOINT", secretVariable: "OTEL_EXPORTER_OTLP_HEADERS",
    mayHave: [.environment], manners: Manners(retries: [429, 502, 503, 504], maxBody: 20 << 20)
  ) { fact, destination, sentAt in
    var parcel = Parcel(
      "POST", "\(destination.place)/v1/logs",
      json: [
        "resourceLogs": [
          [
            "resource": ["attributes": attributes(resource(fact, destination))],
            "scopeLogs": [
              ["scope": ["name": "uptake"], "logRecords": [record(fact, sentAt)]]
            ],
          ]
        ]
      ], isPacked: true)
    parcel.headers += headers(destination.secret)
    return parcel
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
    [
      "service.name": text(fact.app), "service.version": text(fact.release),
      "deployment.environment.name": text(destination.environment(fact)),
    ]
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
    var all = [
      "rollout.fact": text(fact.id), "rollout.release": text(fact.release), "rollout.channel": text(fact.channel),
      "rollout.stage": text(fact.stage.rawValue),
    ]
    all["rollout.verdict"] = fact.verdict.map(text)
    all["rollout.mechanism"] = fact.figures.leadingMechanism.map(text)
    all["rollout.percent"] = fact.percent.map { ["doubleValue": .number($0)] }
    for (name, value) in fact.figures.numbers { all["rollout.\(name)"] = ["doubleValue": .number(value)] }
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
