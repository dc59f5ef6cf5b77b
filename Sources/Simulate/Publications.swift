import Lifecycle

extension Fleet {
  /// The publications as a release manager would register them: a JSON array, an object a line, each with `release` and
  /// the body for `PUT /v1/releases/{release}`.
  ///
  /// A rollout that is halted has only the steps that it took.
  public static func publications(of scenario: Scenario) -> String {
    let world = World(scenario, seed: 0)
    let base = scenario.channels.map { channel in
      publication(scenario, scenario.base, channel.name, nil, world.start - .days(14), [], false)
    }
    let offers = world.offers.map { offer in
      publication(
        scenario, world.releases[offer.release].label, scenario.channels[Int(offer.channel)].name, offer.platform,
        offer.publishedAt, offer.steps.filter { $0.at < min(offer.haltedAt, world.until) }, offer.mandatory)
    }
    return "[\n" + (base + offers).map(\.compact).joined(separator: ",\n") + "\n]\n"
  }
}

private func publication(
  _ scenario: Scenario, _ label: String, _ channel: String, _ platform: Platform?, _ at: Timestamp,
  _ steps: [(at: Timestamp, percent: Double)], _ mandatory: Bool
) -> JSON {
  let rollout = steps.map { JSON.object([("at", .string($0.at.rfc3339)), ("percent", .number($0.percent))]) }
  let members: [(String, JSON)?] = [
    ("release", .string(label)), ("app", .string(scenario.app)), ("channel", .string(channel)),
    platform.map { ("platform", .string($0.name)) }, ("publishedAt", .string(at.rfc3339)),
    ("rollout", .array(rollout)), ("mandatory", .bool(mandatory)),
  ]
  return .object(members.compactMap { $0 })
}
