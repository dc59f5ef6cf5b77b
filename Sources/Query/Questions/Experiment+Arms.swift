import Lifecycle
import Statistics

extension Experiment {
  /// One arm, judged as the whole fleet is: what its limits rest on they share.
  struct Side {
    let arm: String
    let cells: [(platform: String, cell: RiskTable)]
    let whole: RiskTable
    let curve: KaplanMeier

    init(_ arm: (arm: String, cells: [(platform: String, cell: RiskTable)]), of all: RiskTable) {
      self.arm = arm.arm
      cells = arm.cells.map { ($0.platform, $0.cell.trusted(as: all)) }
      whole = RiskTable.merged(cells.map(\.cell)).trusted(as: all)
      curve = KaplanMeier(whole.table, events: .updates)
    }

    var devices: Int { whole.devices }
    var isControl: Bool { arm.lowercased() == "control" || Experiment.isHoldOut(arm) }
  }

  /// Whether an arm says of itself that pushes are held back from it.
  static func isHoldOut(_ arm: String) -> Bool { ["holdout", "hold-out"].contains(arm.lowercased()) }

  /// nil where the app marks no arms.
  ///
  /// - Parameter late: devices that named theirs too late.
  init?(
    _ arms: [(arm: String, cells: [(platform: String, cell: RiskTable)])], late: Int, _ all: RiskTable,
    _ options: Mechanisms.Options, _ selection: Selection
  ) {
    if arms.isEmpty, late == 0 { return nil }
    let sides = arms.map { Side($0, of: all) }
    let control = sides.first(where: \.isControl) ?? sides.first
    let shown = sides.filter { selection.smallGroups.tells($0.devices) }
    let (ages, level) = (options.ages.map { $0.rawValue / 1000 }, selection.level)
    let isWhole = shown.count == sides.count
    let rows = sides.map { side in
      let arm = Arm(side, at: ages, level)
      return shown.contains { $0.arm == side.arm } ? arm : arm.withheld
    }
    var comparisons: [Comparison] = []
    if let control, shown.contains(where: { $0.arm == control.arm }) {
      comparisons = shown.filter { $0.arm != control.arm }.map { Comparison($0, with: control, at: ages, level) }
    }
    LogRankRow.adjust(&comparisons, \.logRank)
    var ratio = Ratio(sides, options.arms)
    if !isWhole { ratio?.significance = nil }
    self.init(
      reference: control?.arm, arms: rows, comparisons: comparisons,
      withoutArm: isWhole ? all.devices - sides.reduce(0) { $0 + $1.devices } : nil,
      namedLate: selection.smallGroups.told(late), sampleRatio: ratio)
  }
}

extension RiskTable {
  /// With what estimates of a whole are to mind: its parts do not tell when clocks start, nor how long all were followed.
  fileprivate func trusted(as whole: RiskTable) -> RiskTable {
    var part = self
    (part.table.doubt, part.table.followedTo) = (whole.table.doubt, whole.table.followedTo)
    part.table.refusesLateEntrants = whole.table.refusesLateEntrants
    return part
  }
}

extension Experiment.Arm {
  fileprivate init(_ side: Experiment.Side, at ages: [Tick], _ level: Double) {
    self.init(
      arm: side.arm, devices: side.devices, events: Int(side.curve.events),
      ages: ages.map { .init(seconds: $0, share: side.curve.adoption(at: $0, level: level)) },
      median: side.curve.quantile(0.5, level: level))
  }

  fileprivate var withheld: Self {
    func none(_ one: Estimate) -> Estimate {
      Estimate(nil, level: one.level, method: one.method, reason: .fewerThanMinCell)
    }
    return Self(
      arm: arm, devices: nil, events: nil, ages: ages.map { .init(seconds: $0.seconds, share: none($0.share)) },
      median: none(median))
  }
}

extension Experiment.Comparison {
  fileprivate init(_ side: Experiment.Side, with control: Experiment.Side, at ages: [Tick], _ level: Double) {
    let (own, other) = (side.curve, control.curve)
    self.init(
      arm: side.arm, reference: control.arm, logRank: LogRankRow(LogRank(side.sets(with: control))),
      shares: ages.map { .init(seconds: $0, share: own.adoptionDifference(from: other, at: $0, level: level)) },
      always: ages.map {
        .init(seconds: $0, share: own.adoptionDifferenceAtAllLooks(from: other, at: $0, level: level))
      },
      restrictedMeans: Adoption.horizons.map {
        .init(horizonSeconds: $0, seconds: own.fairRestrictedMeanDifference(from: other, to: $0, level: level))
      })
  }
}

extension Experiment.Side {
  /// Two arms, one stratum per platform.
  fileprivate func sets(with reference: Self) -> RiskSets {
    let platforms = Set((reference.cells + cells).map(\.platform)).sorted()
    let strata = platforms.map { platform in
      [reference, self].map { side in side.cells.first { $0.platform == platform }?.cell.table ?? LifeTable() }
    }
    return RiskSets(strata: strata, groupCount: 2, events: .updates)
  }
}
