internal import Console
internal import Query
internal import Statistics

extension Forecast {
  static let query: [Member] = .selection(
    Member("band", .number, "How often the truth should lie in the band"),
    Member("horizonSeconds", .integer, "How far the curve goes"))

  static var saysLevel: Bool { false }

  static var fields: [Field<Forecast>] { fields(band: Options().level) }
  static func fields(_ reply: Reply<Forecast>) -> [Field<Forecast>] { fields(band: reply.options.level) }

  /// A line of the table for each age ahead; where nothing can be forecast, one that says why.
  private static func fields(band: Double) -> [Field<Forecast>] {
    nowFields + [
      Field(
        "points", \.points, "Adoption at the ages asked for that are still ahead",
        .column(3, "AT AGE", key: "age", lines: { $0.ofPoints(\.seconds.cell) }),
        .column(
          4, "FORECAST (\(percent(band))% band)", key: "forecast", lines: { $0.ofPoints(\.share.cell) }
        ).withLimits),
      Field(
        "arrivals", \.arrivals, "When shares will have updated",
        each: [
          Field("share", \.share, "The share of devices"), Field("seconds", \.seconds, "The release's age then"),
        ]),
      Field("curve", \.curve, "Adoption hour by hour"),
    ] + backTestFields
  }

  private static let nowFields: [Field<Forecast>] = [
    .group, Field("devices", \.devices, "Devices at risk", .column(6, "DEVICES").optional),
    Field("events", \.events, "Updates"),
    Field(
      "ageSeconds", \.ageSeconds, "The age at which the forecast is made",
      .column(1, "AGE NOW", key: "ageNow", cell: \.durationCell)),
    Field(
      "adoptedNow", \.adoptedNow, "Adoption at that age since the publication, estimated",
      .column(2, "ESTIMATE NOW", row: { $0.adoptedNow?.cell ?? $0.whyNot }).withLimits),
    Field("history", \.history, "Past releases that could be used"),
    Field("obstacle", \.obstacle, "Why there is no forecast"),
    Field(
      "unlike", \.unlike, "Beyond what past releases had at that age, by more than chance and five points; else null"),
    Field(
      "usualNow", \.usualNow, "What past releases had at that age; null where fewer than three are known",
      orNull: [
        Field("least", \.least, "The least adoption of them"), Field("most", \.most, "The most"),
      ]),
  ]

  private static let backTestFields: [Field<Forecast>] = [
    Field(
      "backTest", \.backTest, "How past releases would have been forecast",
      .column(5, "USUAL ERROR", key: "error", lines: { row in row.ofPoints { row.errorCell(at: $0.seconds) } }),
      each: [
        Field("snapshotSeconds", \.snapshotSeconds, "The age at which the forecast was made"),
        Field("targetSeconds", \.targetSeconds, "The age that was forecast"),
        Field("covered", \.covered, "Releases whose truth lay in the band"),
        Field("releases", \.releases, "Of so many"),
        Field("coverage", \.coverage, "The share"), Field("error", \.error, "Mean absolute error of the share"),
        Field("naiveError", \.naiveError, "The same for: as the release before"),
        Field("verdict", \.verdict, "The judgement"),
      ]),
    Field("verdict", \.verdict, "Whether to believe it"),
  ]
}

extension Forecast {
  fileprivate func ofPoints(_ cell: (Point) -> Cell) -> Lines<Cell> {
    points.isEmpty ? .one(whyNot) : .each(points.map(cell))
  }

  /// The mean error of the back-test for an age, from the snapshot nearest below the release's own age.
  fileprivate func errorCell(at seconds: Int64) -> Cell {
    let nearest = backTest.filter { $0.targetSeconds == seconds && $0.snapshotSeconds <= max(ageSeconds, 3600) }
      .max { $0.snapshotSeconds < $1.snapshotSeconds }
    return nearest?.error.map { .points($0) } ?? .missing(because: "no past release could be tested")
  }

  fileprivate var whyNot: Cell { .missing(because: obstacle?.words ?? "every age asked for has passed") }
}

extension Forecast.Obstacle {
  fileprivate var words: String {
    switch self {
    case .insufficientHistory: "fewer than three earlier releases of its kind went far enough"
    case .tooYoung: "it was followed for less than six hours"
    case .tooFewDevices: "fewer than 200 devices were at risk"
    case .nothingAtRisk: "no device was at risk"
    case .enteredLater: "devices came in after fewer than 30 were left: nothing is known of all since its publication"
    case .partsNotFollowed: "not every channel and platform was followed for half of its age"
    case .halted: "its rollout was halted: no other device gets it"
    case .unlikeBefore: "it is far below what past releases had at its age: it does not go on as they did"
    }
  }
}
