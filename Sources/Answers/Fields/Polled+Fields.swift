internal import Console
internal import Query

let polledMeaning =
  "Where nobody saw when many devices updated: what is known of it; null where times are known. Estimates then lie between the checks"

extension Polled {
  static let fields: [Field<Polled>] = [
    Field("updates", \.updates, "Updates of which only the checks before and after are known"),
    Field("of", \.of, "Among so many that are known"), Field("share", \.share, "The plain ratio"),
    Field("medianGapSeconds", \.medianGapSeconds, "Half of these checks are at most so far apart"),
    Field(
      "curve", \.$curve, "The share by time, for drawing; null where --points 0 leaves it out",
      eachOrNull: [
        Field("seconds", \.seconds, "Time since the start"), Field("share", \.share, "The share by then"),
        Field("latest", \.latest, "The same with every update at the check that showed it"),
        Field("earliest", \.earliest, "The same with every update right after the check before"),
      ]),
  ]

  /// `of 1,204 of 1,310 updates only the checks before and after are known, half of them 8.0h apart at most`.
  var note: String {
    let gap = medianGapSeconds.map { ", half of these at most \(duration(seconds: Double($0))) apart" } ?? ""
    return
      "of \(grouped(updates)) of \(grouped(of)) updates only the checks before and after are known\(gap): times are"
      + " estimated in between"
  }
}
