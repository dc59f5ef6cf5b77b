internal import Console
internal import Lifecycle
internal import Query

/// New Relic: custom events of the type `UptakeRollout`.
extension ExportTarget {
  public static let newRelic = ExportTarget(
    name: "newrelic", title: "New Relic events",
    kinds: Set(RolloutFact.Kind.allCases),
    placeVariable: "NEW_RELIC_URL", defaultPlace: "https://insights-collector.newrelic.com",
    secretVariable: "NEW_RELIC_LICENSE_KEY", needs: [.account], mayHave: [.environment],
    manners: RetryPolicy(oldest: 23 * 3600)
  ) { fact, destination, _ in
    guard let account = destination[.account] else { return nil }
    var event: [String: JSON] = [
      "eventType": "UptakeRollout", "timestamp": .integer(Int(fact.at.rawValue)), "fact": .string(fact.id),
      "kind": .string(fact.kind.rawValue), "level": .string(fact.level.rawValue),
      "message": .string(String(fact.text.prefix(4000))),
    ]
    for (name, text) in [
      ("app", fact.app), ("release", fact.release), ("channel", fact.channel), ("verdict", fact.verdict),
      ("stage", fact.stage?.rawValue), ("environment", destination.environment(fact)), ("finding", fact.finding?.name),
      ("mechanism", fact.figures?.leadingMechanism),
    ] where text?.isEmpty == false { event[name] = text.map { .string(line($0, atMost: 4000)) } }
    for (name, value) in fact.figures?.numbers ?? [] { event[name] = RolloutFigures.number(value) }
    event["rolloutPercent"] = fact.percent.map(RolloutFigures.number)
    event["rolloutByPlatform"] = fact.rolloutByPlatform.map(JSON.string)
    return Parcel(
      "POST", "\(destination.place)/v1/accounts/\(percentEncoded(account))/events", ["Api-Key": destination.secret],
      json: [.object(event)], isPacked: true)
  }
}
