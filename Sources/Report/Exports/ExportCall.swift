/// What `uptake export` is given, beside the secret, to send to a place.
public struct ExportCall: Equatable, Sendable {
  public var argument: String
  public var options: [Option]
  public struct Option: Equatable, Sendable {
    public var name: String
    public var value: String
  }

  /// - Parameter identity: as `Destination.identity` makes it, after `events` where single events go there; nil of no receiver.
  public init?(identity: String) {
    let isOfEvents = identity.hasPrefix("events ")
    let words = (isOfEvents ? identity.dropFirst(7) : identity[...]).split(separator: " ", maxSplits: 2)
    guard words.count >= 2, let target = ExportTarget.named(String(words[0])) else { return nil }
    let place = String(words[1])
    argument = isOfEvents ? "events" : target.name
    options = target.isNamedByPlace && place != target.defaultPlace ? [Option(name: "to", value: place)] : []
    let details = ExportTarget.Need.ofIdentity.filter((target.needs + target.mayHave).contains)
    let values = words.dropFirst(2).first?.split(separator: " ", maxSplits: max(0, details.count - 1)) ?? []
    options += zip(details, values).map { Option(name: $0.rawValue, value: String($1)) }
  }
}

extension ExportTarget {
  /// Where others are, their secrets say.
  fileprivate var isNamedByPlace: Bool { !isWebhook && secretVariable != "SENTRY_DSN" }
}
