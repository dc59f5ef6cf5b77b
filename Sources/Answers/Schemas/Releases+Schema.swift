internal import Query
internal import Statistics

extension AnswerSchema {
  static let releases = AnswerSchema(
    question: "releases",
    query: [
      Field("app", .nullable(.text), "The application; null for all"),
      Field("channel", .names, "The channels looked at"),
      Field("platform", .names, "The platforms looked at"), Field("level", .number, "The confidence of intervals"),
      Field("reachWindowSeconds", .integer, "How long after its last contact a device counts as reachable"),
      Field("now", .instant, "The present"), Field("sparklineSeconds", .list(.integer), "The ages of the sparkline"),
    ],
    row: [
      Field("app", .text, "The application"), Field("release", .text, "The release"),
      Field("channel", .text, "The channel"),
      Field("state", .word(Releases.State.allCases.map(\.rawValue)), "Where it stands"),
      Field("rolloutPercent", .nullable(.number), "How far the rollout has come; null before the publication"),
      Field("isInferred", .flag, "Nobody registered it"), Field("isMandatory", .flag, "Clients must install it"),
      Field("publishedAt", .instant, "When it was published"),
      Field("supersededAt", .nullable(.instant), "When the next one was"),
      Field("ageSeconds", .nullable(.integer), "Since publication; null before it"),
      Field("offered", .integer, "Devices that were told of it, or began to get it"),
      Field("devices", .integer, "Devices with time at risk"), Field("events", .integer, "Updates"),
      Field(
        "observedShare", .nullable(.number), "events of devices: counted, not estimated; null where there are none"),
      Field("adopted", .estimate, "Adoption after a week, or as far as the data go"),
      Field("adoptedAtSeconds", .nullable(.integer), "At which age"),
      Field("isUnstable", .flag, "Fewer than 30 devices carry the estimate"),
      Field("median", .estimate, "When half had updated, in seconds"),
      Field("attempts", .integer, "First attempts old enough to count"),
      Field("failed", .integer, "Those that failed, were rolled back or crashed"),
      Field("failureRate", .estimate, "Their share"), Field("reachable", .integer, "Devices in contact"),
      Field("running", .integer, "Those that run it"), Field("reach", .estimate, "Their share"),
      Field("sparkline", .list(.nullable(.number)), "Adoption at the ages of query.sparklineSeconds"),
    ], namesWithheld: true)

  static let compare = AnswerSchema(
    question: "compare",
    query: .selection(
      Field("baseline", .text, "The other release"),
      Field("shareMargin", .number, "A difference of adoption that matters"),
      Field("timeMarginSeconds", .integer, "A difference of mean time that matters")),
    row: .group + [
      Field("first", .object(side), "The release"), Field("second", .object(side), "The one it is held against"),
      Field("ageSeconds", .integer, "Both are looked at up to this age"),
      Field(
        "ages",
        .list(
          .object([
            Field("seconds", .integer, "The age"), Field("share", .estimate, "Adoption of the first"),
            Field("baseline", .estimate, "Of the second"), Field("difference", .estimate, "First less second"),
            Field("relevance", relevance, "Whether that matters, by the margin"),
          ])), "Adoption at equal ages"),
      Field(
        "restrictedMeans",
        .list(
          .object([
            Field("horizonSeconds", .integer, "The end of the mean"), Field("seconds", .estimate, "Of the first"),
            Field("baseline", .estimate, "Of the second"),
            Field("difference", .estimate, "First less second; negative is faster"),
            Field("relevance", relevance, "Whether that matters, by the margin"),
          ])), "Mean time without the update"),
      Field(
        "logRank",
        .object([
          Field("chiSquare", .nullable(.number), "The statistic"), Field("degreesOfFreedom", .integer, "Of it"),
          Field("p", .nullable(.number), "Its p-value"), Field("log10P", .nullable(.number), "For very small ones"),
          Field("adjustedP", .nullable(.number), "By Holm over the rows of the answer"),
        ]), "Whether they differ at all"),
      Field(
        "hazards",
        .object([
          Field("ratio", .estimate, "How many times faster devices of the first update"),
          Field("early", .estimate, "In the first half of updates"), Field("late", .estimate, "In the second half"),
          Field(
            "verdict", .word(ProportionalHazards.Verdict.allCases.map(\.rawValue)), "Whether one ratio tells it all"),
        ]), "The ratio of hazards"),
      Field(
        "mechanisms",
        .list(
          .object([
            Field("mechanism", .text, "The trigger"), Field("seconds", .integer, "The age"),
            Field("share", .estimate, "What it delivered of the first"), Field("baseline", .estimate, "Of the second"),
            Field("difference", .estimate, "First less second"), Field("p", .nullable(.number), "The p-value"),
          ])), "By mechanism"),
      Field(
        "usual",
        .list(
          .object([
            Field("seconds", .integer, "The age"), Field("releases", .list(.text), "Past releases that lived so long"),
            Field("lowest", .nullable(.number), "Their least adoption"),
            Field("highest", .nullable(.number), "Their most"),
          ])), "What past releases did: a difference inside is nothing unusual"),
      Field("failureDifference", .estimate, "Failure rates, first less second"),
      Field("failureRatio", .estimate, "First over second"),
      Field("failureFisherP", .nullable(.number), "Fisher's exact test, where numbers are small"),
      Field("verdict", .word(["ahead", "behind", "equivalent", "undecided", "cannotSay"]), "In a word"),
    ], namesWithheld: true)

  private static let relevance = Shape.word(Relevance.allCases.map(\.rawValue))

  private static let side = [
    Field("release", .text, "The release"), Field("counts", .object(.riskCounts), "What stands behind its figures"),
    Field("publishedAt", .nullable(.instant), "When it was published"),
    Field("weekday", .nullable(.text), "On which day of the week, UTC"),
    Field("hour", .nullable(.integer), "At which hour of that day, UTC"),
    Field(
      "failures",
      .object([
        Field("attempts", .integer, "First attempts"),
        Field("failed", .integer, "Those that failed, were rolled back or crashed"),
        Field("rate", .estimate, "Their share"),
      ]), "First attempts"),
  ]
}
