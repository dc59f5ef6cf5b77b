public import Console
public import Lifecycle
public import Statistics
public import Store

/// Something that holds updates up, with what shows it, what it likely comes from, and what to look at.
public struct Diagnosis: Encodable, Sendable {
  /// The raw values are part of every answer's JSON; in order of how near to a cause they are.
  public enum Name: String, CaseIterable, Encodable, Sendable {
    case releaseHarms, publicationWrong, updatesUndone, channelSilent, devicesSilent, stepNotOpened, buildLeftOut,
      versionBehind
    case refreshNeverRuns, pushesRefused, pushNeverWakes, tapsAsArrivals, pushesTooOften, pushesReplaced
    case downloadsOverrun, readyNotApplied, refreshRare, pushesLate, appsClosed, clocksWrong, idsChange, checksMissing
    case duplicates, devicesMadeUp
  }
  public enum Level: String, CaseIterable, Encodable, Sendable {
    /// Outside the ordinary, or not to be mended by anybody.
    case note
    /// Updates reach fewer devices than they could, or later.
    case warning
    /// Updates do not reach devices.
    case problem
  }
  /// A figure behind a finding.
  public struct Evidence: Encodable, Sendable {
    public var what: String
    @Nullable public var share: Estimate?
    @Nullable public var count: Int?
    @Nullable public var of: Int?
    /// What prints it, with more.
    public var command: ShellCommand
  }
  /// What to look at; the command that shows it, where there is one, at the end.
  public struct Check: Encodable, Sendable, CustomStringConvertible {
    var words: String
    var command: ShellCommand?

    public var description: String { words + (command.map { "\($0)" } ?? "") }

    /// With options that the command does not have yet.
    public func carrying(_ options: [(name: String, value: String)]) -> Check {
      Check(words: words, command: command?.carrying(options))
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(description)
    }
  }

  public var finding: Name
  public var level: Level
  /// The part of the fleet that it is about.
  public var group: Labels
  /// Devices that it holds up, as far as they can be counted.
  public var devices: Int
  public var sentence: String
  /// The likeliest first.
  public var causes: [String]
  /// What to look at, to tell the causes apart.
  public var check: Check
  public var evidence: [Evidence]
}

extension Diagnosis: AskedOfPeriod {
  public struct Options: QuestionOptions {
    public init() {}
  }

  /// Shares are held against a limit with limits of this confidence: a catalogue asks dozens of questions at once, and a
  /// healthy fleet should be told that it is healthy.
  public static let confidence = 0.999
  /// Of fewer devices nothing is said.
  public static let fewest = 50
  /// Of updates that do not stay fewer tell enough: hardly any device goes back by itself.
  public static let fewestUndone = 10
  /// The warning of an answer that had too few to look at.
  public static let fewDevices = "few_devices"
  /// So far back pushes and wake-ups are looked at where nobody says otherwise.
  public static let period = Milliseconds.days(14)

  public struct Question: PeriodAsking {
    public static let name = "diagnose"
    private let extent: FleetScope
    private let fleet: FleetCounting
    private let losses: PushLossCounting
    private let refused: RefusedCounting
    private let recent: RecentEventsCounting
    private let impossible: ImpossibleCounting
    private let wakeUps: WakeUps.Question
    private let verdicts: Verdict.Question
    private let strays: [StrayCounting]
    private let misspelt: [Warning]
    private let funnels: [(channel: String, release: String, question: Funnel.Question)]

    /// - Parameter extent: with a release, that one; else the newest one of each channel.
    public init(_ vocabulary: Vocabulary, _ extent: FleetScope, _ options: Options = Options()) throws {
      try extent.check(vocabulary)
      var recent = extent
      recent.since = extent.since ?? extent.now - Diagnosis.period
      (recent.release, self.extent) = (nil, extent)
      var scope = extent
      scope.since = recent.since
      fleet = FleetCounting(vocabulary, scope)
      losses = PushLossCounting(vocabulary, recent, own: Set(fleet.targets.map(\.release)))
      refused = RefusedCounting(losses, now: extent.now)
      self.recent = RecentEventsCounting(vocabulary, extent)
      impossible = ImpossibleCounting(extent)
      var split = WakeUps.Options()
      split.by = [.trigger, .platform]
      wakeUps = try WakeUps.Question(vocabulary, recent, split)
      verdicts = try Verdict.Question(vocabulary, extent)
      strays = try StrayPublication.all(
        vocabulary, app: extent.app, channels: extent.channels, platforms: extent.platforms, now: extent.now
      )
      .filter { extent.release == nil || extent.release == $0.release }
      .map { try $0.counting(vocabulary, now: extent.now) }
      let looked = fleet.targets.map(\.label) + [extent.release?.rawValue].compactMap(\.self)
      misspelt = Warning.misspelt(vocabulary, app: extent.app, now: extent.now, Set(looked))
      funnels = try fleet.targets.map { target in
        var chosen = try ReleaseScope(
          vocabulary, app: extent.app, release: ReleaseLabel(rawValue: target.label), now: extent.now)
        (chosen.selection.channels, chosen.selection.platforms) = ([target.channel], extent.platforms)
        (chosen.selection.only, chosen.selection.includesEmulators) = (extent.only, extent.includesEmulators)
        chosen.selection.population = extent.population
        var options = Funnel.Options()
        options.maturity = FleetCounting.patience
        return (target.channel, target.label, Funnel.Question(vocabulary, chosen, options))
      }
    }

    /// What came again of the newest events; nil where none is at hand.
    public func repeats(_ ledger: Ledger) -> DataHealth.Repeats? {
      guard let ratio = ledger.known(recent)?.repeats.ratio, ratio.trials > 0 else { return nil }
      return DataHealth.Repeats(count: Int(ratio.successes), of: Int(ratio.trials))
    }

    public var scope: any Scope { extent }
    public var counts: Counts {
      let own = funnels.flatMap(\.question.counts.all) + strays.flatMap(\.counts.all)
      return Counts([fleet, losses, recent, impossible] + wakeUps.counts.all + verdicts.counts.all + own)
    }

    /// What the verdicts ask for, once it is known what they turn on: else a release that silences devices would be no finding. The
    /// gateway's answer does not wait for devices: where pushes were sent after the cutoff, they count with those before.
    public func more(_ findings: Findings<Diagnosis>, _ ledger: Ledger) -> Counts {
      let late: [any Counting] = ledger[recent].late.isEmpty ? [] : [refused]
      return Counts(verdicts.more(verdicts.findings(ledger), ledger).all + late)
    }

    public func findings(_ ledger: Ledger) -> Findings<Diagnosis> {
      let (counted, judged) = (ledger[fleet], verdicts.findings(ledger))
      let evidence = DiagnosisEvidence(
        fleet: counted, losses: ledger[losses], recent: ledger[recent], impossible: ledger[impossible],
        wakeUps: wakeUps.findings(ledger).rows,
        verdicts: judged.rows,
        funnels: funnels.flatMap { funnel in
          funnel.question.findings(ledger).rows.map { (funnel.channel, funnel.release, $0) }
        }, strays: strays.compactMap { $0.found(ledger) }.mostTaken, counting: fleet,
        level: extent.level, refused: ledger.known(refused))
      let rows = FindingRule.all.flatMap { $0.find(evidence) }
      return Findings(
        rows: rows.enumerated().sorted { ($1.element.rank, $0.offset) < ($0.element.rank, $1.offset) }.map(\.element),
        warnings: evidence.warnings + misspelt + tooNew
          + cutOffWarnings(fleet.end), dataThrough: counted.newest.at,
        end: fleet.end, echo: ["by": .texts([]), "confidence": .number(Diagnosis.confidence)])
    }

    /// Of these no finding says that nothing is wrong.
    private var tooNew: [Warning] {
      let published = funnels.map(\.question.chosen).flatMap { $0.published($0.target) }
      let new = TooNew(published, now: extent.now, fleet.end)
      return [new?.warning("what holds it up there is not known yet; crashes and rollbacks count until now")]
        .compactMap(\.self)
    }
  }

  /// Greatest first; of one level in the order of the catalogue.
  fileprivate var rank: Int { Level.allCases.firstIndex(of: level) ?? 0 }
}
