public import Lifecycle
import Statistics
public import Store

extension Verdict: AskedOfPeriod {
  /// What share of devices should have updated how long after they could.
  public struct Objective: Equatable, Sendable, Codable {
    public var share: Double
    public var within: Milliseconds
    public init(share: Double, within: Milliseconds) { (self.share, self.within) = (share, within) }
  }

  public struct Options: QuestionOptions, Equatable, Codable {
    /// Of first attempts that fail; nil: from the past five releases.
    public var limit: Double?
    /// Of devices that crash, and of those that are rolled back, within a day of the launch; past releases set a second limit.
    public var harmLimit = 0.05
    public var objective: Objective?
    public init() {}
  }

  /// Data older than this say nothing about now.
  public static let stalest = Milliseconds.hours(6)
  /// Below so many settled launches nothing is called healthy.
  public static let fewestDevices = 200
  /// The chance that crashes or rollbacks stop a release that keeps their limits, over the whole rollout: two kinds of harm,
  /// two limits each. First attempts have a chance of their own.
  public static let harmAlpha = 0.01
  /// Adoption that is so far behind the release before, for certain, means that something holds the rollout up.
  public static let slowMargin = 0.05

  public struct Question: PeriodAsking {
    public static let name = "verdict"
    private let vocabulary: Vocabulary
    private let extent: FleetScope
    private let options: Options
    private let cases: [VerdictCase]
    /// Of each list of platforms that some case is about.
    private let launches: [[String]: LaunchCounting]
    /// What is said where no release is out.
    private let coming: String?
    /// Where no channel is named.
    private let looked: LookedChannels?
    /// Where no release is named.
    private let withdrawnAlone: [WithdrawnCase]
    /// What devices take and is not registered as of then, where no release is named.
    private let taken: [StrayCounting]
    /// Of these what has a row of its own, which whoever asks adds.
    var judgedApart: [StrayPublication] = []

    /// - Parameter extent: with a release, that one on each of its channels; else the newest one of each channel, on each platform, and
    ///   what others get beside it where that is to be stopped.
    public init(_ vocabulary: Vocabulary, _ extent: FleetScope, _ options: Options = Options()) throws {
      try extent.check(vocabulary)
      let timeline = Timeline(vocabulary, app: extent.app, until: extent.now)
      (self.vocabulary, self.extent, self.options) = (vocabulary, extent, options)
      coming = timeline.coming(to: extent.channels, platforms: extent.platforms, after: extent.now)
      looked = extent.channels.isEmpty ? LookedChannels(vocabulary, timeline, about: extent.release) : nil
      withdrawnAlone = extent.release == nil ? timeline.withdrawnAlone(vocabulary, extent) : []
      let strays = StrayPublication.all(
        vocabulary, app: extent.app, channels: extent.channels, platforms: extent.platforms, now: extent.now)
      taken = extent.release == nil ? try strays.map { try $0.counting(vocabulary, now: extent.now) } : []
      let openings = timeline.openings(extent, on: looked?.channels ?? Set(extent.channels).sorted())
      let before = extent.release == nil ? timeline.beforeUnregistered(extent, on: openings.map(\.channel)) : []
      cases =
        try openings.map { try VerdictCase(vocabulary, extent, options, $0.record, $0.channel) }
        + before.map {
          try VerdictCase(vocabulary, extent, options, $0.record, $0.channel, isBeforeUnregistered: true)
        }
      let extents = [extent] + cases.map(\.extent)
      launches = Dictionary(extents.map { ($0.platforms, $0) }) { first, _ in first }.mapValues { [cases] extent in
        let own = cases.filter { $0.extent.platforms == extent.platforms }
        return LaunchCounting(
          vocabulary, extent, timeline, Set(own.flatMap(\.releases)), judged: Set(own.map(\.chosen.target.id)))
      }
    }

    public var scope: any Scope { extent }
    public var counts: Counts {
      let own = cases.flatMap(\.counts.all) + taken.flatMap(\.counts.all) + withdrawnAlone.map(\.counts)
      return Counts(own + launches.values.map { $0 as any Counting })
    }

    public func more(_ findings: Findings<Verdict>, _ ledger: Ledger) -> Counts {
      Counts(
        cases.flatMap { one in
          let row = findings.rows.first { $0.release == one.chosen.target.label.rawValue && $0.channel == one.channel }
          return one.more(ledger, row).all
        })
    }

    public func findings(_ ledger: Ledger) -> Findings<Verdict> {
      let counted = launches.mapValues { ledger[$0] }
      let (end, newest) = (
        CutOff(vocabulary, app: extent.app, now: extent.now), counted.values.compactMap(\.newest.at).max()
      )
      let silence = FleetSilence(end, newest: newest)
      let judged = cases.compactMap { one in
        counted[one.extent.platforms].map { Judged(one, ledger, $0, silence) }
      }.filter { extent.release != nil || !$0.one.isRest || $0.row.decision == .stop }.withoutDevelopersBuilds
      let alone = withdrawnAlone.flatMap { $0.warnings(ledger) }
      let shown = judged.filter { $0.size == 0 || extent.smallGroups.isShown($0.size) }
      let withheld = judged.filter { $0.size > 0 && !extent.smallGroups.isShown($0.size) }
      return Findings(
        rows: shown.map(\.row),
        withheld: withheld.map {
          Withheld(group: Labels(["channel": $0.one.channel]), release: $0.one.chosen.target.label.rawValue)
        },
        warnings: cutOffWarnings(end) + nothingToJudge(alone) + alone + [looked?.warning].compactMap(\.self)
          + misnamed(shown.map(\.row)) + unjudged(shown.map(\.row), ledger)
          + shown.compactMap { $0.one.updatedEarly($0.counts) }
          + shown.compactMap { $0.one.ranBeforeStep($0.counts) }
          + shown.compactMap { $0.one.widened(end) }
          + shown.compactMap(\.saysNothingOfHarm)
          + warnings(shown.map(\.row), end),
        dataThrough: newest, end: end, echo: echo)
    }

    private func warnings(_ rows: [Verdict], _ end: CutOff) -> [Warning] {
      haltedApart(rows) + stepsAhead(rows) + replacedAtOnce(rows) + inferred(rows)
        + doubtfulWarnings(doubtful(rows), end)
    }

    private func stepsAhead(_ rows: [Verdict]) -> [Warning] {
      let timeline = Timeline(vocabulary, app: extent.app, until: extent.now)
      return rows.compactMap { Warning.stepAhead($0, timeline, now: extent.now) }
    }

    private func haltedApart(_ rows: [Verdict]) -> [Warning] {
      let timeline = Timeline(vocabulary, app: extent.app, until: extent.now)
      return rows.compactMap {
        Warning.haltedApart($0.release, on: $0.channel, timeline, extent.platforms, now: extent.now)
      }
    }

    private func replacedAtOnce(_ rows: [Verdict]) -> [Warning] {
      let timeline = Timeline(vocabulary, app: extent.app, until: extent.now)
      return rows.filter { $0.condition != .replaced }.compactMap {
        Warning.replacedAtOnce($0, timeline, now: extent.now)
      }
    }

    private func nothingToJudge(_ withdrawn: [Warning]) -> [Warning] {
      guard cases.isEmpty, judgedApart.isEmpty else { return [] }
      if let release = extent.release { return [.neverPublished(release.rawValue)] }
      let none =
        withdrawn.isEmpty
        ? "no release is known on any channel looked at: register one with uptake release publish"
        : "no release is out on any channel looked at: what was there was withdrawn"
      return [Warning(Warning.noReleases, coming ?? none)]
    }

    private func misnamed(_ rows: [Verdict]) -> [Warning] {
      let about = rows.map(\.release) + [extent.release?.rawValue].compactMap(\.self)
      return Warning.strays(vocabulary, app: extent.app, now: extent.now, about: Set(about), on: extent.channels)
        + withdrawn
    }

    private func unjudged(_ rows: [Verdict], _ ledger: Ledger) -> [Warning] {
      strays(ledger).filter { !rows.tell(of: $0) }.map { $0.warning(hasRow: judgedApart.contains($0)) }
    }

    /// Whether any is to be counted.
    var mayHaveStrays: Bool { !taken.isEmpty }

    /// With how many devices take them, as far as that may be told.
    func strays(_ ledger: Ledger) -> [StrayPublication] {
      taken.compactMap { $0.found(ledger) }.mostTaken.filter { extent.smallGroups.isShown($0.devices) }
    }

    /// Of the newest release of a channel its row says what else its devices run.
    private var withdrawn: [Warning] {
      guard let release = extent.release else { return [] }
      let timeline = Timeline(vocabulary, app: extent.app, until: extent.now)
      guard let record = timeline.record(release) else { return [] }
      let channels = extent.channels.isEmpty ? timeline.channels : Set(extent.channels).sorted()
      return Warning.withdrawn(record, from: channels, extent.platforms, now: extent.now)
    }

    private func doubtful(_ rows: [Verdict]) -> [String: Timestamp?] {
      Dictionary(rows.filter(\.isInferred).map { ($0.release, $0.publishedAt) }) { min($0, $1) }
    }

    private func inferred(_ rows: [Verdict]) -> [Warning] {
      let inferred = rows.filter(\.isInferred)
      if inferred.isEmpty { return [] }
      let records = vocabulary.releases.filter { $0.app == extent.app }
      return Warning.inferred(records.withdrawnAt(inferred.map(\.release), until: extent.now))
    }

    private var echo: [String: QueryEcho.Value] {
      [
        "by": .texts([]), "limit": options.limit.map { .number($0) } ?? .none, "harmLimit": .number(options.harmLimit),
        "harmAlpha": .number(harmAlpha),
        "objectiveShare": options.objective.map { .number($0.share) } ?? .none,
        "objectiveWithinSeconds": options.objective.map { .integer($0.within.rawValue / 1000) } ?? .none,
      ]
    }
  }
}

/// A case with its verdict, and how many devices that is about.
private struct Judged {
  let one: VerdictCase
  let counts: RiskCounts?
  let row: Verdict
  let size: Int
  /// Why none of it may be no measurement.
  let saysNothingOfHarm: Warning?
  private let takers: Int

  /// So many that it is no build of developers.
  var isTaken: Bool { takers >= SpokenTimes.fewest }

  init(_ one: VerdictCase, _ ledger: Ledger, _ launches: LaunchTally, _ silence: FleetSilence?) {
    let adopted = one.adopted(ledger)
    takers = one.takers(ledger, launches)
    (self.one, counts) = (one, adopted?.counts)
    (row, size) = one.verdict(ledger, adopted, launches, silence)
    let checksAlone = one.wasToldOfHarm(launches) ? nil : one.saysNothingOfHarm(counts, row)
    saysNothingOfHarm = checksAlone ?? one.neverToldOfHarm(launches, ledger, row)
  }
}

extension [Judged] {
  /// What a release followed that nobody registered is told where it is to be stopped, devices took it, and none of the newer ones there.
  fileprivate var withoutDevelopersBuilds: [Judged] {
    enumerated().filter { index, judged in
      guard judged.one.isBeforeUnregistered else { return true }
      let newer = self[..<index].filter { $0.one.channel == judged.one.channel }
      return judged.row.decision == .stop && judged.isTaken && !newer.contains(where: \.isTaken)
    }.map(\.element)
  }
}

extension Timeline {
  fileprivate func beforeUnregistered(
    _ extent: FleetScope, on channels: [String]
  ) -> [(record: ReleaseRecord, channel: String)] {
    Set(channels).sorted().flatMap { channel in
      beforeUnregistered(on: channel, platforms: extent.platforms, at: extent.now).map { ($0, channel) }
    }
  }

  /// A release where it came to a channel that is looked at: of the release that is named, else of the newest ones, and of those that
  /// devices get whom these leave out.
  fileprivate func openings(
    _ extent: FleetScope, on channels: [String]
  ) -> [(record: ReleaseRecord, channel: String)] {
    channels.flatMap { channel -> [(record: ReleaseRecord, channel: String)] in
      guard let label = extent.release else {
        let (current, rests) = (
          current(on: channel, platforms: extent.platforms, at: extent.now),
          rests(on: channel, platforms: extent.platforms, at: extent.now)
        )
        return (current + rests.filter { rest in !current.contains { $0.id == rest.id } }).map { ($0, channel) }
      }
      let named = record(label).flatMap { hasCome($0.id, to: channel, platforms: extent.platforms) ? $0 : nil }
      return named.map { [($0, channel)] } ?? []
    }
  }
}
