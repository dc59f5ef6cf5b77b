internal import Query
internal import Statistics

/// What `isUnstable` says, wherever an answer has it: `KaplanMeier.isUnstable`.
let isUnstableMeaning =
  "One update more would move the estimate by over a thirtieth (3.3 pp), here or at an update before"

extension TimeToUpdate.Quantile: SharedPart {
  static let (name, purpose) = ("quantile", "When a share of devices had got there")
  static let fields: [Field<Self>] = [
    Field("p", \.p, "The share of devices"), Field("seconds", \.seconds, "When they had got there"),
  ]
}

extension Push.Latency: SharedPart {
  static let (name, purpose) = ("latency", "How long something took")
  static let fields: [Field<Self>] = [
    Field("quantiles", \.quantiles, "Times of shares"), Field("curve", \.curve, "The share by time"),
    Field("events", \.events, "How often it happened"), Field("censored", \.censored, "How often nobody can say"),
  ]
}

extension SharedPart where Self: Timed {
  static var fields: [Field<Self>] {
    [Field("seconds", \.seconds, "Time since the start"), Field("share", \.share, "The share by then")]
  }
}

extension Push.Point: Timed, SharedPart { static let (name, purpose) = ("point", "A point of a curve") }
extension Forecast.Point: Timed, SharedPart { static let (name, purpose) = (Push.Point.name, Push.Point.purpose) }
extension TimeToUpdate.Share: Timed, SharedPart {
  static let (name, purpose) = ("share", "A point of a mechanism's curve")
}
extension Experiment.Age: Timed, SharedPart {
  static let (name, purpose) = (TimeToUpdate.Share.name, TimeToUpdate.Share.purpose)
}

extension TimeToUpdate.Point: Timed, SharedPart {
  static let (name, purpose) = ("riskPoint", "A point of a survival curve")
  static let fields: [Field<Self>] = [
    Field("seconds", \.seconds, "Time since the start"), Field("atRisk", \.atRisk, "Devices still waiting before it"),
    Field("events", \.events, "Updates at that second"), Field("share", \.share, "The share updated by then"),
    Field("isUnstable", \.isUnstable, isUnstableMeaning),
  ]
}

extension Push.DeviceHours: SharedPart {
  static let (name, purpose) = ("deviceHours", "Hours of the clock in which devices were sent pushes")
  static let fields: [Field<Self>] = [
    Field("hours", \.hours, "Hours of the clock (UTC) in which a device was sent pushes"),
    Field("byPushes", \.byPushes, "Those hours by how many pushes: 1, 2, 3, 4+"),
    Field("overThree", \.overThree, "Hours with more than three"), Field("most", \.most, "The most in one hour"),
  ]
}

extension PublicationRow: SharedPart {
  static let (name, purpose) = ("publication", "When and how a release came to a channel")
  static let fields: [Field<Self>] = [
    Field("channel", \.channel, "The channel"), Field("platform", \.platform, "The platform; null for all"),
    Field("publishedAt", \.publishedAt, "When"), Field("weekday", \.weekday, "The day of the week, UTC"),
    Field("hour", \.hour, "The hour of the day, UTC"),
    Field("isInferred", \.isInferred, "Nobody registered it: the first event about it stands in"),
    Field("isMandatory", \.isMandatory, "Clients must install it"),
    Field(
      "rollout", \.rollout, "The steps of the rollout; none is everybody at once",
      each: [
        Field("at", \.at, "From when on"), Field("ageSeconds", \.ageSeconds, "The same since publication"),
        Field("percent", \.percent, "The share of devices that may have it"),
      ]),
    Field("supersededAt", \.supersededAt, "When the next release came there"),
  ]
}

extension Curve: SharedPart {
  static let (name, purpose) = ("curve", "A curve for drawing, a step at each point")
  static let fields: [Field<Self>] = [
    Field(
      "points", \.$points, "The steps; null where --points 0 leaves them out",
      eachOrNull: [
        Field("seconds", \.seconds, "From here on"), Field("atRisk", \.atRisk, "Devices still waiting"),
        Field("value", \.value, "The share"), Field("lo", \.lo, "Its lower limit"),
        Field("hi", \.hi, "Its upper limit"),
      ]),
    Field(
      "stableUntilSeconds", \.stableUntilSeconds,
      "The last second with at least 30 devices at risk before the first update among fewer"),
    Field(
      "fadesFromSeconds", \.fadesFromSeconds,
      "From here on one more update would move the curve by over one percentage point"),
  ]
}

extension Adoption.RestrictedMean: SharedPart {
  static let (name, purpose) = ("meanBeside", "Mean time without the update, beside another release")
  static let fields: [Field<Self>] = [
    Field("horizonSeconds", \.horizonSeconds, "The end of the mean"),
    Field("seconds", \.seconds, "Of this release"), Field("baseline", \.baseline, "Of the other"),
    Field("difference", \.difference, "This one less the other; negative is faster"),
  ]
}

extension TimeToUpdate.RestrictedMean: SharedPart {
  static let (name, purpose) = ("restrictedMean", "Mean time without the update")
  static let fields: [Field<Self>] = [
    Field("horizonSeconds", \.horizonSeconds, "The end of the mean"),
    Field("seconds", \.seconds, "The mean within it"),
  ]
}
