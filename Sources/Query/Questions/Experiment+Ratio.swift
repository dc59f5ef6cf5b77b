import Console
import Lifecycle
import Statistics

extension Experiment.Ratio {
  /// - Parameter plan: nil where nobody says which shares were meant.
  init?(_ sides: [Experiment.Side], _ plan: ArmRule?) {
    if let plan { self.init(sides, planned: plan.arms.filter { $0.share > 0 }) } else { self.init(between: sides) }
  }

  private init?(between sides: [Experiment.Side]) {
    let platforms = Set(sides.flatMap { $0.cells.map(\.platform) }).sorted()
    let table = sides.map { side in
      platforms.map { platform in side.cells.filter { $0.platform == platform }.reduce(0) { $0 + $1.cell.devices } }
    }
    guard let ratio = SampleRatio(table) else { return nil }
    self.init(
      against: .platforms, significance: Significance(ratio.p), unplanned: [], missing: [], isOff: ratio.isOff)
  }

  /// Of arms that nobody planned, or that nobody names, no test of shares tells: their names do.
  private init?(_ sides: [Experiment.Side], planned: [ArmRule.Arm]) {
    let known = sides.filter { $0.devices > 0 }
    let counts = planned.map { arm in known.first { $0.arm == arm.name }?.devices ?? 0 }
    let unplanned = known.filter { side in !planned.contains { $0.name == side.arm } }
    let all = known.reduce(0) { $0 + $1.devices }
    let strays = unplanned.reduce(0) { $0 + $1.devices }
    let missing = zip(planned, counts).filter {
      $1 == 0 && SampleRatio.isMissing(share: Double($0.share) / 10_000, of: all)
    }
    let ratio = SampleRatio(counts, shares: planned.map { Double($0.share) })
    let isNamedOff = areNotable(strays, of: all) || !missing.isEmpty
    if ratio == nil, !isNamedOff { return nil }
    self.init(
      against: .plan, significance: ratio.map { Significance($0.p) }, unplanned: unplanned.map(\.arm),
      missing: missing.map(\.0.name), isOff: isNamedOff || ratio?.isOff ?? false)
  }
}

extension Experiment {
  /// Where the arms are not what they should be nothing between them is an effect; none where they are, or nobody can tell.
  public var warnings: [Warning] { [namedTooLate, off].compactMap(\.self) }

  private var namedTooLate: Warning? {
    let armed = arms.reduce(0) { $0 + ($1.devices ?? 0) }
    guard let namedLate, areNotable(namedLate, of: armed + namedLate) else { return nil }
    return Warning(
      "arms_late",
      "\(grouped(namedLate)) of \(counted(armed + namedLate, "device")) that name an arm of the experiment first named it with the"
        + " release, or later: who is in an arm rests on who got the release, so no difference between arms is an effect; name the"
        + " arm with every event")
  }

  private var off: Warning? {
    guard let sampleRatio, sampleRatio.isOff else { return nil }
    let counts = arms.compactMap { arm in arm.devices.map { "\(arm.arm) \(grouped($0))" } }.joined(separator: ", ")
    let names = [("not planned", sampleRatio.unplanned), ("without devices", sampleRatio.missing)]
      .filter { !$1.isEmpty }.map { "; \($0): \(firstFew($1.map(named)))" }.joined()
    let off =
      switch sampleRatio.against {
      case .plan: "are not the shares that were planned"
      case .platforms: "are other shares on one platform than on another"
      }
    return Warning(
      "arms_off",
      "the arms of the experiment \(off) (\(counts)\(names)): devices were not assigned as meant, or one arm's do not report, so no"
        + " difference between them is an effect")
  }

  /// Where `--arms` says what was planned.
  var untested: Warning? {
    guard sampleRatio == nil else { return nil }
    return Warning(
      "arms_untested",
      "too few devices to hold the arms of the experiment against --arms: whether they were assigned as planned is not known"
    )
  }
}

extension Warning {
  /// Who is pushed although pushes are held back from it makes arms alike; the difference is still one of the assignment.
  ///
  /// - Parameter holdOuts: of each group that is shown. Few are leftovers, or name a wrong trigger.
  static func holdOutPushed(_ holdOuts: [(devices: Int, pushed: Int)], _ small: SmallGroups) -> Warning? {
    let told = holdOuts.filter { small.tells($0.devices) && small.tells($0.pushed) }
    let (devices, pushed) = (told.reduce(0) { $0 + $1.devices }, told.reduce(0) { $0 + $1.pushed })
    guard areNotable(pushed, of: devices) else { return nil }
    return Warning(
      "holdout_pushed",
      "a silent push brought the release to \(grouped(pushed)) of \(counted(devices, "device")) of the hold-out: pushes were not"
        + " held back from these, so the arms differ by less than pushing does; leave the arm out where pushes are sent"
    )
  }
}
