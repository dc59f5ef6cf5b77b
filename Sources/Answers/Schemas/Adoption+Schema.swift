internal import Statistics

extension AnswerSchema {
  static let adoption = AnswerSchema(
    question: "adoption",
    query: .selection(
      Field("atSeconds", .list(.integer), "The ages asked for"),
      Field("baseline", .text, "auto, none, or a release")),
    row: .group + .riskCounts + [
      Field("release", .text, "The release"),
      Field("publications", .list(.publication), "Where the figures start"),
      Field("ages", .list(.object(age)), "The share by each age"),
      Field("restrictedMeans", .list(.meanBeside), "How long devices go without the update"),
      Field("median", .estimate, "When half had updated, in seconds"), Field("curve", .curve, "The share by time"),
      Field(
        "baseline",
        .nullable(
          .object([
            Field("release", .text, "The other release"), Field("devices", .integer, "Its devices at risk"),
            Field("events", .integer, "Its updates"), Field("curve", .curve, "Its share by time"),
            Field("publications", .list(.publication), "Where its figures start"),
          ])), "What it is held against; null where there is nothing"),
    ], namesWithheld: true)

  private static let age = [
    Field("seconds", .integer, "The age"), Field("atRisk", .integer, "Devices still waiting before it"),
    Field("events", .integer, "Updates by then"), Field("share", .estimate, "Adoption: the share updated by then"),
    Field("atMost", .nullable(.number), "Where nothing has happened yet: the share is at most this"),
    Field(
      "observed",
      .object([
        Field("updated", .integer, "Updates seen"), Field("devices", .integer, "Devices"),
        Field("share", .nullable(.number), "The plain ratio, which is no estimate of adoption"),
      ]), "What is simply seen"),
    Field("isUnstable", .flag, "Fewer than 30 devices carry the estimate"),
    Field("baseline", .nullable(.estimate), "The other release at the same age"),
    Field("difference", .nullable(.estimate), "This release less the other"),
    Field(
      "reason", .nullable(.word(Unestimable.allCases.map(\.rawValue))), "Why there is no share, or no limits of it"),
  ]

  private static let running = [
    Field("release", .nullable(.text), "The release; null for devices that never said"),
    Field("devices", .integer, "Devices that run it"), Field("share", .estimate, "Of reachable devices"),
  ]

  static let reach = AnswerSchema(
    question: "reach",
    query: .selection(
      Field("windowSeconds", .list(.integer), "The reach windows"),
      Field("historySeconds", .nullable(.integer), "How far back `history` goes")),
    row: .group + [
      Field("release", .text, "The release"), Field("at", .instant, "When"),
      Field("publications", .list(.publication), "When and how it came"),
      Field(
        "windows",
        .list(
          .object([
            Field("seconds", .integer, "The reach window"),
            Field("reachable", .integer, "Devices in contact within it"),
            Field("exactly", .part, "They run this release"), Field("orNewer", .part, "This or a newer one"),
            Field("older", .part, "An older one"), Field("unknown", .part, "They never said what they run"),
            Field(
              "eligible",
              .object([
                Field("devices", .integer, "Reachable devices that the rollout lets have it"),
                Field("unknown", .integer, "Reachable devices of which nobody knows that"),
                Field("exactly", .part, "They run this release"), Field("orNewer", .part, "This or a newer one"),
              ]), "Those that may have it"),
          ])), "Reach, for the window asked for, 7 days and 1 day"),
      Field("running", .list(.object(running)), "What reachable devices run, most first"),
      Field("runningWithheld", .integer, "Releases that fewer devices than --min-cell run"),
      Field(
        "history",
        .list(
          .object([
            Field("at", .instant, "When"), Field("reachable", .integer, "Devices in contact then"),
            Field("running", .list(.object(running)), "What they ran, most first"),
            Field("runningWithheld", .integer, "Releases that fewer devices than --min-cell ran"),
          ])), "What reachable devices ran before, with --history"),
      Field(
        "series",
        .list(
          .object([
            Field("at", .instant, "When"),
            Field("ageSeconds", .nullable(.integer), "Since the first publication; negative before it"),
            Field("rolloutPercent", .nullable(.number), "How far the rollout had come; null where platforms differ"),
            Field("reachable", .integer, "Devices in contact then"), Field("exactly", .part, "They ran this release"),
            Field("orNewer", .part, "This or a newer one"),
            Field("eligibleExactly", .part, "They ran this release, among eligible"),
          ])), "The same at past instants"),
      Field("reason", .nullable(.word(Unestimable.allCases.map(\.rawValue))), "Why there is nothing"),
    ], namesWithheld: true)
}
