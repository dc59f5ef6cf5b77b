import Simulate
import Testing

@testable import CoverageStudy

/// A dozen small fleets of the study: no proof of 95 %, but whoever breaks a rule of the answers or of the simulation
/// hears of it here.
struct CoverageTests {
  /// The study's own fleets, a quarter of their size.
  private static let results = Result { () throws -> Results in
    let scenario = try #require(StudyScenario.all.first { $0.name == "one-push" })
    var results = Results()
    results.reports = try (1...12).map { try scenario.report(seed: $0, devices: 90, limit: 0.5) }
    results.populations = [scenario.name: mean(results.reports.map(\.truths))]
    return results
  }

  /// The fleets together are the population that each of them is drawn from.
  private static func mean(_ truths: [Truths]) -> Truths {
    var mean = truths[0]
    func average(_ part: KeyPath<Truths, [String: Double]>) -> [String: Double] {
      var sums: [String: Double] = [:]
      for truth in truths {
        for (name, value) in truth[keyPath: part] { sums[name, default: 0] += value / Double(truths.count) }
      }
      return sums
    }
    (mean.living, mean.heardOf) = (average(\.living), average(\.heardOf))
    return mean
  }

  private static let shares: [Measure] =
    [.adoption(6), .adoption(24), .adoption(72), .adoption(168), .lostPushes, .failures]
    + [.mechanism("silentPush", 24), .mechanism("foreground", 72)]

  private func coverage(_ measure: Measure, _ method: Method, _ target: Results.Target) throws -> Coverage {
    try Self.results.get().coverage(of: measure, method, target) { _ in true }
  }

  /// Of twelve intervals eleven or twelve hold the truth; fewer than nine is a chance of one in five thousand.
  @Test(arguments: shares) func intervalsHoldTheTruth(_ measure: Measure) throws {
    let process = try coverage(measure, .uptake, .heardOf)
    #expect(process.fleets + process.unlimited == 12)
    #expect(process.covered >= process.fleets - 3)
    #expect(abs(process.bias) < 0.03)
  }

  /// What is measured of a fleet is what became of it, but for a few events that were lost or came late.
  @Test(arguments: shares) func answersAreWhatHappened(_ measure: Measure) throws {
    let own = try coverage(measure, .uptake, .thisFleet)
    #expect(own.covered == own.fleets)
    #expect(own.meanError < 0.01)
  }

  /// Limits that always hold because they are too wide are worth nothing: these are as wide as n devices make them.
  @Test(arguments: Measure.ages) func intervalsAreNotWide(hours: Int) throws {
    for reading in try Self.results.get().reports.flatMap(\.readings)
    where reading.measure == .adoption(hours) && reading.method == .uptake {
      let (share, lo, hi) = (try #require(reading.value), try #require(reading.lo), try #require(reading.hi))
      let binomial = 2 * 1.96 * (share * (1 - share) / 80).squareRoot()
      #expect(hi - lo < 1.25 * binomial)
    }
  }

  /// What the page on statistics says of them.
  @Test func naiveNumbersAreOff() throws {
    let updatedOnly = try coverage(.adoption(72), .updatedOnly, .living)
    #expect(updatedOnly.bias > 0.05 && updatedOnly.covered < 9)
    let alone = try coverage(.mechanism("silentPush", 72), .eachAlone, .living)
    #expect(alone.bias > 0.04)
    let own = try coverage(.mechanism("silentPush", 72), .uptake, .living)
    #expect(abs(own.bias) < 0.03)
  }

  /// Half of the first attempts would have to fail.
  @Test func noRolloutIsStopped() throws {
    let stops = try Self.results.get().stops
    #expect(stops.rollouts == 12 && stops.stopped == 0)
  }

  /// At the limit itself fewer than one rollout in twenty is stopped, whereas a test repeated at every look stops many.
  @Test func stopRuleKeepsItsLevel() {
    let study = StopRuleStudy(limit: 0.03, rollouts: 300, devices: 3000, seed: 7)
    #expect(study.alarms <= 27)
    #expect(study.repeatedTests > 3 * study.alarms)
  }

  /// What the page on statistics says of rules that stop rollouts: over a whole rollout at the usual rate or at the limit ours
  /// stops hardly any, the others many; where every third device fails all stop soon.
  @Test func rulesStopWhatTheyShould() throws {
    let study = PauseRuleStudy(rollouts: 40, devices: 2000, seed: 3)
    #expect(study.result(.uptake, truth: 0).stopped == 0)
    #expect(study.result(.uptake, truth: 1).stopped <= 6)
    #expect(study.result(.wilson, truth: 0).stopped > 20)
    #expect(study.result(.share, truth: 0).stopped > 20)
    #expect(study.result(.uptake, truth: 2).stopped >= 36)
    for rule in [PauseRule.uptake, .wilson, .share] { #expect(study.result(rule, truth: 3).stopped == 40) }
    let middle = try #require(study.result(.uptake, truth: 3).medians)
    #expect(middle.exposed < 100 && middle.hours < 12)
  }

  /// Whatever failed in the past, and whatever fails now: hardly any rollout at the usual rate is stopped, and all at twice the limit.
  @Test func failuresAtAnotherTimeAreNoMore() {
    let study = FailureTimesStudy(rollouts: 40, devices: 2000, seed: 5)
    for (past, now) in zip(FailureTimesStudy.kinds, study.results) {
      for (kind, stops) in zip(FailureTimesStudy.kinds, now) {
        #expect(stops[0].stopped <= 2, "\(past.name), now \(kind.name)")
        #expect(stops[1].stopped <= 16, "\(past.name), now \(kind.name)")
        #expect(stops[2].stopped >= 36, "\(past.name), now \(kind.name)")
      }
    }
  }

  /// What the page says of the same devices in two releases: limits hold, and are narrower than those of strangers.
  @Test func pairedLimitsHold() {
    let study = PairedStudy(fleets: 60, devices: 300, shared: 10, spread: 1.2, faster: 1.5, seed: 11)
    #expect(study.adoption.held >= 52 && study.mean.held >= 52)
    #expect(study.adoption.width < 0.9 && study.mean.width < 0.85)
    let strangers = PairedStudy(fleets: 20, devices: 200, shared: 0, spread: 1.2, faster: 1, seed: 11)
    #expect(abs(strangers.adoption.width - 1) < 1e-9 && strangers.adoption.held == strangers.adoption.heldAlone)
  }

  /// Of polls every other day as of hourly ones: the median is held, and off by little.
  @Test(arguments: [1.0, 48]) func polledLimitsHold(_ step: Double) {
    let study = PolledStudy(fleets: 30, devices: 300, every: step, .mixed, seed: 11)
    #expect(study.held >= 25 && abs(study.off) < 0.05, "\(study.held), \(study.off)")
  }

  /// At an end among the checks adoption is held, and off by little.
  @Test(arguments: PolledEndStudy.End.allCases, [8.0, 24])
  func polledEndsHold(_ end: PolledEndStudy.End, _ step: Double) {
    for hours in [16.0, 36] {
      let study = PolledEndStudy(fleets: 30, devices: 600, every: step, end, at: hours, age: 12, seed: 11)
      #expect(study.held >= 25 && abs(study.off) < 0.08, "\(hours) h: \(study.held), \(study.off)")
    }
  }

  /// Likewise where devices fall back to the old release.
  @Test func polledLimitsHoldWhereDevicesFallBack() {
    let back = PolledEndStudy(fleets: 30, devices: 600, every: 6, .asked, at: 100, age: 6, back: 0.4, seed: 11)
    #expect(back.held >= 25 && abs(back.off) < 0.08, "\(back.held), \(back.off)")
  }

  /// Asked hourly, a gate for one look passes a release at its limit more often than it says; one for all looks does not.
  @Test func gatesForManyLooksHold() {
    let study = LooksStudy(fleets: 40, devices: 100, every: 6, silent: 3, growing: true, seed: 11)
    #expect(study.always <= 2 && study.once > study.always)
  }

  /// A band of 80 % holds four of five unseen releases, and the forecast beats the release before.
  @Test func forecastsOfUnseenReleasesHold() {
    let study = ForecastStudy(runs: 40, past: 8, devices: 400, snapshot: 24 * 3600, drift: 0, seed: 11)
    #expect(study.forecasts == 40 && (25...39).contains(study.held) && study.error < study.naive)
  }

  /// The limit that past releases set holds at every size; a threshold found by looking at healthy rollouts of one size does not.
  @Test func thresholdsFoundInHindsightHoldForOneSize() throws {
    let study = TunedRuleStudy(rollouts: 10, devices: 1500, seed: 5)
    let verdict = study.rows[0]
    #expect(verdict.stops.map(\.stopped) == [0, 0, 10, 10])
    let early = try #require(study.rows.first { $0.name == "a day, from 100 on" })
    #expect(early.stops[0].stopped <= 2 && early.stops[1].stopped > early.stops[0].stopped)
    #expect(early.stops[2].stopped == 10 && early.stops[3].stopped == 10)
  }
}

struct CoverageCountTests {
  private func reading(_ value: Double?, _ lo: Double?, _ hi: Double?) -> Reading {
    Reading(measure: .failures, method: .uptake, value: value, lo: lo, hi: hi)
  }

  @Test func aMissingLimitIsNoLimit() {
    var coverage = Coverage()
    coverage.add(reading(5, 4, nil), truth: 100)
    coverage.add(reading(nil, 4, nil), truth: nil)
    coverage.add(reading(0, nil, nil), truth: 0.1)
    #expect((coverage.fleets, coverage.covered, coverage.unlimited) == (2, 2, 1))
    coverage.add(reading(5, 4, 6), truth: nil)
    coverage.add(reading(5, 4, 6), truth: 3)
    #expect((coverage.above, coverage.below, coverage.covered) == (1, 1, 2))
  }

  @Test(arguments: [(0.126, 2, "0.13"), (-2.05, 1, "−2.1"), (12, 0, "12"), (.nan, 1, "–")])
  func numbersAreWrittenPlainly(_ row: (value: Double, places: Int, text: String)) {
    #expect(fixed(row.value, row.places) == row.text)
  }

  /// Clocks that start at the first offer leave the wait before it out: no limits of chance would hold the truth.
  @Test func aRolloutThatIsHeldBackHasNoLimits() throws {
    let reports = try (1...3).map { try StudyScenario.heldBack.report(seed: $0, devices: 500) }
    let population = try StudyScenario.heldBack.population(devices: 4000)
    let ofTime = reports.flatMap(\.readings).filter { $0.method == .uptake && $0.measure != .failures }
    #expect(ofTime.contains { $0.measure == .adoption(24) && $0.value != nil })
    #expect(ofTime.allSatisfy { $0.lo == nil && $0.hi == nil })
    let truth = try #require(population.heardOf[Measure.adoption(24).rawValue])
    let found = ofTime.filter { $0.measure == .adoption(24) }.compactMap(\.value)
    #expect(found.reduce(0, +) / Double(found.count) > truth + 0.03)
  }

  @Test(arguments: StudyScenario.all.map(\.name)) func scenariosAreSound(name: String) throws {
    let scenario = try #require(StudyScenario.all.first { $0.name == name }).scenario()
    #expect(scenario.releases.first?.label == StudyScenario.release)
    #expect(scenario.channels.contains { $0.name == StudyScenario.channel })
  }
}
