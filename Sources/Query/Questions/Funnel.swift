internal import Console
public import Lifecycle
public import Statistics
public import Store

/// How far devices get with a release, stage by stage, and how long each step takes.
public struct Funnel: Encodable, Sendable {
  public struct Stage: Encodable, Sendable {
    public var stage: String
    /// It, or a later stage, was seen.
    public var reached: Int
    /// Only a later stage was seen: the report of this one was lost, or the client does not send it.
    public var implied: Int
  }
  /// From one stage to the next. Rates are among devices that entered at least the maturity ago.
  public struct Step: Encodable, Sendable {
    public var from: String
    public var to: String
    public var entered: Int
    public var reached: Int
    /// Those that had not by the cutoff. What is ready waits for a launch, so some may take the step later.
    public var lost: Int
    public var share: Estimate
    public var latency: Latency
  }
  /// Aalen–Johansen of the devices whose entry was seen, mature or not: the next stage, a failure, a newer release.
  public struct Latency: Encodable, Sendable {
    public var devices: Int
    public var reached: Int
    public var failed: Int
    public var newerRelease: Int
    public var censored: Int
    /// Of the failed: those that reached the next stage after all.
    public var recovered: Int
    public var quantiles: [TimeToUpdate.Quantile]
    public var curve: [Push.Point]
  }
  public struct Loss: Encodable, Sendable {
    public var from: String
    public var to: String
    public var devices: Int
    public var message: String
  }

  public var group: Labels
  /// Devices of which any stage was seen; one that was on two channels counts in each.
  public var devices: Int
  public var stages: [Stage]
  public var steps: [Step]
  /// The step that most devices have not taken; null where all have.
  @Nullable public var largestLoss: Loss?
}

extension Funnel: AskedOfRelease {
  public struct Options: QuestionOptions {
    /// A device that entered a step more recently may still be on its way.
    public var maturity = Milliseconds.hours(24)
    public var quantiles = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95]
    public var points = 100
    public init() {}
  }

  public struct Question: ReleaseAsking {
    public static let name = "funnel"
    private let stages: StageCounting

    public init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ options: Options = Options()) {
      stages = StageCounting(vocabulary, chosen, options)
    }

    var chosen: ReleaseScope { stages.chosen }
    public var scope: any Scope { chosen.selection }
    public var counts: Counts { Counts(stages) }

    public func findings(_ ledger: Ledger) -> Findings<Funnel> {
      let (counted, options, selection) = (ledger[stages], stages.options, stages.chosen.selection)
      let found = counted.stages
      let (shown, withheld) = selection.smallGroups.sifted(counted.groups) { $0.devices }
      let rows = shown.map { Funnel($0.key, $0.value, $0.value.told(of: found), level: selection.level, options) }
      return Findings(
        rows: rows, withheld: withheld,
        warnings: warnings(rows, isWhole: withheld.isEmpty, found, chosen, stages.end),
        dataThrough: counted.newest.at, end: stages.end,
        echo: ["maturitySeconds": .integer(options.maturity.rawValue / 1000)])
    }
  }

  fileprivate static func warnings(
    _ rows: [Funnel], isWhole: Bool, _ stages: [Milestone], _ chosen: ReleaseScope, _ end: CutOff
  ) -> [Warning] {
    if chosen.isTooNew(end) { return [] }
    var warnings: [Warning] = []
    let release = chosen.selection.release.rawValue
    if rows.allSatisfy({ $0.devices == 0 }), isWhole {
      warnings.append(Warning("nothing_offered", "no device reported any stage of \(release) here\(end.untilWords)"))
    } else if !stages.contains(.confirmed) {
      warnings.append(
        Warning("never_confirmed", "no device confirmed \(release); the funnel ends where it was applied"))
    }
    return warnings + rows.compactMap { hardlyConfirmed($0, release) }
  }
}

extension Funnel {
  private static func hardlyConfirmed(_ row: Funnel, _ release: String) -> Warning? {
    row.steps.first(where: \.isHardlyTold).map { step in
      let parts = row.group.parts.sorted { $0.key < $1.key }.map(\.value)
      let whom = parts.isEmpty ? "" : " of \(parts.joined(separator: ", "))"
      return Warning(
        "hardly_confirmed",
        "\(grouped(step.lost)) of \(counted(step.entered, "device"))\(whom) that applied \(release) never confirmed it: their clients"
          + " do not send confirmed, or it does not start there; the largest gap is told without it")
    }
  }
}

extension Funnel.Step {
  /// Whether so few say the last stage that clients hardly send it.
  var isHardlyTold: Bool { to == "\(Milestone.confirmed)" && reached * 20 < entered }
}

extension StageCounts {
  /// The stages without `confirmed` where nobody among these said it.
  fileprivate func told(of stages: [Milestone]) -> [Milestone] {
    stages.last == .confirmed && reached[stages.count - 1] == 0 ? stages.dropLast() : stages
  }
}

extension StageCounting: Counting {
  var start: StageTally { StageTally(self) }
}
