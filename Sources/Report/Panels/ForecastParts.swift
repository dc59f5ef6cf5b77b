internal import Console
internal import Query
internal import Statistics

extension Panel {
  /// The forecast that may be drawn: one that is made, and that its back-test does not speak against.
  static func forecast(_ release: ReleaseAnswers) -> Forecast? {
    release.forecast?.data.first { $0.obstacle == nil && !$0.curve.isEmpty && $0.verdict != .notSupported }
  }

  /// From where the release stands now.
  static func line(_ forecast: Forecast, _ latest: Adoption.Age?) -> StepChart.Line {
    let now = latest.flatMap { latest in
      latest.share.value.map { StepChart.Point(seconds: Double(latest.seconds), share: $0, lo: $0, hi: $0) }
    }
    let points = [now].compactMap(\.self) + forecast.curve.compactMap { StepChart.Point($0.seconds, $0.share) }
    return StepChart.Line(
      name: "expected", ink: .main, points: points, until: points.last?.seconds ?? 0, shape: .forecast)
  }

  /// What is expected and how such expectations fared, or why there are none.
  static func foretold(_ release: ReleaseAnswers) -> HTML {
    guard let row = release.forecast?.data.first else { return .empty }
    if let obstacle = row.obstacle { return note("No forecast: \(obstacle.words).") }
    if row.verdict == .notSupported {
      return note(
        "No forecast is drawn: earlier releases were forecast worse than by the release before them, or missed their band."
      )
    }
    guard let last = row.points.last(where: { $0.share.value != nil }) else { return .empty }
    let level = Format.share(last.share.level, 0)
    return note(
      """
      Expected \(Console.duration(seconds: Double(last.seconds))) after publication: \(last.share.html(.share)), a band that \
      should hold \(level) of the time, from \(row.history.count) earlier releases. \
      \(tested(row, isOfOtherDays: Forecast.isOfOtherDays(release.forecast?.warnings ?? [])))\
      \(row.unlike == nil ? "" : " It is beyond what they had at its age, and need not go on as they did.")
      """)
  }

  private static func tested(_ row: Forecast, isOfOtherDays: Bool) -> HTML {
    let tests = row.backTest.reduce((0, 0)) { ($0.0 + $1.covered, $0.1 + $1.releases) }
    if tests.1 == 0 { return "Too few were before each of them to test how good such a band is." }
    let doubt = row.verdict == .unknown ? "; that is too few to say whether it can be trusted" : ""
    let days = isOfOtherDays ? ", with other days of the week ahead: of this one it says too little" : ""
    return "In the back-test it held \(tests.0) of \(tests.1) times\(doubt)\(days)."
  }
}

extension Forecast.Obstacle {
  var words: String {
    switch self {
    case .insufficientHistory: "fewer than three earlier releases went far enough"
    case .tooYoung: "it was followed for less than six hours"
    case .tooFewDevices: "fewer than 200 devices were at risk"
    case .nothingAtRisk: "nobody was at risk"
    case .enteredLater: "devices came in after few, or none, were left"
    case .partsNotFollowed: "not every channel and platform was followed for half of its age"
    case .halted: "its rollout was halted: no other device gets it"
    case .unlikeBefore: "it is far below what earlier releases had at its age, so it does not go on as they did"
    }
  }
}
