internal import Console
public import Lifecycle
public import Statistics
public import Store

/// Every release of an app, channel by channel: how far it got, how fast, how well.
public struct Releases: Encodable, Sendable {
  public enum State: String, Codable, CaseIterable, Sendable {
    /// Its publication lies ahead.
    case scheduled
    /// For a part of the devices.
    case rollingOut
    /// Published, for nobody.
    case paused
    /// For all devices.
    case complete
    /// A newer release was published.
    case superseded
    /// Nobody registered it: it is known from events only.
    case inferred
  }

  public var app: String
  public var release: String
  public var channel: String
  public var state: State
  /// Null before the publication.
  @Nullable public var rolloutPercent: Double?
  /// Where platforms differ, so that no number is true of all of them; else empty.
  public var rolloutByPlatform: [RolloutProgress.Part]
  public var isInferred: Bool
  public var isMandatory: Bool
  public var publishedAt: Timestamp
  @Nullable public var supersededAt: Timestamp?
  /// It was published after the cutoff: of what is counted up to there nothing is known yet, which is not 0.
  public var isTooNew: Bool
  /// Null before the publication.
  @Nullable public var ageSeconds: Int64?
  /// Devices that were told of it, or began to get it.
  public var offered: Int
  /// Devices with time at risk: eligible, reachable, not yet updated.
  public var devices: Int
  public var events: Int
  /// Events of devices: counted, not estimated.
  @Nullable public var observedShare: Double?
  /// `clockFromOffer` where that is of those alone that were offered it.
  @Nullable public var observedReason: Unestimable?
  /// F at `adoptedAtSeconds` after a device became eligible: after a week, or as far as the data go.
  public var adopted: Estimate
  /// Where nobody has updated yet: it is at most this; where all that were at risk have, at least that.
  @Nullable public var adoptedAtMost: Double?
  @Nullable public var adoptedAtLeast: Double?
  @Nullable public var adoptedAtSeconds: Int64?
  public var isUnstable: Bool
  public var median: Estimate
  public var attempts: Int
  public var failed: Int
  /// Of first attempts, at a fixed age.
  public var failureRate: Estimate
  /// Devices that launched it, however long ago, reported or not.
  public var launched: Int
  /// Of these, within a day of the launch.
  public var rolledBack: Int
  public var rolledBackRate: Estimate
  public var crashed: Int
  public var crashedRate: Estimate
  public var reachable: Int
  /// Null where fewer than `minCell` do.
  @Nullable public var running: Int?
  public var reach: Estimate
  /// Whether nobody saw when many devices updated: `adopted`, `median` and `sparkline` are then estimated between the checks.
  public var isPolled: Bool
  /// F at 24 ages up to a week, evenly spread; null where the data do not go so far.
  public var sparkline: [Double?]
}

extension Releases {
  /// Whether all that is counted is of those that were offered it, as nobody knows who else was let have it.
  public var isOfOffered: Bool { observedReason == .clockFromOffer }

  public struct Options: Sendable {
    /// Empty means all.
    public var channels: [String] = []
    public var platforms: [String] = []
    /// Each narrows what the others leave.
    public var only: [ProfileFilter] = []
    public var reachWindow = Milliseconds.days(28)
    public var level = 0.95
    /// Releases with fewer devices are withheld; 0 shows all.
    public var minCell = 0
    public var includesEmulators = false
    public var population = Population.everybody
    public init() {}
  }

  public static let sparklineSeconds: [Int64] = (1...24).map { $0 * 7 * 3600 }

  /// - Parameter app: nil for all apps.
  public static func answer(
    _ snapshot: borrowing Snapshot, app: String?, now: Timestamp, _ options: Options = Options()
  ) throws -> Answer<Releases> {
    try snapshot.ask(Question(snapshot.vocabulary, app: app, now: now, options))
  }

  public struct Question: Query.Question {
    public static let name = "releases"
    private let looked: Looked
    /// One for each app.
    private let catalogues: [CatalogueCounting]
    private let strays: [Warning]

    /// - Parameter app: nil for all apps.
    public init(_ vocabulary: Vocabulary, app: String?, now: Timestamp, _ options: Options = Options()) throws {
      let apps = try app.map { [try vocabulary.chosenApp($0)] } ?? vocabulary.apps
      if apps.isEmpty { throw QuestionError.nothingStored }
      strays = apps.flatMap { Warning.strays(vocabulary, app: $0, now: now, on: options.channels) }
      looked = Looked(chosenApp: app, now: now, options: options, isOfOne: apps.count == 1)
      catalogues = apps.map { app in
        let timeline = Timeline(vocabulary, app: app, until: now)
        return CatalogueCounting(
          RiskCounting(vocabulary, options.selection(app, now), timeline, timeline.releases, []), of: timeline.releases)
      }
    }

    public var scope: any Scope { looked }
    public var counts: Counts { Counts(catalogues) }

    public func more(_ findings: Findings<Releases>, _ ledger: Ledger) -> Counts {
      Counts(catalogues.compactMap { PolledReleases($0.risk, ledger[$0])?.counting })
    }

    public func findings(_ ledger: Ledger) -> Findings<Releases> {
      var counted = catalogues.map { (question: $0.risk, counting: ledger[$0]) }
      var between: [(updates: Int, of: Int)] = []
      for index in counted.indices {
        guard let polled = PolledReleases(counted[index].question, counted[index].counting) else { continue }
        between += polled.estimate(&counted[index].counting, ledger)
      }
      let apps = counted.map { app in
        (rows: rows(app.counting, app.question.selection, app.question.timeline), end: app.counting.cutOff)
      }
      let all = apps.flatMap(\.rows)
      let least = looked.options.minCell
      let shown = apps.flatMap { app in app.rows.filter { $0.isShown(least, app.end) } }
      let small = apps.flatMap { app in app.rows.filter { !$0.isShown(least, app.end) } }
      return Findings(
        rows: shown.map { $0.withholding(SmallGroups(minCell: least)) },
        withheld: small.map { Withheld(group: Labels(Group(channel: $0.channel)), release: $0.release) },
        warnings: counted.flatMap { cutOffWarnings($0.counting.cutOff) }
          + Warning.inferred(withdrawnAt(all.filter(\.isInferred))) + strays
          + counted.flatMap { Releases.withdrawn($0) }
          + counted.flatMap { app in
            shown.filter { $0.app == app.question.selection.app }.compactMap {
              Warning.haltedApart(
                $0.release, on: $0.channel, app.question.timeline, looked.options.platforms, now: looked.now)
            }
          }
          + Releases.paused(shown, counted.map(\.question), looked.options.platforms, now: looked.now)
          + counted.flatMap { app in
            shown.filter { $0.app == app.question.selection.app }.compactMap {
              unseen($0, app.question.timeline, early: app.counting.early($0))
            }
          }
          + apps.flatMap { app in
            Releases.tooNew(app.rows.filter { $0.isShown(least, app.end) }, now: looked.now, app.end)
          }
          + counted.flatMap { app in
            Releases.widened(
              shown.filter { $0.app == app.question.selection.app }, app.question.timeline, looked.options.platforms,
              now: looked.now, app.counting.cutOff)
          }
          + counted.flatMap { app in
            shown.filter { $0.app == app.question.selection.app }.compactMap {
              Releases.apart($0, app.question.timeline, looked.options.platforms, app.counting.cutOff)
            }
          }
          + apps.flatMap { app in
            doubtfulWarnings(
              Dictionary(app.rows.filter(\.isInferred).map { ($0.release, $0.publishedAt) }) { min($0, $1) }, app.end)
          }
          + (between.max { $0.updates < $1.updates }.map { [.polled($0.updates, of: $0.of)] } ?? []),
        dataThrough: counted.compactMap(\.counting.dataThrough).max(), end: counted[0].counting.cutOff)
    }

    /// Of rows of which nobody registered the release, or not any more.
    private func withdrawnAt(_ rows: [Releases]) -> [String: Timestamp?] {
      catalogues.reduce(into: [:]) { found, app in
        let own = rows.filter { $0.app == app.risk.selection.app }.map(\.release)
        found.merge(app.risk.timeline.releases.withdrawnAt(own, until: looked.now)) { $0 ?? $1 }
      }
    }
  }

  /// What has no row, as nobody publishes it there, and devices run all the same.
  private static func withdrawn(_ app: (question: RiskCounting, counting: ReleaseSums)) -> [Warning] {
    let (selection, timeline) = (app.question.selection, app.question.timeline)
    let channels = selection.channels.isEmpty ? timeline.channels : selection.channels
    return timeline.releases.flatMap { record in
      Warning.withdrawn(record, from: channels, selection.platforms, now: selection.now) {
        SmallGroups(minCell: selection.minCell).told(app.counting.running(record.id, $0)) ?? 0
      }
    }
  }

  /// As of one release, of all in one.
  private static func paused(
    _ rows: [Releases], _ apps: [RiskCounting], _ platforms: [String], now: Timestamp
  ) -> [Warning] {
    let found = rows.flatMap { row -> [String] in
      let timeline = apps.first { $0.selection.app == row.app }?.timeline
      guard let timeline, let id = timeline.record(ReleaseLabel(rawValue: row.release))?.id else { return [] }
      let starts = timeline.starts(id, channel: row.channel, platforms: platforms).map(\.start)
      let pauses = starts.lazy.map { $0.pauses(until: now) }.first { !$0.isEmpty } ?? []
      let times = firstFew(pauses.map { "from \($0.from.words) to \($0.to.words)" })
      return pauses.isEmpty ? [] : ["of \(named(row.release)) on \(named(row.channel)) \(times)"]
    }
    guard !found.isEmpty else { return [] }
    return [
      Warning(
        Warning.rolloutPaused,
        "rollouts stood at 0%: \(firstFew(found)): devices that waited through it count as waiting, so adoption reads lower, and times"
          + " longer, than without the halt")
    ]
  }

  /// Where a platform got one that is still out much later than another, as far as it is registered.
  private static func apart(
    _ row: Releases, _ timeline: Timeline, _ platforms: [String], _ end: CutOff
  ) -> Warning? {
    guard row.supersededAt == nil, let id = timeline.record(ReleaseLabel(rawValue: row.release))?.id else { return nil }
    let looked = timeline.platforms.filter { platforms.isEmpty || platforms.contains($0) }
    let followed = looked.compactMap { platform -> FollowedPart? in
      guard let start = timeline.start(id, channel: row.channel, platform: platform)?.publishedAt, start < end.at else {
        return nil
      }
      return FollowedPart(
        name: platform, devices: row.devices, publishedAt: start, length: (end.at - start).rawValue / 1000)
    }
    return followed.sorted { ($0.length, $0.name) < ($1.length, $1.name) }
      .agesWarning("platform", row.release, ask: "--platform")
  }
}

extension Releases {
  /// Of nobody nothing is given away. After the cutoff nobody is known to be eligible: all that are reachable may be.
  fileprivate func isShown(_ least: Int, _ end: CutOff) -> Bool {
    devices >= least || publishedAt >= end.at && reachable >= least
      || [devices, offered, attempts, launched, running ?? 0, reachable].allSatisfy { $0 == 0 || $0 >= least }
  }

  /// Who are the few that run it is told by `reach` neither.
  fileprivate func withholding(_ small: SmallGroups) -> Releases {
    guard let running, !small.tells(running) else { return self }
    var row = self
    row.running = nil
    row.reach = Estimate(nil, level: reach.level, method: reach.method, reason: .fewerThanMinCell)
    return row
  }

  /// Devices that run a release were at risk of it before, or came with it; where most were never seen before, adoption says
  /// little, and 0 devices look like none.
  ///
  /// No client is to blame where the release is older than the data, or not the newest any more.
  ///
  /// - Parameter early: devices that say they updated before the publication.
  private static func unseen(_ row: Releases, _ timeline: Timeline, early: Int) -> Warning? {
    // Of fewer it says more about these devices than about the app.
    let leastUnseen = 5
    guard let running = row.running, running >= leastUnseen, running > 2 * row.devices, row.supersededAt == nil,
      timeline.firstHeard(besides: row.release).map({ row.publishedAt >= $0 }) ?? true
    else { return nil }
    if early * 2 > running { return .updatedBeforePublication(early, of: (row.release, row.channel)) }
    let starts: [String: Timestamp] = row.isInferred ? [:] : [row.channel: row.publishedAt]
    let remedy = timeline.record(ReleaseLabel(rawValue: row.release)).map { unseenRemedy($0, starts) } ?? sendChecks
    return Warning(
      "not_seen_before",
      "\(named(row.release)) on \(named(row.channel)): more than twice as many devices run it as were seen before they did"
        + " (\(running) and \(row.devices)), and adoption is of the latter: \(remedy)")
  }
}

extension Releases.Options {
  fileprivate func selection(_ app: String, _ now: Timestamp) -> Selection {
    var selection = Selection(app: app, release: ReleaseLabel(rawValue: ""), now: now)
    (selection.channels, selection.platforms) = (channels, platforms)
    (selection.reachWindow, selection.level, selection.minCell) = (reachWindow, level, minCell)
    (selection.only, selection.includesEmulators, selection.population) = (only, includesEmulators, population)
    return selection
  }
}

/// What is looked at: several apps may have several ends of their data, so then none is named.
private struct Looked: Scope {
  let chosenApp: String?
  let now: Timestamp
  let options: Releases.Options
  let isOfOne: Bool
  var only: [ProfileFilter] { options.only }
  var population: Population { options.population }
  var includesEmulators: Bool { options.includesEmulators }

  func echo(_ end: CutOff) -> [String: QueryEcho.Value] {
    [
      "app": chosenApp.map { .text($0) } ?? .none, "channel": .chosen(options.channels),
      "platform": .chosen(options.platforms), "where": .texts(options.only.map(\.text)),
      "reachWindowSeconds": .integer(options.reachWindow.rawValue / 1000),
      "level": .number(options.level), "now": .text(now.rfc3339),
      "sparklineSeconds": .numbers(Releases.sparklineSeconds),
      "cutOff": isOfOne ? .text(end.at.rfc3339) : .none,
      "reportingLagSeconds": isOfOne ? .integer(end.lag.rawValue / 1000) : .none,
    ]
  }
}
