extension AnswerSchema {
  static let timeToUpdate = AnswerSchema(
    question: "time-to-update",
    query: .selection(Field("horizonSeconds", .integer, "The end of the restricted mean")),
    row: .group + .riskCounts + [
      Field("quantiles", .list(.quantile), "When shares of devices had updated"),
      Field(
        "restrictedMean",
        .object([
          Field("horizonSeconds", .integer, "The end of the mean"),
          Field("seconds", .estimate, "Mean time without the update within it"),
        ]), "How long devices go without the update"),
      Field("curve", .list(.riskPoint), "The share updated by time, a point for each second with an update"),
      Field(
        "mechanisms",
        .list(
          .object([
            Field("mechanism", .text, "The trigger, or newerRelease where that competes"),
            Field("events", .integer, "Updates by it"),
            Field("curve", .list(.share), "The share of all devices that it had updated by time"),
            Field("quantiles", .list(.quantile), "When it had updated shares of all devices"),
          ])), "What each mechanism delivered; all shares and the rest make 1"),
      Field(
        "censorMarks",
        .list(
          .object([
            Field("seconds", .integer, "By when"), Field("devices", .integer, "How many since the mark before"),
          ])), "Where devices left without the update, at most 15 marks"),
      Field("stableUntilSeconds", .nullable(.integer), "The last second with at least 30 devices at risk"),
      Field(
        "fadesFromSeconds", .nullable(.integer),
        "From here on one more update would move the curve by over one percentage point"),
    ], namesWithheld: true)
}
