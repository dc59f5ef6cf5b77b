import Lifecycle
import Statistics
import Store

extension Adoption {
  /// One release's time at risk, estimated.
  struct Side {
    let cell: RiskTable
    let curve: KaplanMeier
    let drawn: Curve
    let limits: CurveLimits

    init(_ cells: [RiskCell], _ selection: Selection, _ options: Options) {
      cell = RiskTable.merged(cells)
      curve = KaplanMeier(cell.table, events: selection.successes)
      limits = curve.limits(options.bands, level: selection.level)
      drawn = Curve(curve, points: options.points, limits)
    }
  }

  /// - Parameter sides: of this release, then of the one that it is held against.
  init(
    _ group: Group, _ sides: [Side], _ tables: RiskTables, _ chosen: ReleaseScope, _ options: Options,
    _ other: (record: ReleaseRecord, tables: RiskTables)?
  ) {
    let (selection, curve, reference) = (chosen.selection, sides[0].curve, sides.dropFirst().first)
    release = selection.release.rawValue
    publications = tables.publications(group)
    ages = options.ages.map { age in
      Age(sides[0], at: age.rawValue / 1000, reference, level: selection.level)
    }
    restrictedMeans = Self.horizons.map {
      RestrictedMean(curve, to: $0, baseline: reference?.curve, level: selection.level)
    }
    median = curve.quantiles([0.5], sides[0].limits)[0]
    self.curve = sides[0].drawn
    if let complete = publications.completeAfter {
      self.curve.counted = sides[0].cell.table.firstCounted(
        Curve.milestones, from: complete, of: selection.successes)
    }
    baseline = reference.map { reference in
      Reference(
        release: other?.record.label.rawValue ?? "", devices: reference.cell.devices,
        events: RiskCounts(reference.cell).events,
        curve: reference.drawn,
        publications: other?.tables.publications(group) ?? [], counts: RiskCounts(reference.cell))
    }
    band = Band(sides[0].limits)
  }
}

extension Adoption.Age {
  /// The difference has limits of its own, at each age.
  init(_ side: Adoption.Side, at tick: Tick, _ reference: Adoption.Side?, level: Double) {
    let (cell, standing) = (side.cell, side.curve.standing(at: tick))
    let share = standing.adoption(side.limits)
    let (atRisk, updated) = (Int(standing.atRisk), Int(standing.eventsSoFar))
    let limits = side.oneSidedLimits(standing, share, level: level)
    let before = reference.map { (side: $0, standing: $0.curve.standing(at: tick)) }
    let baseline = before.map { $0.standing.adoption($0.side.limits) }
    let limitsBefore = before.flatMap { before in
      baseline.map { before.side.oneSidedLimits(before.standing, $0, level: level) }
    }
    self.init(
      seconds: tick, atRisk: atRisk, events: updated, share: share,
      atMost: limits.atMost, atLeast: limits.atLeast,
      always: standing.adoptionAtAllLooks(level: level),
      observed: .init(
        updated: updated, devices: cell.devices,
        share: Proportion(Int64(min(updated, cell.devices)), of: Int64(cell.devices)).share),
      isUnstable: standing.isUnstable, baseline: baseline,
      baselineAtMost: limitsBefore?.atMost, baselineAtLeast: limitsBefore?.atLeast,
      difference: reference.map { side.curve.adoptionDifference(from: $0.curve, at: tick, level: level) },
      reason: share.reason?.rawValue)
  }
}

extension Adoption.Side {
  /// They are those of one age: beside limits of all ages they would be taken for such.
  fileprivate func oneSidedLimits(
    _ standing: KaplanMeier.Standing, _ share: Estimate, level: Double
  ) -> OneSidedLimits {
    limits.isSimultaneous ? .none : OneSidedLimits(standing, share, level: level)
  }
}

extension Adoption.RestrictedMean {
  init(_ curve: KaplanMeier, to horizon: Tick, baseline: KaplanMeier?, level: Double) {
    self.init(
      horizonSeconds: horizon, seconds: curve.meanWait(to: horizon, level: level),
      baseline: baseline?.meanWait(to: horizon, level: level),
      difference: baseline.map { curve.fairRestrictedMeanDifference(from: $0, to: horizon, level: level) })
  }
}

extension KaplanMeier {
  /// The difference of restricted means, only as far as enough devices of both groups carry them.
  func fairRestrictedMeanDifference(
    from reference: KaplanMeier, to horizon: Tick, level: Double, shared: SharedEnds = SharedEnds()
  ) -> Estimate {
    guard isCarried(to: horizon), reference.isCarried(to: horizon) else {
      let isBeyond = [table, reference.table].contains { ($0.lastTick ?? 0) < horizon }
      return .missing(isBeyond ? .beyondFollowUp : .tooFew, level: level, method: .independentDifference)
    }
    let most = Double(max(horizon, 0))
    return restrictedMeanDifference(from: reference, to: horizon, level: level, shared: shared).kept(
      within: -most...most
    )
    .withoutEmptyLimits
  }
}
