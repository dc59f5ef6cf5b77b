internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

private extension Option {
  static let at = ages("24h,48h,72h,96h,168h", "The ages to forecast")
  static let band = Option(
    "band", .number(0.5...0.99), fallback: "0.8", group: "STATISTICS",
    help: "How often the truth should lie in the band; few past releases cannot support more")
  static let shares = Option(
    "shares", .number(0.01...0.999), arity: .list, fallback: "0.5,0.9,0.95", group: "STATISTICS",
    help: "The shares whose time is forecast")
  static let horizon = Option(
    "horizon", .duration, fallback: "168h", group: "STATISTICS", help: "How far ahead the curve is forecast")
}

extension Forecast: ReleaseQuestion, Grouped {
  static let usage = Usage(
    "forecast", purpose: "Forecast adoption from past releases",
    discussion: """
      A release that is at least six hours old, has 200 devices, and has three predecessors of its kind that it is like so \
      far. The back-test says how far past releases were forecast right, each from the ones before it only.
      """,
    arguments: [.release],
    options: Option.slicing(Grouping.self)
      + [.at, .band, .shares, .horizon, .estimand, .censor, .attribution, .reachWindow]
      + Option.precision,
    examples: [
      .init("How far it will be", "uptake forecast 2.0.0 --channel production"),
      .init("Drawn", "uptake forecast 2.0.0 --channel production --format plot"),
    ], seeAlso: ["adoption"], next: "adoption")

  /// What it can be split by.
  enum Grouping: String, CaseIterable { case channel, platform }

  static func options(_ asked: Parameters, _ gates: [Gate]) -> Options {
    var options = Options()
    options.at = asked.ages(.at)
    options.level = asked.number(.band) ?? options.level
    options.shares = asked.numbers(.shares)
    options.horizon = asked.milliseconds(.horizon) ?? options.horizon
    return options
  }

  /// Something could be said of an age ahead, or all have passed.
  static func isKnown(_ row: Forecast) -> Bool {
    row.obstacle == nil && (row.points.isEmpty || row.points.contains { $0.share.value != nil })
  }

  static func notes(_ reply: Reply<Forecast>) -> [String] {
    let isOfOtherDays = Forecast.isOfOtherDays(reply.answer.warnings)
    return reply.rows.filter { $0.obstacle == nil }.flatMap { row in
      row.notes(isOfOtherDays: isOfOtherDays).map { reply.prefix(row) + $0 }
    }
  }

  private func notes(isOfOtherDays: Bool) -> [String] {
    let arrivals = arrivals.map { arrival in
      let when = arrival.seconds.value.map { "at \(duration(seconds: $0))" }
      let isPassed = arrival.seconds.reason == .alreadyReached
      return "\(percent(arrival.share))% \(when ?? (isPassed ? "already passed" : "not in sight"))"
    }
    return [
      arrivals.joined(separator: ", "), "from \(history.joined(separator: ", "))",
      "back-test: \(verdict.words(isOfOtherDays: isOfOtherDays))",
    ]
  }

  static func plots(_ reply: Reply<Forecast>) -> [Plot] {
    let end = reply.options.horizon.rawValue / 1000
    return reply.rows.filter { !$0.curve.isEmpty }.map { row in
      Plot(reply.words(row), [.init("forecast", of: row.curve, end: end)], horizon: end)
    }.alike
  }
}

extension ForecastBackTest.Cell.Verdict {
  fileprivate func words(isOfOtherDays: Bool) -> String {
    switch self {
    case .supported where isOfOtherDays: "of releases that had other days of the week, it says too little of this one"
    case .supported: "past releases were forecast well"
    case .notSupported: "past releases were NOT forecast well; do not rely on this"
    case .unknown: "too few past releases to say how good it is"
    }
  }
}
