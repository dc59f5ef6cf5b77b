internal import Lifecycle
internal import Query

extension AnswerSchema {
  static let breadcrumbs = AnswerSchema(
    question: "breadcrumbs",
    query: [
      Field("app", .text, "The application"), Field("device", .text, "The keyed hash of the id"),
      Field("now", .instant, "The present"), Field("limit", .integer, "The most steps"),
    ],
    row: [
      Field("device", .text, "The keyed hash of the id, in hexadecimal digits"),
      Field("platform", .nullable(.text), "As the client says"), Field("appVersion", .nullable(.text), "Likewise"),
      Field("channel", .nullable(.text), "The channel it is on"),
      Field("firstContact", .nullable(.instant), "When it was first heard of"),
      Field("lastContact", .nullable(.instant), "When it was last heard of"),
      Field(
        "update",
        .nullable(
          .object([
            Field("release", .text, "The release applied last"), Field("at", .instant, "When"),
            Field("secondsAgo", .integer, "How long before the present"),
            Field("mechanism", .text, "What delivered it"),
            Field("secondsFromOffer", .nullable(.integer), "From the first offer to applying it"),
          ])), "The last update; null where there was none"),
      Field(
        "failure",
        .nullable(
          .object([
            Field("release", .text, "The release"), Field("at", .instant, "When that first happened to it"),
            Field("stage", .word(FailedStage.allCases.map(\.rawValue)), "What happened"),
            Field("reason", .nullable(.text), "As the client says; of failed only"),
          ])), "The last release that failed, was rolled back or crashed; null where none did"),
      Field("summary", .text, "Where the device stands, in a sentence"),
      Field("crumbs", .list(.object(crumb)), "The steps, newest last"),
    ])

  private static let crumb = [
    Field("at", .instant, "When"), Field("stage", .word(Stage.allCases.map(\.rawValue)), "The stage"),
    Field("trigger", .word(Trigger.allCases.map(\.rawValue)), "What started the work"),
    Field("release", .nullable(.text), "The release it is about, or that the device runs"),
    Field("outcome", .nullable(.text), "Of a wake-up or a push"), Field("reason", .nullable(.text), "Of a failure"),
    Field("channel", .nullable(.text), "The channel"), Field("network", .nullable(.text), "The network"),
    Field("seconds", .nullable(.number), "How long it took"),
    Field("isCondensed", .flag, "The single event was removed; this is what is left of it"),
    Field("text", .text, "The step in words"),
  ]
}
