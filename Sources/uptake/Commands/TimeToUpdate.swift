internal import Console
internal import Lifecycle
internal import Query
internal import Statistics
internal import Store

private extension Option {
  static let quantiles = Option(
    "quantiles", .number(0.001...0.999), arity: .list, fallback: "0.1,0.25,0.5,0.75,0.9,0.95", group: "STATISTICS",
    help: "The shares of devices whose time is asked for")
  static let horizon = Option(
    "horizon", .duration, fallback: "72h", group: "STATISTICS", help: "The end of the restricted mean")
}

extension Command {
  static let timeToUpdate = Command(
    "time-to-update", group: "QUESTIONS", purpose: "Show how long devices take to get a release",
    discussion: """
      Survival analysis over all eligible devices: one that has not updated yet counts with the time it has waited so \
      far. Mechanisms compete for each device, so their shares add up to the whole.
      """,
    arguments: [.init("RELEASE", completion: "releases", help: "The release")],
    options: [.database] + Option.filters + Option.statistics + [.quantiles, .horizon, .now] + Option.answer,
    examples: [
      .init("Median and 90 % of a release", "uptake time-to-update 2.0.0"),
      .init("Per channel, as JSON", "uptake time-to-update 2.0.0 --by channel --format json"),
      .init("Which mechanism delivered it", "uptake time-to-update 2.0.0 --by mechanism"),
    ],
    exits: [.notEnoughData, .databaseUnusable], seeAlso: ["adoption", "compare", "help definitions"]
  ) { invocation in
    let snapshot = try invocation.snapshot()
    let chosen = try invocation.chosen(invocation.arguments[0], snapshot.vocabulary)
    var options = TimeToUpdate.Options()
    options.quantiles = invocation.numbers(.quantiles)
    if let horizon = invocation.duration(.horizon) { options.horizon = Milliseconds(rawValue: horizon.rawValue) }
    let answer = try TimeToUpdate.answer(snapshot, chosen, options)
    try invocation.show(answer.presentation(table: table(answer, options, chosen.selection)))
    return answer.data.contains { $0.counts.devices > 0 } ? .done : .notEnoughData
  }
}

private func table(_ answer: Answer<TimeToUpdate>, _ options: TimeToUpdate.Options, _ selection: Selection) -> Table {
  let groups = selection.by.map { Table.Column($0.heading, key: $0.rawValue) }
  let quantiles = options.quantiles.map { share in
    Table.Column(share == 0.5 ? "MEDIAN" : "P\(Int((share * 100).rounded()))", key: "p\(share)", hasInterval: true)
  }
  let counts = [("DEVICES", "devices"), ("UPDATED", "events"), ("CENSORED", "censored")].map {
    Table.Column($0.0, key: $0.1)
  }
  let mean = Table.Column(
    "MEAN TO \(options.horizon.rawValue / 3_600_000)h", key: "restrictedMean", hasInterval: true, isOptional: true)
  return Table(groups + counts + quantiles + [mean], rows: answer.data.flatMap { rows($0, selection.by) })
}

/// One row a group; with `--by mechanism` one a mechanism, whose shares of all devices add up.
private func rows(_ row: TimeToUpdate, _ by: [Grouping]) -> [[Cell]] {
  let counts = row.counts
  guard by.contains(.mechanism) else {
    return [
      groupCells(row.group, by, mechanism: nil)
        + [.count(counts.devices), .count(counts.events), .count(counts.censored)]
        + row.quantiles.map(\.seconds.durationCell) + [row.restrictedMean.seconds.durationCell]
    ]
  }
  return row.mechanisms.map { part in
    groupCells(row.group, by, mechanism: part.mechanism)
      + [.count(counts.devices), .count(part.events), .count(counts.censored)]
      + part.quantiles.map(\.seconds.durationCell) + [.missing(because: "mechanisms share one time at risk")]
  }
}

/// The cells that name a group, in the order asked for.
func groupCells(_ group: Group, _ by: [Grouping], mechanism: String?) -> [Cell] {
  by.map { grouping in
    switch grouping {
    case .channel: .text(group.channel ?? Group.unnamed)
    case .platform: .text(group.platform ?? Group.unnamed)
    case .appVersion: .text(group.appVersion ?? Group.unnamed)
    case .mechanism: .text(mechanism ?? Group.unnamed)
    }
  }
}

extension Grouping {
  var heading: String {
    switch self {
    case .channel: "CHANNEL"
    case .platform: "PLATFORM"
    case .mechanism: "MECHANISM"
    case .appVersion: "APP VERSION"
    }
  }
}
