internal import Console
public import Lifecycle
public import Statistics
public import Store

/// Two releases at equal age: which one devices took up faster, by how much, and whether that matters.
public struct Compare: Encodable, Sendable {
  /// One of the two, with the devices behind its figures.
  public struct Side: Encodable, Sendable {
    public var release: String
    public var counts: RiskCounts
    /// When it was published where most of its devices are, and on which day of the week: days differ.
    @Nullable public var publishedAt: Timestamp?
    @Nullable public var weekday: String?
    /// In UTC.
    @Nullable public var hour: Int?
    public var failures: FirstAttempts
    /// Where nobody saw when many of its devices updated: what is known of it. Its shares and means are then estimated between the
    /// checks.
    @Nullable public var polled: Polled?
  }

  public struct FirstAttempts: Encodable, Sendable {
    public var attempts: Int
    public var failed: Int
    public var rate: Estimate
  }

  /// Adoption of both at one age.
  public struct Age: Encodable, Sendable {
    public var seconds: Int64
    public var share: Estimate
    /// Where nobody has updated yet: the share is at most this, at the answer's level.
    @Nullable public var atMost: Double?
    /// Where all that were at risk have updated: the share is at least this, at the answer's level.
    @Nullable public var atLeast: Double?
    public var baseline: Estimate
    /// As `atMost` and `atLeast`, of the second release.
    @Nullable public var baselineAtMost: Double?
    @Nullable public var baselineAtLeast: Double?
    /// The first release less the second.
    public var difference: Estimate
    public var relevance: Relevance
  }

  public struct RestrictedMean: Encodable, Sendable {
    public var horizonSeconds: Int64
    public var seconds: Estimate
    public var baseline: Estimate
    /// Mean time without the update, first less second; negative is faster.
    public var difference: Estimate
    public var relevance: Relevance
  }

  public struct Test: Encodable, Sendable {
    @Nullable public var chiSquare: Double?
    public var degreesOfFreedom: Int
    @Nullable public var p: Double?
    /// For values too small to be printed.
    @Nullable public var log10P: Double?
    /// Adjusted by Holm over the groups of this answer.
    @Nullable public var adjustedP: Double?
  }

  public struct Hazards: Encodable, Sendable {
    /// How many times faster devices of the first release update, all else equal.
    public var ratio: Estimate
    public var early: Estimate
    public var late: Estimate
    public var verdict: ProportionalHazards.Verdict
  }

  /// What one mechanism had delivered by an age, in both.
  public struct Mechanism: Encodable, Sendable {
    public var mechanism: String
    public var seconds: Int64
    public var share: Estimate
    public var baseline: Estimate
    public var difference: Estimate
    @Nullable public var p: Double?
  }

  /// What the last releases did at the same age: a difference inside this range is nothing unusual.
  public struct Range: Encodable, Sendable {
    public var seconds: Int64
    public var releases: [String]
    @Nullable public var lowest: Double?
    @Nullable public var highest: Double?
  }

  /// The words of the answer. The raw values are part of its JSON.
  public enum Verdict: String, CaseIterable, Encodable, Sendable {
    case ahead, behind, equivalent, undecided, cannotSay
  }

  public var group: Group
  public var first: Side
  public var second: Side
  /// Both are looked at up to this age: that of the younger, within the life of the older.
  public var ageSeconds: Int64
  public var ages: [Age]
  public var restrictedMeans: [RestrictedMean]
  public var logRank: Test
  public var hazards: Hazards
  public var mechanisms: [Mechanism]
  public var usual: [Range]
  public var failureDifference: Estimate
  public var failureRatio: Estimate
  /// Fisher's exact test, where a cell is too small for the other limits.
  @Nullable public var failureFisherP: Double?
  public var verdict: Verdict
}

extension Compare {
  public struct Options: Sendable {
    public var ages: [Milliseconds] = [.hours(24), .hours(72)]
    /// A difference of adoption that matters.
    public var shareMargin = 0.01
    /// A difference of mean time without the update that matters.
    public var timeMargin = Milliseconds.hours(1)
    public init() {}
  }

  /// - Parameter chosen: the first release; `other` is held against it.
  public static func answer(
    _ snapshot: borrowing Snapshot, _ chosen: ReleaseScope, with other: ReleaseRecord, _ options: Options = Options()
  ) throws -> Answer<Compare> {
    try snapshot.ask(Question(snapshot.vocabulary, chosen, with: other, options))
  }

  public struct Question: Query.Question {
    public static let name = "compare"
    let chosen: ReleaseScope
    let other: ReleaseRecord
    let options: Options
    private let past: [ReleaseRecord]
    /// Both, and what the same devices did with them.
    private let both: RiskCounting
    private let usual: RiskCounting
    private let attempts: AttemptCounting
    /// Of the first, the second, then past ones.
    private let polled: [PolledCount]

    public init(
      _ vocabulary: Vocabulary, _ chosen: ReleaseScope, with other: ReleaseRecord, _ options: Options = Options()
    ) {
      (self.chosen, self.other, self.options) = (chosen, other, options)
      past = Array(chosen.unpausedPrecedents.filter { $0.id != other.id }.prefix(5))
      both = RiskCounting(
        vocabulary, chosen, [chosen.target, other], pairs: [ReleasePair(first: chosen.target.id, second: other.id)])
      usual = RiskCounting(vocabulary, chosen, past)
      attempts = AttemptCounting(vocabulary, chosen, [chosen.target, other], Failures.Options())
      polled = ([chosen.target, other] + past).map { PolledCount(vocabulary, chosen, $0) }
    }

    public var scope: any Scope { chosen.selection }
    public var counts: Counts { Counts(both, usual, attempts) }

    public func more(_ findings: Findings<Compare>, _ ledger: Ledger) -> Counts {
      let sides = [findings.rows.map(\.first.counts), findings.rows.map(\.second.counts)]
      let two = zip(polled, sides).flatMap { $0.more($1).all }
      return two.isEmpty ? Counts([]) : Counts(two + polled.dropFirst(2).map(\.counting))
    }

    public func findings(_ ledger: Ledger) -> Findings<Compare> {
      let (selection, compared) = (chosen.selection, ledger[both])
      let tables = zip(polled, compared.tables + ledger[usual].tables).map { $0.tables(ledger, else: $1) }
      let ages = ComparedAges(
        chosen: chosen, other: other, tables: tables, shared: compared.shared, options: options)
      let comparison = Comparison(ages: ages, past: past, attempts: ledger[attempts])
      let sifted = ages.sifted
      let rows = adjusted(sifted.shown.map { comparison.row($0) { polled[$0].side(ledger, $1, selection, $2) } })
      let between = rows.flatMap { [$0.first.polled, $0.second.polled] }.compactMap(\.self)
      return Findings(
        rows: rows, withheld: sifted.withheld,
        warnings: warnings(tables[0], chosen, at: options.ages) + [
          Warning("sampling_error_only", "intervals cover chance, not other days, devices or networks than usual")
        ] + unlike(tables) + rows.compactMap(\.hoursWarning).prefix(1)
          + rows.flatMap { [$0.first.counts, $0.second.counts] }.newerWarnings
          + agesWarning(tables[1], of: other, by: selection.by, at: options.ages)
          + pauseWarning(tables[1], of: other, until: selection.now)
          + placesWarning(tables[0], of: chosen.target, tables[1], of: other, by: selection.by)
          + neverPublished(tables[1]) + missed(rows, ages)
          + between.warnings(kept: "mechanisms, the log-rank test and the ratio of hazards"),
        dataThrough: tables[0].dataThrough, end: tables[0].cutOff, echo: echo)
    }

    /// Of the first release `warnings` says it.
    private func neverPublished(_ tables: RiskTables) -> [Warning] {
      let isEmpty = tables.cells.isEmpty && tables.dataThrough == nil
      return tables.starts.isEmpty && !isEmpty ? [.neverPublished(other.label.rawValue, other.publications)] : []
    }

    /// Ages asked for that the younger of the two has not reached, or that the older one did not live to see.
    private func missed(_ rows: [Compare], _ compared: ComparedAges) -> [Warning] {
      let lived = Set(rows.map(\.ageSeconds)).sorted()
      let ages = Set(options.ages.map { $0.rawValue / 1000 }).sorted().filter { age in lived.contains { $0 < age } }
      guard let last = lived.last, let missed = ages.first else { return [] }
      let lack = last < missed ? ", \(duration(seconds: Double(missed - last))) too short" : ""
      let spans = Set([lived[0], last]).sorted().map { duration(seconds: Double($0)) }.joined(separator: " to ")
      let followed =
        last > 0
        ? "was followed for \(spans)" + (lived.count > 1 ? ", by group" : lack) : "is not followed yet at the cutoff"
      return [
        Warning(
          "age_not_reached",
          "not compared at \(ages.map { age(seconds: $0) }.joined(separator: ", ")): \(shorter(rows, compared)) \(followed)"
            + (last > 0 ? "; ask for a shorter age with --at\(shortEnough(lived[0]))" : ""))
      ]
    }

    /// ` 6h` where both lived so long, and to none of the ages asked for.
    private func shortEnough(_ lived: Int64) -> String {
      guard options.ages.allSatisfy({ $0.rawValue / 1000 > lived }), let usual = Compare.usualAge(within: lived) else {
        return ""
      }
      return " \(age(seconds: usual))"
    }

    /// The release that was followed for the shorter time, or both where that depends on the group.
    private func shorter(_ rows: [Compare], _ compared: ComparedAges) -> String {
      let labels = [chosen.target.label, other.label].map { named($0.rawValue) }
      let lives = rows.map { compared.lives($0.group) }
      let shorter = [0, 1].filter { one in lives.allSatisfy { $0[one] <= $0[1 - one] } }
      return shorter.count == 1 ? labels[shorter[0]] : "the younger of \(labels.joined(separator: " and "))"
    }

    private var echo: [String: QueryEcho.Value] {
      [
        "baseline": .text(other.label.rawValue), "shareMargin": .number(options.shareMargin),
        "timeMarginSeconds": .integer(options.timeMargin.rawValue / 1000),
      ]
    }
  }

  /// A mandatory release is taken up faster because it must be.
  private static func unlike(_ tables: [RiskTables]) -> [Warning] {
    let flags = tables.prefix(2).map { Set($0.starts.values.map(\.mandatory)) }
    guard flags[0] != flags[1], flags.allSatisfy({ !$0.isEmpty }) else { return [] }
    return [Warning("mandatory_differs", "one of the two releases is mandatory where the other is not")]
  }

  /// Weekdays are part of the rows: hours make more of a difference, and at young ages nearly all of it.
  private var hoursWarning: Warning? {
    otherHours.map { hours in
      Warning(
        "hours_differ",
        "\(named(first.release)) was \(hours.words(second.release)): but for ages of whole days part of the difference is"
          + " the hour")
    }
  }

  /// Holm's adjustment over all groups of the answer.
  private static func adjusted(_ rows: [(row: Compare, p: PValue?)]) -> [Compare] {
    zip(rows, holm(rows.map(\.p))).map { row, adjusted in
      var copy = row.row
      copy.logRank.adjustedP = adjusted?.value
      return copy
    }
  }
}

extension Compare {
  /// The longest age, in seconds, that people ask for and that lies within one; nil below an hour.
  public static func usualAge(within seconds: Int64) -> Int64? {
    [48, 24, 12, 6, 3, 1].map { $0 * 3600 }.first { $0 <= seconds }
  }
}
