internal import Console
internal import Query
internal import Statistics

extension Adoption {
  static let query: [Member] = .selection(
    Member("atSeconds", .list(.integer), "The ages asked for"),
    Member("baseline", .text, "auto, none, or a release"), .provisional, .bands)

  static var fields: [Field<Counted<Adoption>>] { fields(before: [], isCompared: true) }

  /// The release before heads its column, where it is the same in all rows.
  static func fields(_ reply: Reply<Adoption>) -> [Field<Counted<Adoption>>] {
    fields(
      before: Set(reply.rows.map { $0.baseline?.release }),
      isCompared: reply.rows.isEmpty || reply.rows.contains { !$0.figures.isOfOtherDevices })
  }

  private static func fields(before releases: Set<String?>, isCompared: Bool) -> [Field<Counted<Adoption>>] {
    [.group] + RiskCounts.fields.beside(\.counts) + figureFields(releases, isCompared).beside(\.figures)
  }

  private static func figureFields(_ before: Set<String?>, _ isCompared: Bool) -> [Field<Adoption>] {
    [
      Field("release", \.release, "The release"), Field("publications", \.publications, "Where the figures start"),
      Field("ages", \.ages, "The share by each age", each: shareFields + differenceFields(before, isCompared)),
      Field("restrictedMeans", \.restrictedMeans, "How long devices go without the update"),
      Field("median", \.median, "When half had updated, in seconds"), Field("curve", \.curve, "The share by time"),
      Field("band", \.band, bandMeaning, orNull: Band.fields),
      Field("polled", \.polled, polledMeaning, orNull: Polled.fields),
      Field("baseline", \.baseline, "What it is held against; null where there is nothing", orNull: referenceFields),
    ]
  }

  private static let referenceFields: [Field<Reference>] = [
    Field("release", \.release, "The other release"), Field("devices", \.devices, "Its devices at risk"),
    Field("events", \.events, "Its updates"), Field("curve", \.curve, "Its share by time"),
    Field("publications", \.publications, "Where its figures start"),
  ]

  /// A line of the table for each.
  private static let shareFields: [Field<Age>] = [
    Field("seconds", \.seconds, "The age", .column(1, "AGE", key: "age")),
    Field("atRisk", \.atRisk, "Devices still waiting before it", .column(6, "WAITING").optional),
    Field("events", \.events, "Updates by then", .column(5, "UPDATED").optional),
    Field(
      "share", \.share, "Adoption: the share updated by then",
      .column(2, "ADOPTION", key: "adoption", row: { $0.share.shareCell(atMost: $0.atMost, atLeast: $0.atLeast) })
        .withLimits),
    Field("atMost", \.atMost, "Where nothing has happened yet: the share is at most this"),
    Field("atLeast", \.atLeast, "Where all that were at risk have updated: the share is at least this"),
    Field("always", \.always, "The share with limits that hold at all looks together"),
    Field(
      "observed", \.observed, "What is simply seen",
      of: [
        Field("updated", \.updated, "Updates seen"),
        Field("devices", \.devices, "Devices", .column(7, "DEVICES").optional),
        Field("share", \.share, "The plain ratio, which is no estimate of adoption"),
      ]),
    Field("isUnstable", \.isUnstable, isUnstableMeaning),
  ]

  /// - Parameter isCompared: else neither has a column.
  private static func differenceFields(_ before: Set<String?>, _ isCompared: Bool) -> [Field<Age>] {
    let (baseline, difference) = ("The other release at the same age", "This release less the other")
    let reason: Field<Age> = Field(
      "reason", \.reason, oneOf: Unestimable.words, orNull: "Why there is no share, or no limits of it")
    let limits: [Field<Age>] = [
      Field("baselineAtMost", \.baselineAtMost, "As atMost, of the other release"),
      Field("baselineAtLeast", \.baselineAtLeast, "As atLeast, of the other release"),
    ]
    guard isCompared else {
      return [Field("baseline", \.baseline, baseline)] + limits
        + [Field("difference", \.difference, difference), reason]
    }
    let none = "there is no release to compare with"
    let title = before.count == 1 ? before.first.flatMap(\.self) ?? "BEFORE" : "BEFORE"
    let cell: @Sendable (Age) -> Cell = { age in
      age.baseline?.shareCell(atMost: age.baselineAtMost, atLeast: age.baselineAtLeast) ?? .missing(because: none)
    }
    let columns: [Field<Age>] = [
      Field(
        "baseline", \.baseline, baseline, .column(3, title, row: cell).withLimits.optional(before == [nil])),
      Field("difference", \.difference, difference, .column(4, "DIFFERENCE", missing: none, cell: \.pointsCell)),
    ]
    return [columns[0]] + limits + [columns[1], reason]
  }
}

extension Adoption {
  /// Whether shares of those alone that were offered one of the releases stand beside shares of all that could have the other.
  var isOfOtherDevices: Bool {
    ages.contains { $0.difference?.reason == .clockFromOffer }
  }

  /// Whether shares of the release before are estimated between its checks, as `compare` does.
  var isPolledBefore: Bool {
    ages.contains { [.intervalCensored, .intervalCensoredBand].contains($0.baseline?.method) }
  }
}
