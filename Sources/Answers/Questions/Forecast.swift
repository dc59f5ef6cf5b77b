internal import Console
internal import Lifecycle
internal import Query
internal import Statistics
internal import Store

private extension Option {
  static let at = ages("24h,48h,72h,96h,168h", "The ages to foretell")
  static let band = Option(
    "band", .number(0.5...0.99), fallback: "0.8", group: "STATISTICS",
    help: "How often the truth should lie in the band; few past releases cannot support more")
  static let shares = Option(
    "shares", .number(0.01...0.999), arity: .list, fallback: "0.5,0.9,0.95", group: "STATISTICS",
    help: "The shares whose time is foretold")
  static let horizon = Option(
    "horizon", .duration, fallback: "168h", group: "STATISTICS", help: "How far the curve is foretold")
}

extension Question {
  static let forecast = Question(
    "forecast", schema: .forecast, purpose: "Foretell adoption from how past releases went on",
    discussion: """
      A release that is at least six hours old, has 200 devices, and has three predecessors of its kind. The back-test \
      says how far past releases were foretold right, each from the ones before it only.
      """,
    arguments: [.init("RELEASE", completion: "releases", help: "The release")],
    options: Option.filters
      + [.by(Forecast.Grouping.self), .at, .band, .shares, .horizon, .estimand, .censor, .attribution, .reachWindow]
      + Option.precision,
    examples: [
      .init("How far it will be", "uptake forecast 2.0.0 --channel production"),
      .init("Drawn", "uptake forecast 2.0.0 --channel production --format plot"),
    ],
    exits: [.notEnoughData, .databaseUnusable], seeAlso: ["adoption"]
  ) { asked, snapshot in
    let chosen = try asked.chosen(snapshot.vocabulary)
    let options = Forecast.Options(asked)
    let answer = try Forecast.answer(snapshot, chosen, options)
    let groups = GroupColumns(chosen.selection.by)
    return Shown(
      answer.presentation(
        table: table(answer, options, groups), plots: plots(answer, options, groups), notes: notes(answer, groups),
        next: ShellCommand("uptake", "adoption").argument(asked.arguments[0])),
      isKnown: answer.data.contains(where: \.isForetold))
  }
}

extension Forecast.Options {
  fileprivate init(_ asked: Parameters) {
    self.init()
    at = asked.ages(.at)
    level = asked.number(.band) ?? level
    shares = asked.numbers(.shares)
    horizon = asked.milliseconds(.horizon) ?? horizon
  }
}

extension Forecast {
  /// What it can be split by.
  enum Grouping: String, CaseIterable { case channel, platform }
}

/// A row for each age ahead; where nothing can be foretold, one that says why.
private func table(_ answer: Answer<Forecast>, _ options: Forecast.Options, _ groups: GroupColumns) -> Table {
  let columns: [Table.Column] = [
    .init("AGE NOW", key: "ageNow"), .init("ADOPTED NOW", key: "adoptedNow", hasInterval: true),
    .init("AT AGE", key: "age"),
    .init("FORECAST (\(percent(options.level))% band)", key: "forecast", hasInterval: true),
    .init("USUAL ERROR", key: "error"), .init("DEVICES", key: "devices", isOptional: true),
  ]
  return Table(
    groups.columns + columns,
    rows: answer.data.flatMap { row -> [[Cell]] in
      let none = Cell.missing(because: row.obstacle?.words ?? "every age asked for has passed")
      let start =
        groups.cells(row.group.byName) + [
          .duration(seconds: Double(row.ageSeconds)), row.adoptedNow?.shareCell ?? none,
        ]
      guard !row.points.isEmpty else { return [start + [none, none, none, .count(row.devices)]] }
      return row.points.map { point in
        let error = row.error(at: point.seconds).map { Cell.quantity($0, nil, .points) }
        return start + [
          .age(seconds: point.seconds), point.share.shareCell,
          error ?? .missing(because: "no past release could be tested"), .count(row.devices),
        ]
      }
    } + answer.withheldRows(groups, cells: columns.count))
}

extension Forecast {
  /// Something could be said of an age ahead, or all have passed.
  fileprivate var isForetold: Bool { obstacle == nil && (points.isEmpty || points.contains { $0.share.value != nil }) }

  /// The mean error of the back-test for an age, from the snapshot nearest below the release's own age.
  fileprivate func error(at seconds: Int64) -> Double? {
    backTest.filter { $0.targetSeconds == seconds && $0.snapshotSeconds <= max(ageSeconds, 3600) }
      .max { $0.snapshotSeconds < $1.snapshotSeconds }?.error
  }
}

extension Forecast.Obstacle {
  fileprivate var words: String {
    switch self {
    case .insufficientHistory: "fewer than three earlier releases of its kind went far enough"
    case .tooYoung: "the release is younger than six hours"
    case .tooFewDevices: "fewer than 200 devices were at risk"
    case .nothingAtRisk: "no device was at risk"
    }
  }
}

private func notes(_ answer: Answer<Forecast>, _ groups: GroupColumns) -> [String] {
  answer.data.flatMap { row -> [String] in
    let group = groups.words(row.group.byName)
    let name = group.isEmpty ? "" : group + ": "
    guard row.obstacle == nil else { return [] }
    let arrivals = row.arrivals.map { arrival in
      let when = arrival.seconds.value.map { "at \(duration(seconds: $0))" }
      return "\(percent(arrival.share))% \(when ?? "not in sight")"
    }
    return [
      "\(name)\(arrivals.joined(separator: ", "))", "\(name)from \(row.history.joined(separator: ", "))",
      "\(name)back-test: \(row.verdict.words)",
    ]
  }
}

extension ForecastBackTest.Cell.Verdict {
  fileprivate var words: String {
    switch self {
    case .supported: "past releases were foretold well"
    case .notSupported: "past releases were NOT foretold well; do not rely on this"
    case .unknown: "too few past releases to say how good it is"
    }
  }
}

private func plots(_ answer: Answer<Forecast>, _ options: Forecast.Options, _ groups: GroupColumns) -> [Plot] {
  let end = options.horizon.rawValue / 1000
  return answer.data.filter { !$0.curve.isEmpty }.map { row in
    var plot = Plot(
      [Plot.Series("forecast", of: row.curve.map { ($0.seconds, $0.share) }, end: end)], horizon: Double(end))
    plot.title = groups.words(row.group.byName)
    return plot
  }.alike
}
