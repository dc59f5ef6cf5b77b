internal import Console
internal import Query
internal import Statistics

extension Compare {
  static let query: [Member] = .selection(
    Member("baseline", .text, "The other release"),
    Member("shareMargin", .number, "A difference of adoption that matters"),
    Member("timeMarginSeconds", .integer, "A difference of mean time that matters"))

  static var fields: [Field<Compare>] { fields("RELEASE", "BASELINE") }

  /// The two releases head their columns.
  static func fields(_ reply: Reply<Compare>) -> [Field<Compare>] {
    reply.rows.first.map { fields($0.first.release, $0.second.release) } ?? fields
  }

  private static func fields(_ first: String, _ second: String) -> [Field<Compare>] {
    [
      .group, Field("first", \.first, "The release", of: sideFields),
      Field("second", \.second, "The one it is held against", of: sideFields),
      Field("ageSeconds", \.ageSeconds, "Both are looked at up to this age"),
      Field("ages", \.ages, "Adoption at equal ages", each: ageFields(first, second)),
      Field("restrictedMeans", \.restrictedMeans, "Mean time without the update", each: meanFields),
    ] + testFields + pastFields
  }

  private static let sideFields: [Field<Side>] = [
    Field("release", \.release, "The release"),
    Field("counts", \.counts, "What stands behind its figures", of: RiskCounts.fields),
    Field("publishedAt", \.publishedAt, "When it was published"),
    Field("weekday", \.weekday, "On which day of the week, UTC"),
    Field("hour", \.hour, "At which hour of that day, UTC"),
    Field(
      "failures", \.failures, "First attempts",
      of: [
        Field("attempts", \.attempts, "First attempts"),
        Field("failed", \.failed, "Those that failed, were rolled back or crashed"),
        Field("rate", \.rate, "Their share"),
      ]),
    Field("polled", \.polled, polledMeaning, orNull: Polled.fields),
  ]

  /// A line of the table for each.
  private static func ageFields(_ first: String, _ second: String) -> [Field<Age>] {
    [
      Field("seconds", \.seconds, "The age", .column(1, "AGE", key: "age")),
      Field(
        "share", \.share, "Adoption of the first",
        .column(2, first, key: "adoption", row: { $0.share.shareCell(atMost: $0.atMost, atLeast: $0.atLeast) })
          .withLimits),
      Field("atMost", \.atMost, "Where nobody has updated to the first yet: its adoption is at most this"),
      Field("atLeast", \.atLeast, "Where all that were at risk have: it is at least this"),
      Field(
        "baseline", \.baseline, "Of the second",
        .column(3, second, row: { $0.baseline.shareCell(atMost: $0.baselineAtMost, atLeast: $0.baselineAtLeast) })
          .withLimits),
      Field("baselineAtMost", \.baselineAtMost, "As atMost, of the second"),
      Field("baselineAtLeast", \.baselineAtLeast, "As atLeast, of the second"),
      Field("difference", \.difference, "First less second", .column(4, "DIFFERENCE", cell: \.pointsCell)),
      Field(
        "relevance", \.relevance, "Whether that matters, by the margin",
        .column(7, "VERDICT", cell: { .text($0.rawValue) }).optional),
    ]
  }

  private static let meanFields: [Field<RestrictedMean>] = [
    Field("horizonSeconds", \.horizonSeconds, "The end of the mean"), Field("seconds", \.seconds, "Of the first"),
    Field("baseline", \.baseline, "Of the second"),
    Field("difference", \.difference, "First less second; negative is faster"),
    Field("relevance", \.relevance, "Whether that matters, by the margin"),
  ]

  private static let testFields: [Field<Compare>] = [
    Field(
      "logRank", \.logRank, "Whether they differ at all",
      of: [
        Field("chiSquare", \.chiSquare, "The statistic"), Field("degreesOfFreedom", \.degreesOfFreedom, "Of it"),
        Field("p", \.p, "Its p-value"), Field("log10P", \.log10P, "For very small ones"),
        Field("adjustedP", \.adjustedP, "By Holm over the rows of the answer"),
      ]),
    Field(
      "hazards", \.hazards, "The ratio of hazards",
      of: [
        Field("ratio", \.ratio, "How many times faster devices of the first update"),
        Field("early", \.early, "In the first half of updates"), Field("late", \.late, "In the second half"),
        Field("verdict", \.verdict, "Whether one ratio tells it all"),
      ]),
    Field(
      "mechanisms", \.mechanisms, "By mechanism",
      each: [
        Field("mechanism", \.mechanism, "The trigger"), Field("seconds", \.seconds, "The age"),
        Field("share", \.share, "What it delivered of the first"), Field("baseline", \.baseline, "Of the second"),
        Field("difference", \.difference, "First less second"), Field("p", \.p, "The p-value"),
      ]),
  ]

  private static let pastFields: [Field<Compare>] = [
    Field(
      "usual", \.usual, "What past releases did: a difference inside is nothing unusual",
      .column(5, "PAST LEAST", key: "usualLowest", lines: { $0.usualCells(\.lowest) }).optional,
      .column(6, "PAST MOST", key: "usualHighest", lines: { $0.usualCells(\.highest) }).optional,
      each: [
        Field("seconds", \.seconds, "The age"), Field("releases", \.releases, "Past releases that lived so long"),
        Field("lowest", \.lowest, "Their least adoption"), Field("highest", \.highest, "Their most"),
      ]),
    Field("failureDifference", \.failureDifference, "Failure rates, first less second"),
    Field("failureRatio", \.failureRatio, "First over second"),
    Field("failureFisherP", \.failureFisherP, "Fisher's exact test, where numbers are small"),
    Field("verdict", \.verdict, "In a word"),
  ]

  private func usualCells(_ end: KeyPath<Range, Double?>) -> Lines<Cell> {
    .each(
      ages.map { age in
        usual.first { $0.seconds == age.seconds }?[keyPath: end].map { .share($0) }
          ?? .missing(because: "no other past release lived so long")
      })
  }
}
