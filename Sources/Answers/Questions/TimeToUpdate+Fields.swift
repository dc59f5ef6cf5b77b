internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension TimeToUpdate {
  static let query: [Member] = .selection(
    Member("horizonSeconds", .integer, "The end of the restricted mean"), .bands, .mechanism)

  static var fields: [Field<TimeToUpdate>] {
    countFields(byMechanism: false) + timeFields(.all([]), .all([])) + curveFields
  }

  static func fields(_ reply: Reply<TimeToUpdate>) -> [Field<TimeToUpdate>] {
    let isByMechanism = reply.isByMechanism
    let quantiles = Heading<TimeToUpdate, [Quantile]>.quantiles(5, reply.options.quantiles, kept: [0.5, 0.9]) { row in
      isByMechanism ? .each(row.mechanisms.map(\.quantiles)) : .one(row.quantiles)
    }
    let mean = Heading<RestrictedMean, Estimate>.column(
      6, "MEAN TO \(reply.options.horizon.rawValue / 3_600_000)h", key: "restrictedMean",
      cell: { isByMechanism ? .missing(because: "mechanisms share one time at risk") : $0.durationCell }
    ).optional
    return countFields(byMechanism: isByMechanism) + timeFields(quantiles, mean) + curveFields
  }

  static func cells(_ name: String, _ row: TimeToUpdate) -> Lines<Cell> {
    name == Grouping.mechanism.rawValue
      ? .each(row.mechanisms.map { .text($0.mechanism) }) : .one(.text(row.names[name] ?? Group.unnamed))
  }

  private static func countFields(byMechanism: Bool) -> [Field<TimeToUpdate>] {
    let updated = Heading<TimeToUpdate, Int>.column(
      2, "UPDATED", lines: { byMechanism ? .each($0.mechanisms.map(\.events.cell)) : .one($0.counts.events.cell) })
    return [.group]
      + RiskCounts.fields.beside(\.counts)
      .showing("devices", \.counts.devices, .column(1, "DEVICES"))
      .showing("events", \.counts.events, updated)
      .showing("censored", \.counts.censored, .column(3, "NOT YET"))
      .showing(
        "excluded", \.counts.excluded, .column(4, "LEFT OUT", cell: { .count($0.values.reduce(0, +)) }).optional)
  }

  private static func timeFields(
    _ quantiles: Heading<TimeToUpdate, [Quantile]>, _ mean: Heading<RestrictedMean, Estimate>
  ) -> [Field<TimeToUpdate>] {
    [
      Field("quantiles", \.quantiles, "When shares of devices had updated", quantiles),
      Field(
        "restrictedMean", \.restrictedMean, "How long devices go without the update",
        of: [
          Field("horizonSeconds", \.horizonSeconds, "The end of the mean"),
          Field("seconds", \.seconds, "Mean time without the update within it", mean),
        ]),
    ]
  }

  private static let curveFields: [Field<TimeToUpdate>] = [
    Field(
      "curve", \.$curve,
      "The share updated by time, a point for each second with an update; null where --points 0 leaves it out"),
    Field(
      "mechanisms", \.mechanisms, "What each mechanism delivered; all shares and the rest make 1",
      each: [
        Field("mechanism", \.mechanism, "The trigger, or newerRelease where that competes"),
        Field("events", \.events, "Updates by it"),
        Field(
          "curve", \.$curve,
          "The share of all devices that it had updated by time; null where --points 0 leaves it out"),
        Field("quantiles", \.quantiles, "When it had updated shares of all devices"),
      ]),
    Field("polled", \.polled, polledMeaning, orNull: Polled.fields),
    Field("band", \.band, bandMeaning, orNull: Band.fields),
    Field(
      "censorMarks", \.censorMarks, "Where devices left without the update, at most 15 marks",
      each: [
        Field("seconds", \.seconds, "By when"), Field("devices", \.devices, "How many since the mark before"),
      ]),
    Field(
      "stableUntilSeconds", \.stableUntilSeconds,
      "The last second with at least 30 devices at risk before the first update among fewer"),
    Field(
      "fadesFromSeconds", \.fadesFromSeconds,
      "From here on one more update would move the curve by over one percentage point"),
  ]
}
