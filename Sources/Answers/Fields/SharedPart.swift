internal import Console
internal import Query
internal import Statistics

/// An object that several answers are made of; its fields are listed once, under its name.
protocol SharedPart: Shaped {
  static var name: String { get }
  static var purpose: String { get }
  static var fields: [Field<Self>] { get }
}

extension SharedPart {
  static var shape: Shape { .part(name, members) }
  static var members: [Member] { fields.map(\.member) }
  func listed() throws -> JSON { try Self.fields.json(self) }
}

/// In the order of the reference.
let sharedParts: [any SharedPart.Type] = [
  Estimate.self, Rate.self, TimeToUpdate.Quantile.self, Push.Latency.self, Push.Point.self, TimeToUpdate.Share.self,
  TimeToUpdate.Point.self, Push.DeviceHours.self, PublicationRow.self, Curve.self, Adoption.RestrictedMean.self,
  TimeToUpdate.RestrictedMean.self, Reach.Part.self, Significance.self, LogRankRow.self, Warning.self,
]

extension Estimate: SharedPart {
  static let (name, purpose) = ("estimate", "A number with its limits")
  static let fields: [Field<Estimate>] = [
    Field("value", \.value, "The estimate; null where it cannot be given"),
    Field("lo", \.lo, "The lower limit; null where there is none"),
    Field("hi", \.hi, "The upper limit; null where there is none"),
    Field("level", \.level, "The confidence of the limits, such as 0.95"),
    Field("method", \.method, "How value and limits were found"),
    Field("reason", \.reason, "Why the value or a limit is missing"),
  ]
}

extension Rate: SharedPart {
  static let (name, purpose) = ("rate", "A share of things that come several per device")
  static let fields: [Field<Rate>] = [
    Field("count", \.count, "How many"), Field("of", \.of, "Among how many"),
    Field("devices", \.devices, "Devices that these belong to"), Field("share", \.share, "The share"),
    Field("atMost", \.atMost, "Where there was none and the share has no limits: it is at most this"),
    Field(
      "designEffect", \.designEffect,
      "How much wider the variance is than for independent things; null where each device has at most one"),
  ]
}

extension Reach.Part: SharedPart {
  static let (name, purpose) = ("part", "Some of the devices of a named denominator")
  static let fields: [Field<Reach.Part>] = [
    Field("devices", \.devices, "How many; null where fewer than --min-cell"),
    Field("of", \.of, "Among how many; null where these are so few"),
    Field("denominator", \.denominator, oneOf: ["reachable", "eligible"], "What those are"),
    Field("share", \.share, "The share"),
  ]
}

extension Significance: SharedPart {
  static let (name, purpose) = ("significance", "A p-value")
  static let fields: [Field<Significance>] = [
    Field("p", \.p, "The p-value"), Field("log10", \.log10, "Its logarithm, for very small ones"),
  ]
}

extension LogRankRow: SharedPart {
  static let (name, purpose) = ("logRank", "The log-rank test, stratified by platform")
  static let fields: [Field<LogRankRow>] = [
    Field("chiSquare", \.chiSquare, "The statistic"), Field("degreesOfFreedom", \.degreesOfFreedom, "Of it"),
    Field("significance", \.significance, "Its p-value"),
    Field("adjusted", \.adjusted, "By Holm over the tests of the answer"),
    Field("reason", \.reason, oneOf: Unestimable.words, orNull: "Why there is none"),
  ]
}

extension Warning: SharedPart {
  static let (name, purpose) = ("warning", "Something that a reader of the numbers must know")
  static let fields: [Field<Warning>] = [
    Field("code", \.code, "A stable word for programs"), Field("message", \.message, "A sentence for people"),
  ]
}
