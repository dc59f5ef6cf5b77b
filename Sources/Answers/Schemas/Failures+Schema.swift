internal import Query
internal import Statistics

extension AnswerSchema {
  static let failures = AnswerSchema(
    question: "failures",
    query: .selection(
      Field("attemptAgeSeconds", .integer, "A first attempt counts once it is so old"),
      Field("rollbackAgeSeconds", .integer, "An update counts for rollbacks once so old"),
      Field("limit", .nullable(.number), "The limit asked for; null where none was given"),
      Field("alpha", .number, "How often the stop rule may be wrong")),
    row: .group + [
      Field("mechanism", .nullable(.text), "What started the first attempt; null where the answer is not split by it"),
      Field("attempts", .integer, "Devices whose first attempt is old enough"),
      Field("tooYoung", .integer, "Devices whose first attempt is not"),
      Field("failed", .integer, "Devices whose first attempt failed, was rolled back or crashed"),
      Field("rate", .estimate, "Their share"),
      Field(
        "reasons",
        .list(
          .object([
            Field("reason", .text, "As the client says; or rolledBack, or crashed"),
            Field("devices", .integer, "Devices"),
            Field("rate", .estimate, "Of all first attempts"),
          ])), "Why they failed, most first"),
      Field("reasonsWithheld", .integer, "Reasons that fewer devices than --min-cell gave"),
      Field("applies", .integer, "Devices whose launch of the release, reported or not, is old enough"),
      Field("appliesTooYoung", .integer, "Devices whose launch is not"),
      Field("rolledBack", .integer, "Devices that rolled it back"), Field("rollbackRate", .estimate, "Their share"),
      Field(
        "previous",
        .nullable(
          .object([
            Field("release", .text, "The release before"), Field("attempts", .integer, "Its first attempts"),
            Field("failed", .integer, "Those that failed"), Field("rate", .estimate, "Their share"),
            Field("difference", .estimate, "This release less the one before"),
            Field("ratio", .estimate, "This release over the one before"),
            Field("fisherP", .nullable(.number), "Fisher's exact test, where numbers are small"),
          ])), "The release before; null where there is none"),
      Field("stopRule", .object(stopRule), "Whether to stop or to go on"),
    ], namesWithheld: true)

  private static let stopRule = [
    Field("limit", .number, "The rate that must not be exceeded"),
    Field(
      "limitFrom", .word(Failures.LimitSource.allCases.map(\.rawValue)),
      "Who sets it: --limit, or past releases; floor where none has attempts"),
    Field("pastAttempts", .integer, "First attempts at past releases, which a limit from history rests on"),
    Field("alpha", .number, "How often the rule may be wrong, for this row"),
    Field("evidenceAbove", .number, "That the rate is above the limit; compare with threshold"),
    Field("evidenceBelow", .number, "That it is below; compare with threshold"),
    Field("threshold", .number, "How much evidence decides"),
    Field(
      "decision", .nullable(.word(MixtureTest.Decision.allCases.map(\.rawValue))),
      "What to do; null where nobody set a limit"),
    Field(
      "settled", .integer, "Attempts launched at least rollbackAge ago, or broken at the launch: widen rests on these"),
    Field("sequence", .estimate, "The rate with limits that hold at all looks together"),
  ]

  static let forecast = AnswerSchema(
    question: "forecast",
    query: .selection(
      Field("band", .number, "How often the truth should lie in the band"),
      Field("horizonSeconds", .integer, "How far the curve goes")),
    row: .group + [
      Field("devices", .integer, "Devices at risk"), Field("events", .integer, "Updates"),
      Field("ageSeconds", .integer, "The age at which the forecast is made"),
      Field("adoptedNow", .nullable(.estimate), "Adoption at that age"),
      Field("history", .list(.text), "Past releases that could be used"),
      Field(
        "obstacle", .nullable(.word(["insufficientHistory", "tooYoung", "tooFewDevices", "nothingAtRisk"])),
        "Why nothing is foretold"),
      Field("points", .list(.point), "Adoption at the ages asked for that are still ahead"),
      Field(
        "arrivals",
        .list(
          .object([
            Field("share", .number, "The share of devices"), Field("seconds", .estimate, "The release's age then"),
          ])), "When shares will have updated"),
      Field("curve", .list(.point), "Adoption hour by hour"),
      Field("backTest", .list(.object(backTest)), "How past releases would have been foretold"),
      Field("verdict", verdict, "Whether to believe it"),
    ], namesWithheld: true)

  private static let verdict = Shape.word(ForecastBackTest.Cell.Verdict.allCases.map(\.rawValue))

  private static let backTest = [
    Field("snapshotSeconds", .integer, "The age at which it was foretold"),
    Field("targetSeconds", .integer, "The age that was foretold"),
    Field("covered", .integer, "Releases whose truth lay in the band"), Field("releases", .integer, "Of so many"),
    Field("coverage", .estimate, "The share"), Field("error", .nullable(.number), "Mean absolute error of the share"),
    Field("naiveError", .nullable(.number), "The same for: as the release before"),
    Field("verdict", verdict, "The judgement"),
  ]
}
