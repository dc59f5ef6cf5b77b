import Lifecycle
import Statistics
import Store

/// The material of a comparison, from which each group's row is made.
struct Comparison {
  let chosen: Chosen
  let other: ReleaseRecord
  let past: [ReleaseRecord]
  /// Of the first, the second, then the past releases.
  let tables: [RiskTables]
  let attempts: Attempts
  let options: Compare.Options

  private var selection: Selection { chosen.selection }
  private var level: Double { chosen.selection.level }
  private var groupings: [Grouping] { selection.by.filter { $0 != .mechanism } }

  func devices(_ group: Group) -> Int {
    min(tables[0].cell(group, by: groupings).devices, tables[1].cell(group, by: groupings).devices)
  }

  func row(_ group: Group) -> (row: Compare, p: PValue?) {
    let age = commonAge(group)
    let curves = tables.map { curve($0, group, age) }
    let sets = riskSets(group, age, .updates)
    let test = LogRank(sets)
    let ages = agesToCompare(age).map { self.age($0, curves) }
    let means = Adoption.horizons.filter { $0 <= age }.map { mean($0, curves) }
    let failures = [0, 1].map { tally(group, $0) }
    let pair = ProportionPair(failures[0], failures[1])
    let row = Compare(
      group: group, first: side(group, 0, chosen.target, failures[0]), second: side(group, 1, other, failures[1]),
      ageSeconds: age, ages: ages, restrictedMeans: means, logRank: Compare.Test(test),
      hazards: hazards(sets), mechanisms: agesToCompare(age).flatMap { mechanisms(group, age, at: $0) },
      usual: agesToCompare(age).map { usual($0, Array(curves.dropFirst(2))) },
      failureDifference: pair.difference(level: level), failureRatio: pair.ratio(level: level),
      failureFisherP: pair.isSparse ? pair.fisherExact?.value : nil,
      verdict: verdict(ages, means))
    return (row, test.p)
  }

  /// The age of the first release, as far as the second one lived.
  private func commonAge(_ group: Group) -> Tick {
    let cutOff = tables[0].cutOff.at
    func lives(_ table: RiskTables) -> [Tick] {
      table.starts.filter { group.contains($0.key) }.map { place, start in
        (min(cutOff, table.supersededAt[place] ?? cutOff) - start.publishedAt).rawValue / 1000
      }
    }
    return max(0, min(lives(tables[0]).max() ?? 0, lives(tables[1]).max() ?? 0))
  }

  private func agesToCompare(_ age: Tick) -> [Tick] { options.ages.map { $0.rawValue / 1000 }.filter { $0 <= age } }

  private func curve(_ table: RiskTables, _ group: Group, _ age: Tick) -> KaplanMeier {
    KaplanMeier(table.cell(group, by: groupings).table.truncated(at: age), events: .updates)
  }

  /// Stratified by platform: the second release is the reference.
  private func riskSets(_ group: Group, _ age: Tick, _ causes: CauseSet) -> RiskSets {
    let platforms = Set((Array(tables[0].cells.keys) + Array(tables[1].cells.keys)).map(\.platform)).sorted {
      ($0 ?? "") < ($1 ?? "")
    }
    let strata = platforms.map { platform in
      [tables[1], tables[0]].map { table in
        let cells = table.cells.filter { $0.key.platform == platform && $0.key.split(by: groupings) == group }
        return RiskTable.merged(cells.map(\.value)).table.truncated(at: age)
      }
    }
    return RiskSets(strata: strata, groupCount: 2, events: causes)
  }

  private func age(_ tick: Tick, _ curves: [KaplanMeier]) -> Compare.Age {
    let difference = curves[0].adoptionDifference(from: curves[1], at: tick, level: level)
    return Compare.Age(
      seconds: tick, share: curves[0].adoption(at: tick, level: level),
      baseline: curves[1].adoption(at: tick, level: level), difference: difference,
      relevance: Relevance(of: difference, margin: options.shareMargin))
  }

  private func mean(_ horizon: Tick, _ curves: [KaplanMeier]) -> Compare.RestrictedMean {
    let difference = curves[0].fairRestrictedMeanDifference(from: curves[1], to: horizon, level: level)
    return Compare.RestrictedMean(
      horizonSeconds: horizon, seconds: curves[0].restrictedMean(to: horizon, level: level),
      baseline: curves[1].restrictedMean(to: horizon, level: level), difference: difference,
      relevance: Relevance(of: difference, margin: Double(options.timeMargin.rawValue) / 1000))
  }

  private func hazards(_ sets: RiskSets) -> Compare.Hazards {
    let proportional = ProportionalHazards(sets, group: 1, level: level)
    return Compare.Hazards(
      ratio: CoxModel(sets).hazardRatio(of: 1, level: level), early: proportional.early, late: proportional.late,
      verdict: proportional.verdict)
  }

  private func mechanisms(_ group: Group, _ age: Tick, at tick: Tick) -> [Compare.Mechanism] {
    let curves = tables.prefix(2).map { AalenJohansen($0.cell(group, by: groupings).table.truncated(at: age)) }
    return Trigger.allCases.map(\.cause).filter { cause in curves.contains { $0.causes.contains(cause) } }.map {
      cause in
      Compare.Mechanism(
        mechanism: cause.word, seconds: tick, share: curves[0].incidence(of: cause, at: tick, level: level),
        baseline: curves[1].incidence(of: cause, at: tick, level: level),
        difference: curves[0].incidenceDifference(from: curves[1], of: cause, at: tick, level: level),
        p: LogRank(riskSets(group, age, [cause])).p?.value)
    }
  }

  private func usual(_ tick: Tick, _ curves: [KaplanMeier]) -> Compare.Range {
    let known = zip(past, curves).compactMap { record, curve in
      curve.adoption(at: tick, level: level).value.map { (label: record.label.rawValue, share: $0) }
    }
    return Compare.Range(
      seconds: tick, releases: known.map(\.label), lowest: known.map(\.share).min(), highest: known.map(\.share).max())
  }
}

// MARK: sides and words

extension Comparison {
  private func side(_ group: Group, _ table: Int, _ record: ReleaseRecord, _ failures: Proportion) -> Compare.Side {
    let starts = tables[table].starts.filter { group.contains($0.key) }.map(\.value.publishedAt)
    return Compare.Side(
      release: record.label.rawValue, counts: RiskCounts(tables[table].cell(group, by: groupings)),
      publishedAt: starts.min(), weekday: starts.min()?.weekday, hour: starts.min()?.hour,
      failures: Compare.FirstAttempts(
        attempts: Int(failures.trials), failed: Int(failures.successes), rate: failures.wilson(level: level)))
  }

  private func tally(_ group: Group, _ release: Int) -> Proportion {
    let tallies = attempts.groups.filter { $0.group == group }.map { attempts.counts($0, release) }
    return Proportion(
      Int64(tallies.reduce(0) { $0 + $1.failed }), of: Int64(tallies.reduce(0) { $0 + $1.attempts }))
  }

  /// By the mean time without the update over the longest common horizon up to 72 h; by adoption where there is none.
  private func verdict(_ ages: [Compare.Age], _ means: [Compare.RestrictedMean]) -> Compare.Verdict {
    let primary = means.last { $0.horizonSeconds <= 72 * 3600 && $0.difference.lo != nil }
    if let primary, let value = primary.difference.value { return verdict(primary.relevance, isAhead: value < 0) }
    guard let age = ages.last(where: { $0.difference.lo != nil }), let value = age.difference.value else {
      return .cannotSay
    }
    return verdict(age.relevance, isAhead: value > 0)
  }

  private func verdict(_ relevance: Relevance, isAhead: Bool) -> Compare.Verdict {
    switch relevance {
    case .relevant: isAhead ? .ahead : .behind
    case .equivalent: .equivalent
    case .undecided: .undecided
    }
  }
}

extension Compare.Test {
  init(_ test: LogRank) {
    self.init(
      chiSquare: test.statistic, degreesOfFreedom: test.degreesOfFreedom, p: test.p?.value, log10P: test.p?.log10,
      adjustedP: nil)
  }
}
