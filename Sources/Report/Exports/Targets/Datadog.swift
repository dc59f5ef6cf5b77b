internal import Console
internal import Lifecycle
internal import Query

/// Datadog: an event for what happened, gauges for the figures.
extension ExportTarget {
  public static let datadog = ExportTarget(
    name: "datadog", title: "Datadog",
    kinds: Set(RolloutFact.Kind.allCases),
    placeVariable: "DD_URL", defaultPlace: "https://api.datadoghq.com", secretVariable: "DD_API_KEY",
    mayHave: [.environment],
    // Older events are refused.
    manners: RetryPolicy(maxBody: 500_000, oldest: 17 * 3600)
  ) { fact, destination, _ in
    fact.kind == .figures ? series(fact, destination) : event(fact, destination)
  }

  private static func event(_ fact: RolloutFact, _ destination: Destination) -> Parcel {
    let levels: [RolloutFact.Level: String] = [.info: "info", .warning: "warning", .error: "error"]
    return Parcel(
      "POST", "\(destination.place)/api/v1/events", ["DD-API-KEY": destination.secret],
      json: [
        "title": .string(fact.title(atMost: 100)), "text": .string(String(fact.text.prefix(4000))),
        "date_happened": .integer(Int(fact.at.seconds)), "alert_type": .string(levels[fact.level] ?? "info"),
        "aggregation_key": .string(
          "uptake-" + RolloutFact.id(fact.app, fact.release, fact.channel, .published, fact.finding?.key ?? "")),
        "source_type_name": "uptake", "tags": .array(tags(fact, destination) + [.string("kind:\(fact.kind.rawValue)")]),
      ])
  }

  private static func series(_ fact: RolloutFact, _ destination: Destination) -> Parcel {
    let series = (fact.figures?.numbers ?? []).map { name, value -> JSON in
      [
        "metric": .string("uptake.\(name)"), "type": 3, "tags": .array(tags(fact, destination)),
        "points": [["timestamp": .integer(Int(fact.at.seconds)), "value": .number(value)]],
      ]
    }
    return Parcel(
      "POST", "\(destination.place)/api/v2/series", ["DD-API-KEY": destination.secret],
      json: ["series": .array(series)])
  }

  /// At most 200 characters each; a comma would make two of one.
  private static func tags(_ fact: RolloutFact, _ destination: Destination) -> [JSON] {
    let tags: [(String, String?)] = [
      ("app", fact.app), ("release", fact.release), ("channel", fact.channel), ("stage", fact.stage?.rawValue),
      ("env", destination.environment(fact)), ("verdict", fact.verdict), ("finding", fact.finding?.name),
    ]
    return tags.filter { $0.1?.isEmpty == false }
      .map { .string(line("\($0):\($1 ?? "")".replacing(",", with: "_"), atMost: 200)) }
  }
}
