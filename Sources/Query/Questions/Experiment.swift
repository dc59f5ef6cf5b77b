import Console
import Lifecycle
public import Statistics

/// A random experiment that the app runs, such as a push hold-out: whole arms compared, whatever delivered.
///
/// Devices stay in the arm that they named when they became eligible (intention to treat), so a difference is an effect
/// of the assignment.
public struct Experiment: Encodable, Sendable {
  public struct Age: Encodable, Sendable {
    public var seconds: Int64
    public var share: Estimate
  }
  public struct Arm: Encodable, Sendable {
    public var arm: String
    public var devices: Int
    public var events: Int
    public var ages: [Age]
    public var median: Estimate
  }
  /// An arm less the reference.
  public struct Comparison: Encodable, Sendable {
    public var arm: String
    public var reference: String
    public var logRank: LogRankRow
    public var shares: [Age]
    /// The same with limits that hold at all looks together: who looks daily, and stops when they say something, errs no more
    /// often than the level says.
    public var always: [Age]
    /// Mean time without the update; negative is faster.
    public var restrictedMeans: [TimeToUpdate.RestrictedMean]
  }
  /// The arm named control, holdout or hold-out; else the first by name.
  public var reference: String
  public var arms: [Arm]
  public var comparisons: [Comparison]
  public var withoutArm: Int
  /// Whether the arms have the devices that they should have; null where there are too few to tell.
  @Nullable public var sampleRatio: Ratio?

  /// A test of the assignment itself: where it is off, a difference between arms is no effect.
  public struct Ratio: Encodable, Sendable {
    /// Against the shares that were planned, else between the arms' platforms.
    public enum Against: String, CaseIterable, Encodable, Sendable { case plan, platforms }
    public var against: Against
    public var significance: Significance
    public var isOff: Bool
  }
}

extension Experiment {
  typealias Cells = (arm: String, cells: [(platform: String, cell: RiskTable)])

  /// nil where the app marks no arms.
  init?(_ arms: [Cells], _ all: RiskTable, _ options: Mechanisms.Options, _ level: Double) {
    guard !arms.isEmpty else { return nil }
    let wholes = arms.map { arm in
      var whole = RiskTable.merged(arm.cells.map(\.cell))
      whole.table.followedTo = all.table.followedTo
      return whole
    }
    let control = arms.firstIndex { ["control", "holdout", "hold-out"].contains($0.arm.lowercased()) } ?? 0
    let curves = wholes.map { KaplanMeier($0.table, events: .updates) }
    let ages = options.ages.map { $0.rawValue / 1000 }
    reference = arms[control].arm
    self.arms = zip(arms, zip(wholes, curves)).map { arm, whole in
      Arm(
        arm: arm.arm, devices: whole.0.devices, events: Int(whole.1.events),
        ages: ages.map { Age(seconds: $0, share: whole.1.adoption(at: $0, level: level)) },
        median: whole.1.quantile(0.5, level: level))
    }
    var comparisons = arms.indices.filter { $0 != control }.map { index in
      Comparison(
        arm: arms[index].arm, reference: arms[control].arm,
        logRank: LogRankRow(LogRank(Self.sets(arms[control], arms[index]))),
        shares: ages.map { age in
          Age(seconds: age, share: curves[index].adoptionDifference(from: curves[control], at: age, level: level))
        },
        always: ages.map { age in
          let share = curves[index].adoptionDifferenceAtAllLooks(from: curves[control], at: age, level: level)
          return Age(seconds: age, share: share)
        },
        restrictedMeans: Adoption.horizons.map {
          .init(
            horizonSeconds: $0,
            seconds: curves[index].fairRestrictedMeanDifference(from: curves[control], to: $0, level: level))
        })
    }
    LogRankRow.adjust(&comparisons, \.logRank)
    self.comparisons = comparisons
    withoutArm = all.devices - wholes.reduce(0) { $0 + $1.devices }
    _sampleRatio = Nullable(wrappedValue: Ratio(arms, wholes.map(\.devices), options.arms))
  }

  /// Two arms, one stratum per platform.
  private static func sets(_ reference: Cells, _ arm: Cells) -> RiskSets {
    let platforms = Set((reference.cells + arm.cells).map(\.platform)).sorted()
    let strata = platforms.map { platform in
      [reference, arm].map { side in side.cells.first { $0.platform == platform }?.cell.table ?? LifeTable() }
    }
    return RiskSets(strata: strata, groupCount: 2, events: .updates)
  }
}

extension Experiment.Ratio {
  /// - Parameters:
  ///   - devices: by arm.
  ///   - plan: nil where nobody says which shares were meant.
  fileprivate init?(_ arms: [Experiment.Cells], _ devices: [Int], _ plan: ArmRule?) {
    if let plan {
      let shares = arms.map { arm in Double(plan.arms.first { $0.name == arm.arm }?.share ?? 0) }
      guard let ratio = SampleRatio(devices, shares: shares) else { return nil }
      self.init(against: .plan, ratio)
    } else {
      let platforms = Set(arms.flatMap { $0.cells.map(\.platform) }).sorted()
      let table = arms.map { arm in
        platforms.map { platform in arm.cells.filter { $0.platform == platform }.reduce(0) { $0 + $1.cell.devices } }
      }
      guard let ratio = SampleRatio(table) else { return nil }
      self.init(against: .platforms, ratio)
    }
  }

  private init(against: Against, _ ratio: SampleRatio) {
    self.init(against: against, significance: Significance(ratio.p), isOff: ratio.isOff)
  }
}

extension Experiment {
  /// Where the arms are not what they should be nothing between them is an effect; nil where they are, or nobody can tell.
  public var warning: Warning? {
    guard let sampleRatio, sampleRatio.isOff else { return nil }
    let counts = arms.map { "\($0.arm) \(grouped($0.devices))" }.joined(separator: ", ")
    let off =
      switch sampleRatio.against {
      case .plan: "are not the shares that were planned"
      case .platforms: "are other shares on one platform than on another"
      }
    return Warning(
      "arms_off",
      "the arms of the experiment \(off) (\(counts)): devices were not assigned as meant, or one arm's do not report, so no"
        + " difference between them is an effect")
  }
}

extension LogRankRow {
  /// Fills in Holm's adjustment over one answer's tests.
  static func adjust<Row>(_ rows: inout [Row], _ path: WritableKeyPath<Row, LogRankRow>) {
    let family = holm(rows.map { $0[keyPath: path].significance.map { PValue(log10: $0.log10) } })
    for index in rows.indices { rows[index][keyPath: path].adjusted = family[index].map(Significance.init) }
  }
}
