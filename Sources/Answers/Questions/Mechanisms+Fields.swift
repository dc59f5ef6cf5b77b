internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Mechanisms {
  static let query: [Member] = .selection(
    Member("atSeconds", .list(.integer), "The ages asked for"),
    Member("horizonSeconds", .integer, "The end of the restricted mean"))

  static var fields: [Field<Counted<Mechanisms>>] { fields(at: []) }
  static func fields(_ reply: Reply<Mechanisms>) -> [Field<Counted<Mechanisms>>] {
    fields(at: reply.options.ages.map { $0.rawValue / 1000 })
  }

  /// A line of the table is a mechanism: its shares by age, then both legs; last, those that wait.
  private static func fields(at seconds: [Int64]) -> [Field<Counted<Mechanisms>>] {
    [.group] + RiskCounts.fields.beside(\.counts) + [
      Field("release", \.figures.release, "The release"),
      Field("publications", \.figures.publications, "Where the figures start"),
      Field(
        "ages", \.figures.ages, "What each mechanism had delivered by each age",
        .column(
          1, "MECHANISM", key: "mechanism",
          lines: { $0.lines({ .text($0) }, waiting: .term("waiting", words: "still waiting")) }
        ).least(18),
        .column(2, "UPDATED", key: "events", lines: { row in row.lines { .count(row.events(by: $0)) } }),
        .all(seconds.map(share)), each: ageFields),
      Field("hazardRatios", \.figures.hazardRatios, "How mechanisms compete", each: hazardRatioFields),
      Field(
        "legs", \.figures.legs, "The mechanism's part and the user's",
        .column(4, "HALF READY", key: "publishedToReady", lines: { $0.ofLegs(\.halfReady) }).optional,
        .column(5, "READY TO APPLIED", key: "readyToApplied", lines: { $0.ofLegs(\.medianLaunch) }).withLimits.optional,
        each: legFields),
    ] + restFields.beside(\.figures)
  }

  private static func share(by seconds: Int64) -> Heading<Counted<Mechanisms>, [Age]> {
    .column(
      3, "BY \(Console.age(seconds: seconds))", key: "share\(seconds)",
      lines: { row in
        let age = row.figures.ages.first { $0.seconds == seconds }
        let none = Cell.missing(because: "")
        return row.lines({ age?.part(of: $0)?.cell ?? none }, waiting: age?.waitingCell ?? none)
      }
    ).withLimits.optional(seconds != 86_400)
  }

  private static let restFields: [Field<Mechanisms>] = [
    Field("withoutDelivery", \.withoutDelivery, "Updates of which nobody reported when they became ready"),
    Field("polled", \.polled, polledMeaning, orNull: Polled.fields),
    Field(
      "experiment", \.experiment, "A random experiment; null where the app marks no arms", orNull: experimentFields),
    Field(
      "ways", \.ways, "Background refresh (periodicSync) and silent push, with the fleet's own figures", each: wayFields
    ),
  ]
}

extension Counted<Mechanisms> {
  /// A line for each mechanism that delivered anything, and one for those that wait.
  fileprivate func lines(_ cell: (String) -> Cell, waiting: Cell = .missing(because: "")) -> Lines<Cell> {
    .each(delivering.map(cell) + [waiting])
  }

  fileprivate func ofLegs(_ cell: (Mechanisms.Leg) -> Cell?) -> Lines<Cell> {
    lines { name in
      figures.legs.first { $0.mechanism == name }.flatMap(cell)
        ?? .missing(because: "nobody reported when it was ready")
    }
  }
}

extension Mechanisms.Share {
  fileprivate var cell: Cell { share.shareCell(atMost: atMost, atLeast: atLeast) }
}

extension Mechanisms.Age {
  /// Where nobody updated all wait, and at least what the mechanisms can not have brought.
  fileprivate var waitingCell: Cell {
    guard waiting.value == 1, waiting.lo == nil, let most = shares.compactMap(\.atMost).max() else {
      return waiting.shareCell(atMost: waitingAtMost)
    }
    return .share(1, Cell.Interval(1 - most, nil))
  }
}

extension Mechanisms.Leg {
  fileprivate var halfReady: Cell? { publishedToReady.amongDelivered.first { $0.p == 0.5 }?.seconds?.cell }
  fileprivate var medianLaunch: Cell? { readyToApplied.quantiles.first { $0.p == 0.5 }?.seconds.durationCell }
}
