internal import Console
internal import Query
internal import Statistics

extension Reach {
  static let query: [Member] = .selection(
    Member("windowSeconds", .list(.integer), "The reach windows"),
    Member("historySeconds", .nullable(.integer), "How far back `history` goes"), .provisional)

  static let fields: [Field<Reach>] = [
    .group, Field("release", \.release, "The release"),
    Field("at", \.at, "The instant that reach is of: now less the reporting lag"),
    Field("publications", \.publications, "When and how it came"),
    Field("windows", \.windows, "Reach, for the window asked for, 7 days and 1 day", each: windowFields),
    Field("running", \.running, "What reachable devices run, most first", each: runningFields),
    Field("runningWithheld", \.runningWithheld, "Releases that fewer devices than --min-cell run"),
    Field(
      "history", \.history, "What reachable devices ran before, at round instants, with --history",
      each: [
        Field("at", \.at, "When"), Field("reachable", \.reachable, "Devices in contact then"),
        Field("running", \.running, "What they ran, most first", each: runningFields),
        Field("runningWithheld", \.runningWithheld, "Releases that fewer devices than --min-cell ran"),
      ]),
    Field(
      "series", \.series, "The same when it came, at each rollout step and the second before, and at round instants",
      each: pointFields),
    Field("reason", \.reason, oneOf: Unestimable.words, orNull: "Why there is nothing"),
  ]

  /// A line of the table for each.
  private static let windowFields: [Field<Window>] = [
    Field("seconds", \.seconds, "The reach window", .column(1, "IN CONTACT", key: "window")),
    Field("reachable", \.reachable, "Devices in contact within it", .column(2, "REACHABLE")),
    Field(
      "exactly", \.exactly, "They run this release", .column(3, "RUN IT", key: "devices", cell: \.devicesCell),
      .column(4, "REACH", key: "reach", cell: \.share.cell).withLimits),
    Field("orNewer", \.orNewer, "This or a newer one", .column(5, "OR NEWER", cell: \.share.cell).withLimits),
    Field("older", \.older, "An older one"),
    Field(
      "unknown", \.unknown, "They never said what they run", .column(8, "NEVER SAID", cell: \.devicesCell).optional),
    Field("eligible", \.eligible, "Those that may have it", of: eligibleFields),
  ]

  private static let eligibleFields: [Field<Eligible>] = [
    Field(
      "devices", \.devices, "Reachable devices that the rollout lets have it; null where withheld",
      .column(6, "ELIGIBLE", key: "eligible", missing: Unestimable.fewerThanMinCell.words).optional),
    Field("unknown", \.unknown, "Reachable devices of which nobody knows that; null where withheld"),
    Field(
      "exactly", \.exactly, "They run this release",
      .column(7, "OF ELIGIBLE", key: "reachOfEligible", cell: \.told.cell).withLimits.optional),
    Field("orNewer", \.orNewer, "This or a newer one"),
  ]

  private static let runningFields: [Field<Running>] = [
    Field("release", \.release, "The release; null for devices that never said"),
    Field("devices", \.devices, "Devices that run it"), Field("share", \.share, "Of reachable devices"),
  ]

  private static let pointFields: [Field<Point>] = [
    Field("at", \.at, "When"), Field("ageSeconds", \.ageSeconds, "Since the first publication; negative before it"),
    Field("rolloutPercent", \.rolloutPercent, "How far the rollout had come; null where platforms differ"),
    Field("reachable", \.reachable, "Devices in contact then"), Field("exactly", \.exactly, "They ran this release"),
    Field("orNewer", \.orNewer, "This or a newer one"),
    Field("eligibleExactly", \.eligibleExactly, "They ran this release, among eligible"),
  ]
}

extension Reach.Part {
  fileprivate var devicesCell: Cell { devices?.cell ?? .missing(because: Unestimable.fewerThanMinCell.words) }
}
