internal import Console
internal import Lifecycle
internal import Query

extension WakeUps: PeriodQuestion, Grouped {
  static let usage = Usage(
    "wakeups", purpose: "Show how background work ends, and how often it runs",
    discussion: """
      Every wake-up by a silent push, a background refresh or a location: what it brought, whether it overran its 30 \
      seconds, and how soon background refreshes follow one another. Of a device that is refreshed often many waits \
      count, so half of them may be short where most devices are refreshed seldom.
      """,
    options: Option.slicing(Grouping.self, fallback: "trigger,platform") + Option.period + Option.precision,
    examples: [
      .init("Per trigger and platform", "uptake wakeups"),
      .init("Since the last release of the app", "uptake wakeups --since 7d --by trigger,appVersion"),
    ], seeAlso: ["push", "diagnose"], next: "diagnose")

  static func options(_ asked: Parameters) -> Options {
    var options = Options()
    options.by = asked.choices(.by(Grouping.self))
    return options
  }

  static let query: [Member] = .extent(
    Member("floorSeconds", .integer, "The shortest period that WorkManager grants"))

  static let fields: [Field<WakeUps>] = [
    .group, Field("wakeUps", \.wakeUps, "Executions in the background", .column(1, "WAKE-UPS")),
    Field("devices", \.devices, "Devices that had some", .column(2, "DEVICES")),
    Field(
      "outcomes", \.outcomes, "Wake-ups by outcome; unsaid and unfinished beside newData, noData, failed, expired",
      .count(3, "NEW DATA", "newData"), .count(4, "NO DATA", "noData").optional, .count(5, "FAILED", "failed"),
      .count(6, "NO END", "unfinished")),
    Field("finished", \.finished, "Wake-ups whose end was reported"),
    Field("overrun", \.overrun, "The 30-second budget", of: overrunFields),
    Field("wasted", \.wasted, "noData, among finished wake-ups that gave an outcome", .column(10, "WASTED").optional),
    Field(
      "refreshIntervals", \.refreshIntervals,
      "From one background refresh of a device to its next; each counts once, so devices that are refreshed often count most",
      of: intervalFields),
    Field(
      "hourOfDay", \.hourOfDay, "When work is granted",
      of: [
        Field("started", \.started, "Wake-ups by hour of the day, 00 UTC first"),
        Field("newData", \.newData, "Of these, with new data"),
      ]),
    Field(
      "surroundings", \.surroundings, "Under which conditions, as far as the client says",
      of: [
        Field("wifi", \.wifi, "On Wi-Fi"), Field("cellular", \.cellular, "On cellular"),
        Field("charging", \.charging, "Charging"), Field("unsaid", \.unsaid, "The client said nothing"),
      ]),
    Field("pushHours", \.pushHours, "Hours with silent pushes; null in rows of other triggers"),
  ]

  private static let share: @Sendable (Rate) -> Cell = {
    $0.of == 0 ? .missing(because: "no wake-up reports its end") : $0.cell
  }

  private static let overrunFields: [Field<Overrun>] = [
    Field(
      "atLeast", \.atLeast, "Over 30 s, or reported as expired; of none where no wake-up reports its end",
      .column(7, "OVERRAN", key: "overrun", cell: share)),
    Field(
      "atMost", \.atMost, "Those and the unfinished; of none where no wake-up reports its end",
      .column(8, "OR NO END", key: "overrunOrUnfinished", cell: share).optional),
    Field("nearBudget", \.nearBudget, "Over 25 s, among those that gave a duration", .column(9, "OVER 25 s").optional),
  ]

  private static let intervalFields: [Field<Intervals>] = [
    Field("count", \.count, "Intervals"), Field("devices", \.devices, "Devices that had some"),
    Field(
      "quantiles", \.quantiles, "Their lengths",
      .column(11, "HALF WITHIN", key: "refreshInterval", row: \.median).optional,
      each: [
        Field("p", \.p, "The share of intervals"),
        Field("seconds", \.seconds, "The length that the share does not exceed"),
      ]),
    Field("floorSeconds", \.floorSeconds, "The shortest period that WorkManager grants"),
    Field("underFloor", \.underFloor, "Intervals shorter than that", .column(12, "UNDER 15m").optional),
  ]

  static func isKnown(_ row: WakeUps) -> Bool { row.wakeUps > 0 }

  static func notes(_ reply: Reply<WakeUps>) -> [String] {
    let overran =
      "overran: over 30 s or reported as expired; a wake-up without an end was likely killed, so the truth lies between"
      + " the two shares"
    func sum(_ part: (WakeUps) -> Int) -> String { grouped(reply.rows.reduce(0) { $0 + part($1) }) }
    let waits = reply.rows.contains { $0.refreshIntervals.count > 0 } ? [refreshNote] : []
    guard reply.rows.contains(where: { $0.wakeUps > $0.surroundings.unsaid }) else { return [overran] + waits }
    return [overran] + waits + [
      "of \(sum { $0.wakeUps - $0.surroundings.unsaid }) wake-ups that say it: \(sum(\.surroundings.wifi)) on Wi-Fi,"
        + " \(sum(\.surroundings.cellular)) on cellular, \(sum(\.surroundings.charging)) charging"
    ]
  }
}

extension WakeUps {
  private static let refreshNote =
    "half within: half of all background refreshes came so soon after the one before on their device; devices that are refreshed"
    + " often count most"
}

extension Heading where Value == [String: Int] {
  /// One of the counts.
  fileprivate static func count(_ position: Int, _ title: String, _ key: String) -> Heading {
    .column(position, title, key: key, cell: { .count($0[key] ?? 0) })
  }
}

extension WakeUps.Intervals {
  fileprivate var median: Cell {
    let median = quantiles.first { $0.p == 0.5 }?.seconds
    return median.map(\.durationCell) ?? .missing(because: "no device was refreshed twice")
  }
}
