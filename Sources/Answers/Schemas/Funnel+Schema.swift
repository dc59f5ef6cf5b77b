extension AnswerSchema {
  static let funnel = AnswerSchema(
    question: "funnel",
    query: .selection(Field("maturitySeconds", .integer, "Shares are of devices that entered a step so long ago")),
    row: .group + [
      Field("devices", .integer, "Devices of which any stage was seen"),
      Field(
        "stages",
        .list(
          .object([
            Field("stage", .text, "The stage"), Field("reached", .integer, "Devices seen at it or at a later one"),
            Field("implied", .integer, "Of these, devices seen only at a later one"),
          ])), "How many got how far"),
      Field("steps", .list(.object(step)), "From each stage to the next"),
      Field(
        "largestLoss",
        .nullable(
          .object([
            Field("from", .text, "The stage reached"), Field("to", .text, "The stage not reached"),
            Field("devices", .integer, "Devices that stayed behind"), Field("message", .text, "The same in words"),
          ])), "Where most stay behind; null where none does"),
    ], namesWithheld: true)

  private static let step = [
    Field("from", .text, "The stage before"), Field("to", .text, "The stage after"),
    Field("entered", .integer, "Devices that entered the step long enough ago"),
    Field("reached", .integer, "Of these, devices that took it"), Field("lost", .integer, "Those that did not"),
    Field("share", .estimate, "The share that took it"),
    Field(
      "latency",
      .object([
        Field("devices", .integer, "Devices whose entry was seen"), Field("reached", .integer, "Took the step"),
        Field("failed", .integer, "Failed first"), Field("newerRelease", .integer, "Went to a newer release first"),
        Field("censored", .integer, "Still on the way"),
        Field("recovered", .integer, "Of the failed, those that took the step after all"),
        Field("quantiles", .list(.quantile), "Times of shares"), Field("curve", .list(.point), "The share by time"),
      ]), "How long it takes"),
  ]
}
