internal import Console
internal import Lifecycle
internal import Query
internal import Statistics
internal import Store

extension Question {
  static let wakeUps = Question(
    "wakeups", schema: .wakeUps, purpose: "Show how work in the background ends, and how often it is granted",
    discussion: """
      Every wake-up by a silent push, a background refresh or a location: what it brought, whether it overran its 30 \
      seconds, and how long devices wait from one background refresh to the next.
      """,
    options: Option.filters + Option.period
      + [.by(WakeUps.Grouping.self, fallback: "trigger,platform")] + Option.precision,
    examples: [
      .init("Per trigger and platform", "uptake wakeups"),
      .init("Since the last release of the app", "uptake wakeups --since 7d --by trigger,appVersion"),
    ],
    exits: [.notEnoughData, .databaseUnusable], seeAlso: ["push"]
  ) { asked, snapshot in
    let extent = try asked.extent(nil, snapshot.vocabulary)
    let options = WakeUps.Options(asked)
    let answer = try WakeUps.answer(snapshot, extent, options)
    return Shown(
      answer.presentation(
        table: table(answer, options), notes: notes(answer), level: extent.level, next: ShellCommand("uptake", "push")),
      isKnown: answer.data.contains { $0.wakeUps > 0 })
  }
}

extension WakeUps.Options {
  fileprivate init(_ asked: Parameters) {
    self.init()
    by = asked.choices(.by(WakeUps.Grouping.self))
  }
}

private func table(_ answer: Answer<WakeUps>, _ options: WakeUps.Options) -> Table {
  let groups = GroupColumns(options.by)
  let columns: [Table.Column] = [
    .init("WAKE-UPS", key: "wakeUps"), .init("DEVICES", key: "devices"),
    .init("NEW DATA", key: "newData"), .init("NO DATA", key: "noData", isOptional: true),
    .init("FAILED", key: "failed"), .init("NO END", key: "unfinished"),
    .init("OVERRAN", key: "overrun", hasInterval: true),
    .init("OR NO END", key: "overrunOrUnfinished", hasInterval: true, isOptional: true),
    .init("OVER 25 s", key: "nearBudget", hasInterval: true, isOptional: true),
    .init("WASTED", key: "wasted", hasInterval: true, isOptional: true),
    .init("REFRESH EVERY", key: "refreshInterval", isOptional: true),
    .init("UNDER 15m", key: "underFloor", hasInterval: true, isOptional: true),
  ]
  return Table(
    groups.columns + columns,
    rows: answer.data.map { row in
      let outcomes = ["newData", "noData", "failed", "unfinished"].map { Cell.count(row.outcomes[$0] ?? 0) }
      let rates = [row.overrun.atLeast, row.overrun.atMost, row.overrun.nearBudget, row.wasted].map(\.cell)
      return groups.cells(row.group.parts) + [.count(row.wakeUps), .count(row.devices)] + outcomes + rates
        + [row.medianInterval, row.refreshIntervals.underFloor.cell]
    } + answer.withheldRows(groups, cells: columns.count))
}

extension WakeUps {
  fileprivate var medianInterval: Cell {
    let median = refreshIntervals.quantiles.first { $0.p == 0.5 }?.seconds
    return median.map { .duration(seconds: Double($0)) } ?? .missing(because: "no device was refreshed twice")
  }
}

private func notes(_ answer: Answer<WakeUps>) -> [String] {
  let said = answer.data.reduce(into: (wifi: 0, cellular: 0, charging: 0, all: 0)) { sum, row in
    sum.wifi += row.surroundings.wifi
    sum.cellular += row.surroundings.cellular
    sum.charging += row.surroundings.charging
    sum.all += row.wakeUps - row.surroundings.unsaid
  }
  var notes = [
    "overran: over 30 s or reported as expired; a wake-up without an end was likely killed, so the truth lies between"
      + " the two shares"
  ]
  if said.all > 0 {
    notes.append(
      "of \(grouped(said.all)) wake-ups that say it: \(grouped(said.wifi)) on Wi-Fi, \(grouped(said.cellular)) on"
        + " cellular, \(grouped(said.charging)) charging")
  }
  return notes
}
