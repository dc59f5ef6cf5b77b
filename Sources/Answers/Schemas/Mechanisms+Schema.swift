internal import Statistics

extension AnswerSchema {
  static let mechanisms = AnswerSchema(
    question: "mechanisms",
    query: .selection(
      Field("atSeconds", .list(.integer), "The ages asked for"),
      Field("horizonSeconds", .integer, "The end of the restricted mean")),
    row: .group + .riskCounts + [
      Field("release", .text, "The release"), Field("publications", .list(.publication), "Where the figures start"),
      Field("ages", .list(.object(age)), "What each mechanism had delivered by each age"),
      Field(
        "hazardRatios",
        .list(
          .object([
            Field("first", .text, "A mechanism"), Field("second", .text, "Another"),
            Field("firstEvents", .integer, "Updates by the first"),
            Field("secondEvents", .integer, "Updates by the second"),
            Field("ratio", .estimate, "How many times as often the first was first"),
            Field("significance", .nullable(.significance), "Against a ratio of 1"),
          ])), "How mechanisms compete"),
      Field("legs", .list(.object(leg)), "The mechanism's part and the user's"),
      Field("withoutDelivery", .integer, "Updates of which nobody reported when they became ready"),
      Field("experiment", .nullable(.object(experiment)), "A random experiment; null where the app marks no arms"),
      Field("ways", .list(.object(way)), "Periodic sync and silent push, with the fleet's own figures"),
    ], namesWithheld: true)

  private static let age = [
    Field("seconds", .integer, "The age"), Field("atRisk", .integer, "Devices still waiting before it"),
    Field(
      "shares",
      .list(
        .object([
          Field("mechanism", .text, "The trigger, or newerRelease"), Field("events", .integer, "Updates by it so far"),
          Field("share", .estimate, "Of all devices"),
        ])), "What each had delivered; with waiting they make 1"),
    Field("waiting", .estimate, "Those that still wait"),
    Field(
      "differences",
      .list(
        .object([
          Field("first", .text, "A mechanism"), Field("second", .text, "Another"),
          Field("share", .estimate, "The first less the second"),
        ])), "Between mechanisms"),
    Field("isUnstable", .flag, "Fewer than 30 devices carry the estimate"),
  ]

  private static let leg = [
    Field("mechanism", .text, "The trigger"), Field("delivered", .integer, "Devices that it made ready"),
    Field(
      "publishedToReady",
      .object([
        Field("shares", .list(.share), "The share of all devices that it had made ready by each age"),
        Field("quantiles", .list(.quantile), "When it had made shares of all devices ready"),
        Field(
          "amongDelivered",
          .list(
            .object([
              Field("p", .number, "The share"), Field("seconds", .nullable(.number), "When; no limits"),
            ])), "The same among those that it reached by now"),
      ]), "The mechanism's part"),
    Field(
      "readyToApplied",
      .object([
        Field("devices", .integer, "Devices that were ready"), Field("applied", .integer, "Those that applied it"),
        Field("censored", .integer, "Those that have not yet"), Field("quantiles", .list(.quantile), "Times of shares"),
        Field("restrictedMean", .restrictedMean, "Mean wait for the user"),
      ]), "The user's part"),
  ]

  private static let experiment = [
    Field("reference", .text, "The arm named control, holdout or hold-out; else the first by name"),
    Field(
      "arms",
      .list(
        .object([
          Field("arm", .text, "The arm"), Field("devices", .integer, "Its devices"),
          Field("events", .integer, "Its updates"),
          Field("ages", .list(.share), "Adoption by each age"), Field("median", .estimate, "When half had updated"),
        ])), "The arms"),
    Field(
      "comparisons",
      .list(
        .object([
          Field("arm", .text, "The arm"), Field("reference", .text, "What it is held against"),
          Field("logRank", .logRank, "Whether they differ at all"),
          Field("shares", .list(.share), "Difference of adoption by each age"),
          Field("restrictedMeans", .list(.restrictedMean), "Difference of mean time without the update"),
        ])), "Each arm less the reference: effects of the assignment"),
    Field("withoutArm", .integer, "Devices that named no arm"),
  ]

  private static let way = [
    Field("way", .word(["periodicSync", "silentPush"]), "The way"), Field("mechanism", .text, "Its trigger"),
    Field("deliverySeconds", .nullable(.number), "Until half of what it delivered was ready"),
    Field("delivered", .integer, "Devices that it made ready"),
    Field(
      "interference",
      .object([
        Field("kind", .word(["lostPushes", "overruns"]), "What the system took away"),
        Field("share", .nullable(.estimate), "How much"),
        Field("medianIntervalSeconds", .nullable(.integer), "Between two runs on one device"),
        Field("reason", .nullable(.text), "Why there is no share"),
      ]), "What the operating system did"),
    Field("needsPushServer", .flag, "Whether somebody must run one"), Field("goodFor", .text, "What it is good for"),
  ]
}
