internal import Lifecycle
internal import Query
internal import Statistics

/// The objects that several answers are made of.
enum Part: String, CaseIterable, Sendable {
  case estimate, rate, quantile, latency, point, share, riskPoint, deviceHours, publication, curve, meanBeside,
    restrictedMean, part,
    significance, logRank, warning

  var purpose: String {
    switch self {
    case .estimate: "A number with its limits"
    case .rate: "A share of things that come several per device"
    case .quantile: "When a share of devices had got there"
    case .latency: "How long something took"
    case .point: "A point of a curve"
    case .share: "A point of a mechanism's curve"
    case .riskPoint: "A point of a survival curve"
    case .deviceHours: "Hours of the clock in which devices were sent pushes"
    case .publication: "When and how a release came to a channel"
    case .curve: "A curve for drawing, a step at each point"
    case .meanBeside: "Mean time without the update, beside another release"
    case .restrictedMean: "Mean time without the update"
    case .significance: "A p-value"
    case .logRank: "The log-rank test, stratified by platform"
    case .part: "Some of the devices of a named denominator"
    case .warning: "Something that a reader of the numbers must know"
    }
  }

  var shape: Shape { .object(fields) }

  var fields: [Field] {
    switch self {
    case .estimate:
      [
        Field("value", .nullable(.number), "The estimate; null where it cannot be given"),
        Field("lo", .nullable(.number), "The lower limit; null where there is none"),
        Field("hi", .nullable(.number), "The upper limit; null where there is none"),
        Field("level", .number, "The confidence of the limits, such as 0.95"),
        Field("method", .word(Estimate.Method.allCases.map(\.rawValue)), "How value and limits were found"),
        Field(
          "reason", .nullable(.word(Unestimable.allCases.map(\.rawValue))), "Why the value or a limit is missing"),
      ]
    case .rate:
      [
        Field("count", .integer, "How many"), Field("of", .integer, "Among how many"),
        Field("devices", .integer, "Devices that these belong to"), Field("share", .estimate, "The share"),
        Field(
          "designEffect", .nullable(.number),
          "How much wider the variance is than for independent things; null where each device has at most one"),
      ]
    case .quantile:
      [Field("p", .number, "The share of devices"), Field("seconds", .estimate, "When they had got there")]
    case .latency:
      [
        Field("quantiles", .list(.quantile), "Times of shares"), Field("curve", .list(.point), "The share by time"),
        Field("events", .integer, "How often it happened"), Field("censored", .integer, "How often nobody can say"),
      ]
    case .point:
      [Field("seconds", .integer, "Time since the start"), Field("share", .estimate, "The share by then")]
    case .share: Part.point.fields
    case .riskPoint:
      [
        Field("seconds", .integer, "Time since the start"),
        Field("atRisk", .integer, "Devices still waiting before it"),
        Field("events", .integer, "Updates at that second"), Field("share", .estimate, "The share updated by then"),
        Field("isUnstable", .flag, "Fewer than 30 devices carry the estimate"),
      ]
    case .deviceHours:
      [
        Field("hours", .integer, "Hours of the clock (UTC) in which a device was sent pushes"),
        Field("byPushes", .map(.integer), "Those hours by how many pushes: 1, 2, 3, 4+"),
        Field("overThree", .integer, "Hours with more than three"), Field("most", .integer, "The most in one hour"),
      ]
    case .publication:
      [
        Field("channel", .text, "The channel"), Field("platform", .nullable(.text), "The platform; null for all"),
        Field("publishedAt", .instant, "When"), Field("weekday", .text, "The day of the week, UTC"),
        Field("hour", .integer, "The hour of the day, UTC"),
        Field("isInferred", .flag, "Nobody registered it: the first event about it stands in"),
        Field("isMandatory", .flag, "Clients must install it"),
        Field(
          "rollout",
          .list(
            .object([
              Field("at", .instant, "From when on"), Field("ageSeconds", .integer, "The same since publication"),
              Field("percent", .number, "The share of devices that may have it"),
            ])), "The steps of the rollout; none is everybody at once"),
        Field("supersededAt", .nullable(.instant), "When the next release came there"),
      ]
    case .curve:
      [
        Field(
          "points",
          .list(
            .object([
              Field("seconds", .integer, "From here on"), Field("atRisk", .integer, "Devices still waiting"),
              Field("value", .number, "The share"), Field("lo", .nullable(.number), "Its lower limit"),
              Field("hi", .nullable(.number), "Its upper limit"),
            ])), "The steps"),
        Field("stableUntilSeconds", .nullable(.integer), "The last second with at least 30 devices at risk"),
        Field(
          "fadesFromSeconds", .nullable(.integer),
          "From here on one more update would move the curve by over one percentage point"),
      ]
    case .meanBeside:
      [
        Field("horizonSeconds", .integer, "The end of the mean"),
        Field("seconds", .estimate, "Of this release"), Field("baseline", .nullable(.estimate), "Of the other"),
        Field("difference", .nullable(.estimate), "This one less the other; negative is faster"),
      ]
    case .restrictedMean:
      [
        Field("horizonSeconds", .integer, "The end of the mean"), Field("seconds", .estimate, "The mean within it"),
      ]
    case .significance:
      [Field("p", .number, "The p-value"), Field("log10", .number, "Its logarithm, for very small ones")]
    case .logRank:
      [
        Field("chiSquare", .nullable(.number), "The statistic"), Field("degreesOfFreedom", .integer, "Of it"),
        Field("significance", .nullable(.significance), "Its p-value"),
        Field("adjusted", .nullable(.significance), "By Holm over the tests of the answer"),
        Field("reason", .nullable(.word(Unestimable.allCases.map(\.rawValue))), "Why there is none"),
      ]
    case .part:
      [
        Field("devices", .integer, "How many"), Field("of", .integer, "Among how many"),
        Field("denominator", .word(["reachable", "eligible"]), "What those are"),
        Field("share", .estimate, "The share"),
      ]
    case .warning:
      [
        Field("code", .text, "A stable word for programs"), Field("message", .text, "A sentence for people"),
      ]
    }
  }
}

extension [Field] {
  /// The counts beside every estimate of a group.
  static let riskCounts = [
    Field("devices", .integer, "Devices with time at risk; one that moved to another channel counts in each"),
    Field("events", .integer, "Updates"),
    Field("observedShare", .nullable(.number), "events of devices: counted, not estimated; null where there are none"),
    Field("eventsByMechanism", .map(.integer), "Updates by the trigger that is credited"),
    Field("newerRelease", .integer, "Devices that went to a newer release, where that competes"),
    Field("censored", .integer, "Intervals at risk that ended without an update"),
    Field("censoredBy", .map(.integer), "Those by why they ended: cutOff, silent, switched, superseded"),
    Field("intervals", .integer, "Intervals at risk; more than devices where some went silent and came back"),
    Field("lateEntries", .integer, "Intervals that began after time 0"),
    Field("excluded", .map(.integer), "Devices without time at risk, by reason"),
    Field("remarks", .map(.integer), "Devices that a reader should know of, by remark"),
  ]
  static let group = [Field("group", .map(.text), "The names of the group, as far as --by splits")]
}
