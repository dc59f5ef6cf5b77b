import Lifecycle
import Statistics

extension Forecast {
  static func row(
    _ group: Group, _ cell: RiskTable, _ tables: [RiskTables], _ labels: [String], _ groupings: [Grouping],
    _ selection: Selection, _ options: Options
  ) -> Forecast {
    let past = tables.dropFirst().map { table in
      table.groups(by: groupings).first { $0.group == group }.map { HazardCurve(curve($0.cell)) }
        ?? HazardCurve(ages: [], hazards: [], events: [])
    }
    let own = curve(cell)
    let age = cell.table.told(at: age(group, tables[0], groupings))
    let forecast = AdoptionForecast(
      past: past, current: HazardCurve(own, atRisk: 1), snapshot: age, level: options.level)
    let usable = zip(labels, past).filter { ($1.knownTo ?? 0) > age }.map(\.0)
    let usual = UsualShare(past, at: age, level: usualLevel)
    let unlike = usual.flatMap { comparison(own, at: age, $0, selection.level) }
    let isHalted = tables[0].areHalted(group, by: groupings)
    let obstacle = isHalted ? .halted : obstacle(cell, own, age: age, history: usable.count, unlike)
    let backTest = backTest(past, options)
    return Forecast(
      group: group, devices: cell.devices, events: Int(cell.table.events), ageSeconds: age,
      adoptedNow: own.adoption(at: age, level: selection.level), history: usable, obstacle: obstacle,
      unlike: obstacle == nil || obstacle == .unlikeBefore ? unlike : nil,
      usualNow: usual.map { Usual(least: $0.least, most: $0.most) },
      points: obstacle == nil ? points(forecast, options.at.map { $0.rawValue / 1000 }) : [],
      arrivals: obstacle == nil ? arrivals(forecast, options) : [],
      curve: obstacle == nil ? points(forecast, hours(from: age, to: options.horizon.rawValue / 1000)) : [],
      backTest: backTest, verdict: verdict(backTest, age: age))
  }

  private static func curve(_ cell: RiskTable) -> KaplanMeier { KaplanMeier(cell.table, events: .updates) }

  /// Since the first publication that the group's cells have.
  private static func age(_ group: Group, _ tables: RiskTables, _ groupings: [Grouping]) -> Tick {
    let starts = tables.starts(of: group, by: groupings).map(\.publishedAt)
    return starts.min().map { max(0, (tables.cutOff.at - $0).rawValue / 1000) } ?? 0
  }

  private static func obstacle(
    _ cell: RiskTable, _ own: KaplanMeier, age: Tick, history: Int, _ unlike: Unlike?
  ) -> Obstacle? {
    if cell.devices == 0 { return .nothingAtRisk }
    if age < 6 * 3600 { return .tooYoung }
    if cell.devices < 200 { return .tooFewDevices }
    if let lost = own.lost, lost.from <= age {
      return lost.reason == .enteredLater ? .enteredLater : .partsNotFollowed
    }
    if history < 3 { return .insufficientHistory }
    return unlike == .below ? .unlikeBefore : nil
  }

  /// By the limits of what was seen, and of what a release like past ones would show.
  private static func comparison(_ own: KaplanMeier, at age: Tick, _ usual: UsualShare, _ level: Double) -> Unlike? {
    let seen = own.adoption(at: age, level: level)
    let none = { Proportion.boundWithoutEvents(among: own.standing(at: age).atRisk, level: level) }
    if let hi = seen.hi ?? (seen.reason == .noEvents ? none() : nil), hi < min(usual.lo, usual.least - unlikeMargin) {
      return .below
    }
    guard let lo = seen.lo, lo > max(usual.hi, usual.most + unlikeMargin) else { return nil }
    return .above
  }

  private static func points(_ forecast: AdoptionForecast, _ ages: [Tick]) -> [Point] {
    let ahead = ages.filter { $0 > forecast.snapshot }.sorted()
    return zip(ahead, forecast.curve(at: ahead)).map { Point(seconds: $0, share: $1) }
  }

  private static func arrivals(_ forecast: AdoptionForecast, _ options: Options) -> [Arrival] {
    let ages = hours(from: forecast.snapshot, to: 4 * options.horizon.rawValue / 1000)
    return options.shares.map { Arrival(share: $0, seconds: forecast.time(to: $0, at: ages)) }
  }

  private static func hours(from age: Tick, to horizon: Tick) -> [Tick] {
    guard horizon > age else { return [] }
    return Array(stride(from: (age / 3600 + 1) * 3600, through: horizon, by: 3600))
  }

  private static func backTest(_ releases: [HazardCurve], _ options: Options) -> [BackTestCell] {
    let test = ForecastBackTest(
      releases, snapshots: snapshots, targets: options.at.map { $0.rawValue / 1000 }, level: options.level)
    return test.cells.filter { $0.covered.trials > 0 }.map { cell in
      BackTestCell(
        snapshotSeconds: cell.snapshot, targetSeconds: cell.target, covered: Int(cell.covered.successes),
        releases: Int(cell.covered.trials), coverage: cell.covered.wilson(level: 0.95), error: cell.error,
        naiveError: cell.naiveError, verdict: cell.verdict(level: 0.95))
    }
  }

  /// Not supported where any target is not, at the nearest snapshot that is not later than the release's age.
  private static func verdict(_ cells: [BackTestCell], age: Tick) -> ForecastBackTest.Cell.Verdict {
    let nearest = cells.map(\.snapshotSeconds).filter { $0 <= age }.max() ?? cells.map(\.snapshotSeconds).min()
    let here = cells.filter { $0.snapshotSeconds == nearest }.map(\.verdict)
    if here.contains(.notSupported) { return .notSupported }
    return here.contains(.supported) ? .supported : .unknown
  }
}

extension RiskTables {
  /// The publications that a group's cells have.
  func starts(of group: Group, by groupings: [Grouping]) -> [Timeline.Start] {
    var place = group
    place.slices = []
    return starts.filter { $0.key.split(by: groupings) == place }.map(\.value)
  }

  /// Whether none of these goes on.
  fileprivate func areHalted(_ group: Group, by groupings: [Grouping]) -> Bool {
    let starts = starts(of: group, by: groupings)
    return !starts.isEmpty && starts.allSatisfy { $0.haltedAt.map { $0 <= cutOff.at } ?? false }
  }
}
