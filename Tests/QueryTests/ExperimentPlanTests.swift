import Lifecycle
import Store
import Testing

@testable import Query

/// A plan rests on what devices do with a release that they may have.
@Suite struct ExperimentPlanTests {
  @Test func haltedRolloutsAreLeftOut() throws {
    let scenario = try Scenario(
      """
      publish 1.0.0 at -10d
      publish 1.1.0 at 0h
      publish 1.2.0 at 10d rollout=100%@0h,0%@2h
      publish 1.3.0 at 20d rollout=100%@0h,0%@2h,100%@30h
      publish 1.4.0 at 30d
      publish 1.5.0 at 40d rollout=100%@0h,0%@2h
      now 45d
      devices all 100 bucket=5
        -11d            check 0.9.0 foreground
        -239h           applied 1.0.0 foreground
        -1h             check 1.0.0 foreground
        1h              applied 1.1.0 foreground
        239h            check 1.1.0 foreground
        479h            check 1.1.0 foreground
        719h            check 1.1.0 foreground
        721h            applied 1.4.0 foreground
        959h            check 1.4.0 foreground
        1079h           check 1.4.0 foreground
      """, file: "plan")
    let fleet = try scenario.fleet()
    let snapshot = try Snapshot(path: fleet.path)
    let scope = try FleetScope(snapshot.vocabulary, app: nil, now: scenario.epoch + .days(45))
    let plan = try #require(try ExperimentPlan(snapshot, scope))
    #expect(plan.releases == ["1.4.0", "1.1.0", "1.0.0"] && plan.leftOut == ["1.5.0", "1.3.0", "1.2.0"], "\(plan)")
    #expect(plan.baseline == 1)
  }

  static let plans: [(effect: Double, rollouts: Int?)] = [(-0.5, 1), (-0.02, nil)]

  /// The same phones come again with each release, in the same arms: 28 are had by one rollout, 1,036 by none.
  @Test(arguments: plans) func rolloutsAreNotAddedUp(_ row: (effect: Double, rollouts: Int?)) throws {
    let scenario = try Scenario(
      """
      publish 1.0.0 at 0h
      publish 1.1.0 at 10d
      now 20d
      devices all 100 bucket=5
        -1h    check 0.9.0 foreground
        1h     applied 1.0.0 foreground
        239h   check 1.0.0 foreground
        241h   applied 1.1.0 foreground
        479h   check 1.1.0 foreground
      """, file: "plan")
    let fleet = try scenario.fleet()
    let snapshot = try Snapshot(path: fleet.path)
    let scope = try FleetScope(snapshot.vocabulary, app: nil, now: scenario.epoch + .days(20))
    var options = ExperimentPlan.Options()
    options.effect = row.effect
    let plan = try #require(try ExperimentPlan(snapshot, scope, options))
    #expect(plan.releases == ["1.1.0", "1.0.0"] && plan.devices == 100, "\(plan)")
    let duration: Milliseconds? = row.rollouts == nil ? nil : .hours(24)
    for effort in [plan.oneLook, plan.allLooks] {
      #expect(effort.rollouts == row.rollouts && effort.duration == duration && effort.size != nil, "\(effort)")
    }
  }
}
