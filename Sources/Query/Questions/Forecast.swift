internal import Console
public import Lifecycle
public import Statistics
public import Store

/// How a release will go on, from how earlier releases of the same app went on, with the back-test that says whether to
/// believe it.
public struct Forecast: Encodable, Sendable {
  /// Why there is no forecast. The raw values are part of the answer's JSON.
  public enum Obstacle: String, CaseIterable, Encodable, Sendable {
    /// Fewer than three earlier releases went far enough.
    case insufficientHistory
    /// It was followed for less than six hours.
    case tooYoung
    /// Fewer than 200 devices were ever at risk.
    case tooFewDevices
    case nothingAtRisk
    /// Devices came in after few were left: what is known since the publication ends before the release's age.
    case enteredLater
    /// Some part of the devices was followed for less than half of the release's age.
    case partsNotFollowed
    /// The rollout was set to 0 %.
    case halted
    /// It is so far below past releases that it does not go on as they did.
    case unlikeBefore
  }

  /// Beyond what past releases had at the release's age, by more than chance and by more than five points.
  public enum Unlike: String, CaseIterable, Encodable, Sendable { case below, above }

  public struct Usual: Encodable, Sendable {
    public var least: Double
    public var most: Double
  }

  public struct Point: Encodable, Sendable {
    /// Age of the release.
    public var seconds: Int64
    public var share: Estimate
  }

  public struct Arrival: Encodable, Sendable {
    /// The share of devices that is waited for.
    public var share: Double
    /// The release's age then; null with a reason where history does not reach that far.
    public var seconds: Estimate
  }

  public struct BackTestCell: Encodable, Sendable {
    public var snapshotSeconds: Int64
    public var targetSeconds: Int64
    /// Earlier releases whose true share lay in the band, of those that could be forecast from the ones before them.
    public var covered: Int
    public var releases: Int
    public var coverage: Estimate
    /// Mean absolute error of the share.
    @Nullable public var error: Double?
    /// The same for "as the release before".
    @Nullable public var naiveError: Double?
    public var verdict: ForecastBackTest.Cell.Verdict
  }

  public var group: Group
  public var devices: Int
  public var events: Int
  /// The age at which the forecast is made.
  public var ageSeconds: Int64
  @Nullable public var adoptedNow: Estimate?
  /// Earlier releases that could be used.
  public var history: [String]
  @Nullable public var obstacle: Obstacle?
  /// Where it stands beside them now; null where it is like them, or nobody knows.
  @Nullable public var unlike: Unlike?
  /// What they had at its age.
  @Nullable public var usualNow: Usual?
  public var points: [Point]
  public var arrivals: [Arrival]
  /// For plotting: hour by hour.
  public var curve: [Point]
  public var backTest: [BackTestCell]
  /// Of the back-test at the snapshot nearest below the release's age.
  public var verdict: ForecastBackTest.Cell.Verdict
}

extension Forecast: AskedOfRelease {
  public struct Options: QuestionOptions {
    /// Ages to forecast.
    public var at: [Milliseconds] = [.hours(24), .hours(48), .hours(72), .hours(96), .hours(168)]
    /// Of the band; some ten releases cannot support 95 %.
    public var level = 0.8
    public var shares = [0.5, 0.9, 0.95]
    public var horizon = Milliseconds.hours(168)
    public init() {}
  }

  static let longestHistory = 12
  /// A release like past ones is called unlike them one time in a hundred.
  static let usualLevel = 0.99
  static let unlikeMargin = 0.05
  static let snapshots: [Tick] = [1, 6, 24, 72].map { $0 * 3600 }

  public struct Question: ReleaseAsking {
    public static let name = "forecast"
    let chosen: ReleaseScope
    let options: Options
    let past: [ReleaseRecord]
    /// Of this release, then of those that it is forecast from.
    private let risk: RiskCounting

    public init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ options: Options = Options()) {
      var chosen = chosen
      chosen.selection.clock = .releaseAge
      (self.chosen, self.options) = (chosen, options)
      past = comparable(chosen)
      risk = RiskCounting(vocabulary, chosen, [chosen.target] + past)
    }

    public var scope: any Scope { chosen.selection }
    public var counts: Counts { Counts(risk) }

    public func findings(_ ledger: Ledger) -> Findings<Forecast> {
      let (selection, tables) = (chosen.selection, ledger[risk].tables)
      let groupings = selection.by.filter { $0 != .mechanism }
      let rows = tables[0].groups(by: groupings).map { group, cell in
        row(group, cell, tables, past.map(\.label.rawValue), groupings, selection, options)
      }
      let sifted = selection.sifted(rows) { ($0.group, $0.devices) }
      return Findings(
        rows: sifted.shown, withheld: sifted.withheld,
        warnings: warnings(tables[0], chosen) + elsewhere(tables) + channelsApart(tables[0]) + unsupported(rows)
          + hours(tables, sifted.shown) + days(tables, sifted.shown)
          + sifted.shown.flatMap {
            unlike($0, chosen) + inSteps($0, tables[0], groupings, chosen)
              + heldBack($0, tables[0], groupings, chosen) + replaced($0, tables[0], chosen)
          },
        dataThrough: tables[0].dataThrough, end: tables[0].cutOff,
        echo: ["band": .number(options.level), "horizonSeconds": .integer(options.horizon.rawValue / 1000)])
    }

    /// The age is the one that all channels have, where that says something of now.
    private func channelsApart(_ tables: RiskTables) -> [Warning] {
      let parts = tables.followed(by: \.channel)
      guard !chosen.selection.by.contains(.channel), agesWarning(tables, chosen).isEmpty,
        let first = parts.min(by: { $0.publishedAt < $1.publishedAt }),
        let last = parts.max(by: { $0.publishedAt < $1.publishedAt }), last.publishedAt - first.publishedAt >= .hours(1)
      else { return [] }
      return [
        Warning(
          "channels_apart",
          "the age is that of \(named(chosen.target.label.rawValue)) on \(named(last.name)); it came to \(named(first.name))"
            + " \(duration(seconds: Double((last.publishedAt - first.publishedAt).rawValue / 1000))) earlier, and is older there: ask with"
            + " --by channel")
      ]
    }

    /// Beside the newest of those that it is forecast from.
    private func elsewhere(_ tables: [RiskTables]) -> [Warning] {
      guard let last = past.last, let before = tables.last else { return [] }
      return placesWarning(tables[0], of: chosen.target, before, of: last, by: chosen.selection.by)
    }
  }

  /// Earlier releases of the same kind, from old to new: mandatory ones are not compared with optional ones.
  private static func comparable(_ chosen: ReleaseScope) -> [ReleaseRecord] {
    let isMandatory = chosen.target.publications.first?.mandatory ?? false
    let before = chosen.timeline.precedents(of: chosen.target, chosen.selection)
    return before.filter { ($0.publications.first?.mandatory ?? false) == isMandatory }
      .prefix(longestHistory).reversed()
  }

  private static func unlike(_ row: Forecast, _ chosen: ReleaseScope) -> [Warning] {
    guard let unlike = row.unlike, let usual = row.usualNow, let now = row.adoptedNow?.value else { return [] }
    let name = name(row, chosen)
    let beside =
      "\(duration(seconds: Double(row.ageSeconds))) after its publication \(share(now)) had updated to \(name), where past"
      + " releases had \(share(usual.least)) to \(share(usual.most))"
    return [
      Warning(
        "unlike_before",
        unlike == .below
          ? beside + ": it does not go on as they did, and no forecast is made; uptake failures says whether devices"
            + " can install it"
          : beside + ": the forecast takes it to go on as they did, and need not hold")
    ]
  }

  /// Who is let in by a later step updates at once, which counts since the publication as if all had waited so long.
  private static func inSteps(
    _ row: Forecast, _ tables: RiskTables, _ groupings: [Grouping], _ chosen: ReleaseScope
  ) -> [Warning] {
    let starts = tables.starts(of: row.group, by: groupings)
    guard row.adoptedNow?.value != nil, starts.contains(where: { $0.isStaged && !$0.isInferred }) else { return [] }
    let observed = Double(row.events) / Double(row.devices)
    return [
      Warning(
        "rollout_in_steps",
        "the rollout of \(name(row, chosen)) comes in steps, and devices that a later step lets in update at once: what is estimated"
          + " since its publication, and forecast, may be too high; counted, \(share(observed)) have updated,"
          + " \(grouped(row.events)) of \(counted(row.devices, "eligible device"))")
    ]
  }

  private static func name(_ row: Forecast, _ chosen: ReleaseScope) -> String {
    let parts = row.group.parts.map { named($0.value) }.joined(separator: ", ")
    return named(chosen.target.label.rawValue) + (parts.isEmpty ? "" : " (\(parts))")
  }

  /// A forecast is of devices that may have the release: where the rollout is to stay short of 100 %, these are not all.
  private static func heldBack(
    _ row: Forecast, _ tables: RiskTables, _ groupings: [Grouping], _ chosen: ReleaseScope
  ) -> [Warning] {
    let shares = tables.starts(of: row.group, by: groupings).compactMap(\.shareAtMost)
    guard row.obstacle == nil, let least = shares.min(), let most = shares.max() else { return [] }
    let percents = Set([least, most]).sorted().map { $0 == $0.rounded() ? "\(Int($0))" : decimal($0, 1) }
    let name = name(row, chosen)
    return [
      Warning(
        "rollout_incomplete",
        "the registered steps let up to \(percents.joined(separator: " to ")) % of devices have \(name): the forecast is of devices that may have it, not of all;"
          + " those that do not say their bucket count as if they might")
    ]
  }

  /// What a newer release replaced does not go on: that nothing is forecast then is no lack of data.
  private static func replaced(_ row: Forecast, _ tables: RiskTables, _ chosen: ReleaseScope) -> [Warning] {
    let places = tables.starts.keys.filter { row.group.contains($0) }
    let ends = places.compactMap { tables.endedAt[$0] }.filter { $0 <= tables.cutOff.at }
    guard row.obstacle == nil, let last = ends.max(), ends.count == places.count else { return [] }
    return [
      Warning(
        "release_replaced",
        "a newer release took the place of \(named(chosen.target.label.rawValue)) at \(last.words): nobody else gets it, and it does not"
          + " go on as past releases did")
    ]
  }

  private static func unsupported(_ rows: [Forecast]) -> [Warning] {
    guard rows.contains(where: { $0.verdict == .notSupported && $0.obstacle == nil }) else { return [] }
    return [
      Warning(
        "forecast_not_supported",
        "the back-test does not support this forecast: earlier releases were forecast worse than by the release before, or missed their band"
      )
    ]
  }
}
