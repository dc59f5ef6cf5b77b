import Lifecycle
public import Statistics
public import Store

/// Devices that are alike in one thing, at whom a release fails more often than at all others, for certain.
///
/// Counted are first attempts from their start on, however young, as a stop counts them. Everything that devices differ in is
/// compared; Holm's method keeps all that is compared at one level, at one look.
public struct Suspects: Encodable, Sendable {
  /// First attempts of some devices, and how many of them failed so far.
  public struct Attempts: Encodable, Sendable {
    public var watched: Int
    public var watchedFailures: Int
    public var rate: Estimate
  }

  /// The same devices at the release before.
  public struct Previous: Encodable, Sendable {
    public var release: String
    public var watched: Int
    public var watchedFailures: Int
    public var rate: Estimate
    /// These less the others.
    public var difference: Estimate
  }

  public var by: String
  public var value: String
  public var watched: Int
  public var watchedFailures: Int
  public var rate: Estimate
  /// All devices but these.
  public var others: Attempts
  /// These less the others.
  public var difference: Estimate
  /// By Holm's method over all that was compared.
  public var adjusted: Significance
  public var compared: Int
  /// Those that are not of the first row; nil for that one, and where these are too few to be shown.
  @Nullable public var withoutFirst: Attempts?
  /// Whether these fail more often only because some of them are of the first row.
  public var isExplainedByFirst: Bool
  /// nil where there is none, and where its devices are too few to be shown.
  @Nullable public var previous: Previous?
}

extension Suspects: AskedOfRelease {
  public struct Options: QuestionOptions {
    public init() {}
  }

  public struct Question: ReleaseAsking {
    public static let name = "suspects"
    /// Hours that explain the first row leave another one first.
    public static let looks = 2
    let chosen: ReleaseScope
    private let vocabulary: Vocabulary
    private let before: ReleaseRecord?
    private let counting: SuspectCounting

    public init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ options: Options = Options()) {
      // As of harm: what has not arrived yet is of all devices alike, and who looks for a cause cannot wait for it.
      var chosen = chosen
      chosen.selection.isProvisional = true
      (self.vocabulary, self.chosen) = (vocabulary, chosen)
      before = chosen.timeline.precedents(of: chosen.target, chosen.selection).first
      counting = SuspectCounting(vocabulary, chosen, before: before)
    }

    public var scope: any Scope { chosen.selection }
    public var counts: Counts { Counts(counting) }

    /// Who else fails where those of the first row are left out, and who failed in hours when all did.
    public func more(_ findings: Findings<Suspects>, _ ledger: Ledger) -> Counts {
      let search = search(ledger)
      guard let first = search.found.first else { return Counts([]) }
      let left = search.found.count > 1 ? [without(first)] : []
      return Counts(left + (search.hours.map(sides).map { [$0.inside, $0.outside] } ?? []))
    }

    public func findings(_ ledger: Ledger) -> Findings<Suspects> {
      let (tally, search) = (ledger[counting], search(ledger))
      let left = search.found.first.flatMap { ledger.known(without($0)) }
      let alone = search.found.isEmpty ? nil : left.map { search.apart(in: $0) }
      let rows = search.found.enumerated().map { rank, suspect in
        row(suspect, tally, search, rank == 0 ? nil : alone?[suspect.trait])
      }
      return Findings(
        rows: rows, warnings: search.warnings(tally, chosen), dataThrough: tally.newest.at, end: counting.cutOff)
    }

    private func search(_ ledger: Ledger) -> SuspectSearch {
      let (tally, level, smallGroups) = (ledger[counting], chosen.selection.level, chosen.selection.smallGroups)
      let hours = FaultHours(tally.quarters, until: counting.cutOff.at, level: level)
        .flatMap { $0.isShown(smallGroups) ? $0 : nil }
      let counted = hours.map(sides).flatMap { sides in
        ledger.known(sides.inside).flatMap { inside in ledger.known(sides.outside).map { (inside, $0) } }
      }
      return SuspectSearch(tally, hours, sides: counted, level: level, smallGroups)
    }

    private func sides(_ hours: FaultHours) -> (inside: SuspectCounting, outside: SuspectCounting) {
      func counting(isInside: Bool) -> SuspectCounting {
        SuspectCounting(vocabulary, chosen, before: nil, at: FaultHours.Side(hours: hours, isInside: isInside))
      }
      return (counting(isInside: true), counting(isInside: false))
    }

    private func without(_ first: SuspectSearch.Suspect) -> SuspectCounting {
      SuspectCounting(vocabulary, chosen, before: before, excluding: first.trait)
    }

    private func row(
      _ suspect: SuspectSearch.Suspect, _ tally: SuspectTally, _ search: SuspectSearch, _ alone: SuspectSearch.Apart?
    ) -> Suspects {
      let (level, smallGroups) = (chosen.selection.level, chosen.selection.smallGroups)
      let (own, others) = (suspect.counts.own, tally.all.own.without(suspect.counts.own))
      let (past, othersBefore) = (suspect.counts.before, tally.all.before.without(suspect.counts.before))
      return Suspects(
        by: suspect.trait.by.rawValue, value: tally.name(suspect.trait), watched: own.attempts,
        watchedFailures: own.failures, rate: own.share.wilson(level: level), others: Attempts(others, level: level),
        difference: ProportionPair(own.share, others.share).difference(level: level),
        adjusted: Significance(suspect.adjusted), compared: search.compared,
        withoutFirst: alone.flatMap { smallGroups.tells($0.counts.attempts) ? Attempts($0.counts, level: level) : nil },
        isExplainedByFirst: alone.map { !$0.standsOut } ?? false,
        previous: before.flatMap {
          guard smallGroups.tells(past.attempts) else { return nil }
          return Previous(
            release: $0.label.rawValue, watched: past.attempts, watchedFailures: past.failures,
            rate: past.share.wilson(level: level),
            difference: ProportionPair(past.share, othersBefore.share).difference(level: level))
        })
    }
  }
}

extension Suspects.Attempts {
  fileprivate init(_ counts: WatchedAttempts, level: Double) {
    self.init(
      watched: counts.attempts, watchedFailures: counts.failures, rate: counts.share.wilson(level: level))
  }
}
