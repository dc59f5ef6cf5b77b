import Console
import Lifecycle
import Statistics
import Store

extension Funnel {
  init(_ group: Labels, _ tally: StageCounts, _ stages: [Milestone], level: Double, _ options: Options) {
    self.group = group
    devices = tally.devices
    let names = stages.map { "\($0)" }
    self.stages = names.indices.map {
      Stage(stage: names[$0], reached: tally.reached[$0], implied: tally.reached[$0] - tally.seen[$0])
    }
    let steps = onAllCores(Array(names.indices.dropLast())) { index in
      let (entered, passed) = (tally.entered[index], tally.passed[index])
      return Step(
        from: names[index], to: names[index + 1], entered: entered, reached: passed, lost: entered - passed,
        share: Proportion(Int64(passed), of: Int64(entered)).wilson(level: level),
        latency: Latency(tally.latency[index].build(), recovered: tally.recovered[index], level: level, options))
    }
    self.steps = steps
    largestLoss = Self.largestLoss(steps, after: options.maturity)
  }

  private static func largestLoss(_ steps: [Step], after maturity: Milliseconds) -> Loss? {
    let steps = steps.filter { !$0.isHardlyTold }
    guard let worst = steps.max(by: { $0.lost < $1.lost }), worst.lost > 0 else { return nil }
    let first = steps.first { $0.lost == worst.lost } ?? worst
    return Loss(from: first.from, to: first.to, devices: first.lost, message: first.notThrough(after: maturity))
  }
}

extension Funnel.Step {
  /// Whether its devices only have to be launched, which may take days.
  public var awaitsLaunch: Bool { to == "\(Milestone.applied)" }

  /// Who is not through may be so later: what is ready waits for a launch.
  fileprivate func notThrough(after maturity: Milliseconds) -> String {
    "\(grouped(lost)) of \(counted(entered, "device")) that reached \(from) at least \(age(seconds: maturity.rawValue / 1000))"
      + " before the cutoff had not got to \(to) by then"
      + (awaitsLaunch ? "; some may only wait for their next launch" : "")
  }
}

extension Funnel.Latency {
  init(_ table: LifeTable, recovered: Int, level: Double, _ options: Funnel.Options) {
    let push = Push.Latency(table, of: .nextStage, level: level, options.quantiles, points: options.points)
    self.init(
      devices: Int(table.intervals), reached: push.events, failed: Int(table.events(.failure)),
      newerRelease: Int(table.events(.movedOn)), censored: push.censored, recovered: recovered,
      quantiles: push.quantiles, curve: push.curve)
  }
}
