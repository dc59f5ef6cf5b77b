internal import Console
internal import Query
internal import Statistics

extension Failures {
  static let query: [Member] = .selection(
    Member("attemptAgeSeconds", .integer, "A first attempt counts once it is so old"),
    Member("rollbackAgeSeconds", .integer, "An update counts for rollbacks once so old"),
    Member("limit", .nullable(.number), "The limit asked for; null where none was given"),
    Member("alpha", .number, "How often the stop rule may be wrong"), .mechanism)

  static let fields: [Field<Failures>] = [
    .group,
    Field("mechanism", \.mechanism, "What started the first attempt; null where the answer is not split by it"),
    Field("attempts", \.attempts, "Devices whose first attempt is old enough", .column(1, "ATTEMPTS")),
    Field("tooYoung", \.tooYoung, "Devices whose first attempt is not", .column(9, "TOO YOUNG").optional),
    Field("failed", \.failed, "Devices whose first attempt failed, was rolled back or crashed", .column(2, "FAILED")),
    Field("rate", \.rate, "Their share", .column(3, "RATE")),
    Field(
      "retried", \.retried, "Attempts whose patch failed and that fetched the whole in its place; they are not failed"),
    Field("recovered", \.recovered, "Of the failed, devices that got the release in another attempt"),
    Field("reasons", \.reasons, "Why they failed, most first", each: reasonFields("Of all first attempts")),
    Field("reasonsWithheld", \.reasonsWithheld, "Reasons that fewer devices than --min-cell gave"),
    Field(
      "reasonsSoFar", \.reasonsSoFar, "Why stopRule.watchedFailures failed, however young, most first",
      each: reasonFields("Of stopRule.watched")),
    Field("reasonsSoFarWithheld", \.reasonsSoFarWithheld, "Likewise reasons that fewer devices than --min-cell gave"),
    Field("applies", \.applies, "Devices whose launch of the release, reported or not, is old enough"),
    Field("appliesTooYoung", \.appliesTooYoung, "Devices whose launch is not"),
    Field("rolledBack", \.rolledBack, "Of applies, those that rolled it back"),
    Field(
      "rollbackRate", \.rollbackRate, "Their share",
      .column(8, "ROLLBACK RATE", row: \.rollbackCell).withLimits.optional),
    Field(
      "previous", \.previous, "The release before; null where there is none", orNull: previousFields,
      missing: "there is no release before"),
    Field("stopRule", \.stopRule, "Whether to stop or to go on", of: stopRuleFields),
  ]

  private static func reasonFields(_ ofWhich: String) -> [Field<Reason>] {
    [
      Field("reason", \.reason, "As the client says; or rolledBack, or crashed"),
      Field("devices", \.devices, "Devices"), Field("rate", \.rate, ofWhich),
    ]
  }

  private static let previousFields: [Field<Previous>] = [
    Field("release", \.release, "The release before"), Field("attempts", \.attempts, "Its first attempts"),
    Field("failed", \.failed, "Those that failed"),
    Field("rate", \.rate, "Their share", .column(6, "BEFORE", key: "previousRate").optional),
    Field(
      "difference", \.difference, "This release less the one before",
      .column(7, "DIFFERENCE", cell: \.pointsCell).optional),
    Field("ratio", \.ratio, "This release over the one before"),
    Field("fisherP", \.fisherP, "Fisher's exact test, where numbers are small"),
  ]

  private static let reachedFields: [Field<StopEvidence>] = [
    Field("events", \.events, "First attempts that had failed by then"),
    Field("devices", \.devices, "First attempts that had begun by then"),
    Field("permitted", \.permitted, "How many may have failed by then by the limit; null as above"),
  ]

  private static let stopRuleFields: [Field<StopRule>] = [
    Field("limit", \.limit, "The rate that must not be exceeded", .column(5, "LIMIT", row: \.limitCell)),
    Field("limitFrom", \.limitFrom, "Who sets it: --limit, or past releases; floor where none has attempts"),
    Field("pastAttempts", \.pastAttempts, "First attempts at past releases, which a limit from history rests on"),
    Field("alpha", \.alpha, "How often the rule may be wrong, for this row"),
    Field(
      "permitted", \.permitted,
      "How many may have failed by now by the limit, half of it at once; null where past releases do not tell when failures come"
    ),
    Field("evidenceAbove", \.evidenceAbove, "That the rate is above the limit; compare with threshold"),
    Field("evidenceBelow", \.evidenceBelow, "That it is below; compare with threshold"),
    Field("threshold", \.threshold, "How much evidence decides"),
    Field(
      "decision", \.decision,
      "What the rule found; null where nobody set a limit. goOn is not certain yet, and no advice to go on: see advice",
      .column(4, "DECISION", row: \.decisionCell)),
    Field(
      "advice", \.advice, "What to do, as far as first attempts go; null where nobody set a limit, or nobody tried yet",
      .column(10, "ADVICE", row: \.adviceCell).forPrograms),
    Field(
      "reachedAt", \.reachedAt,
      "The first look that said stop, which no later one takes back; null where none did, or where the answer is split"),
    Field(
      "reached", \.reached, "What was known at that look; null likewise", orNull: reachedFields,
      missing: "no look said stop"),
    Field(
      "settled", \.settled,
      "Attempts launched at least rollbackAge ago, or broken at the launch: widen rests on these"),
    Field("watched", \.watched, "First attempts from their start on, however young: stop rests on these"),
    Field("watchedFailures", \.watchedFailures, "Those of them that failed so far"),
    Field("sequence", \.sequence, "The rate with limits that hold at all looks together"),
  ]
}

extension Failures {
  fileprivate var rollbackCell: Cell {
    applies == 0 && appliesTooYoung > 0
      ? .missing(
        because:
          "no launch is old enough yet, of \(grouped(appliesTooYoung)); verdict tells how many were rolled back so far")
      : rollbackRate.shareCell
  }
}

extension Failures.StopRule {
  private static let noLimit = Cell.missing(because: "no limit: no past release has attempts, and no --limit is given")

  fileprivate var decisionCell: Cell { decision.map { .term($0.rawValue, words: $0.words) } ?? Self.noLimit }

  fileprivate var adviceCell: Cell {
    if let advice { return .term(advice.rawValue, words: decision?.words ?? "") }
    return decision == nil ? Self.noLimit : .missing(because: "no device tried yet")
  }

  fileprivate var limitCell: Cell {
    switch limitFrom {
    case .configured, .history: .share(limit)
    case .floor: Self.noLimit
    }
  }
}

extension MixtureTest.Decision {
  fileprivate var words: String {
    switch self {
    case .stop: "STOP"
    case .widen: "widen"
    case .goOn: "watch on"
    }
  }
}
