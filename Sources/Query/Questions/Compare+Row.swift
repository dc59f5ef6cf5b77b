import Lifecycle
import Statistics
import Store

/// The material of a comparison, from which each group's row is made.
struct Comparison {
  /// With tables of the past releases after those of the two.
  let ages: ComparedAges
  let past: [ReleaseRecord]
  let attempts: Attempts

  private var chosen: ReleaseScope { ages.chosen }
  private var tables: [RiskTables] { ages.tables }
  private var options: Compare.Options { ages.options }
  private var selection: Selection { chosen.selection }
  private var level: Double { chosen.selection.level }
  private var groupings: [Grouping] { selection.by.filter { $0 != .mechanism } }

  /// - Parameter between: what is known between checks of one of the tables; nil where its times are known.
  func row(
    _ group: Group, _ between: (Int, Group, LifeTable) -> PolledSide?
  ) -> (row: Compare, p: PValue?) {
    let age = ages.common(group)
    let compared = ComparedGroup(tables, group, by: groupings, at: age, level: level)
    let test = compared.test
    let sides = compared.curves.indices.map { place in
      between(place, group, tables[place].cell(group, by: groupings).table)
    }
    let curves = zip(compared.curves, sides).map { ComparedCurve(seen: $0, between: $1?.curve) }
    let (both, asked) = (ages.both(group), ages.asked(within: age))
    let rows = onAllCores(asked) { ages.row($0, curves, both) }
    let means = onAllCores(Adoption.horizons.filter { $0 <= age }) { mean($0, curves, both) }
    let failures = [0, 1].map { tally(group, $0) }
    let pair = ProportionPair(failures[0], failures[1])
    let row = Compare(
      group: group, first: side(compared, 0, group, chosen.target, failures[0], sides[0]),
      second: side(compared, 1, group, ages.other, failures[1], sides[1]),
      ageSeconds: age, ages: rows, restrictedMeans: means, logRank: Compare.Test(test),
      hazards: hazards(compared), mechanisms: asked.flatMap { mechanisms(compared, at: $0) },
      usual: asked.map { usual($0, Array(curves.dropFirst(2))) },
      failureDifference: pair.difference(level: level), failureRatio: pair.ratio(level: level),
      failureFisherP: pair.isSparse ? pair.fisherExact?.value : nil,
      verdict: Compare.verdict(rows, means))
    return (row, test.p)
  }

  private func mean(_ horizon: Tick, _ curves: [ComparedCurve], _ both: SharedEnds) -> Compare.RestrictedMean {
    let difference = curves[0].meanDifference(from: curves[1], to: horizon, level: level, shared: both)
    return Compare.RestrictedMean(
      horizonSeconds: horizon, seconds: curves[0].meanWait(to: horizon, level: level),
      baseline: curves[1].meanWait(to: horizon, level: level), difference: difference,
      relevance: Relevance(of: difference, margin: Double(options.timeMargin.rawValue) / 1000))
  }

  private func hazards(_ compared: ComparedGroup) -> Compare.Hazards {
    Compare.Hazards(
      ratio: compared.hazardRatio, early: compared.halves.early, late: compared.halves.late,
      verdict: compared.halves.verdict)
  }

  private func mechanisms(_ compared: ComparedGroup, at tick: Tick) -> [Compare.Mechanism] {
    let curves = compared.incidences
    return compared.mechanisms.map { cause, test in
      Compare.Mechanism(
        mechanism: cause.word, seconds: tick, share: curves[0].incidence(of: cause, at: tick, level: level),
        baseline: curves[1].incidence(of: cause, at: tick, level: level),
        difference: curves[0].incidenceDifference(from: curves[1], of: cause, at: tick, level: level),
        p: test.p?.value)
    }
  }

  private func usual(_ tick: Tick, _ curves: [ComparedCurve]) -> Compare.Range {
    let known = zip(past, curves).compactMap { record, curve in
      curve.share(at: tick, level: level).value.map { (label: record.label.rawValue, share: $0) }
    }
    return Compare.Range(
      seconds: tick, releases: known.map(\.label), lowest: known.map(\.share).min(), highest: known.map(\.share).max())
  }
}

// MARK: sides and words

extension Comparison {
  private func side(
    _ compared: ComparedGroup, _ table: Int, _ group: Group, _ record: ReleaseRecord, _ failures: Proportion,
    _ between: PolledSide?
  ) -> Compare.Side {
    let starts = tables[table].starts.filter { group.contains($0.key) }.map(\.value.publishedAt)
    return Compare.Side(
      release: record.label.rawValue, counts: RiskCounts(compared.cells[table]),
      publishedAt: starts.min(), weekday: starts.min()?.weekday, hour: starts.min()?.hour,
      failures: Compare.FirstAttempts(
        attempts: Int(failures.trials), failed: Int(failures.successes), rate: failures.wilson(level: level)),
      polled: between?.figures(points: 200, .pointwise(level: level)))
  }

  private func tally(_ group: Group, _ release: Int) -> Proportion {
    let tallies = attempts.groups.filter { $0.group == group }.map { attempts.counts($0, release) }
    return Proportion(
      Int64(tallies.reduce(0) { $0 + $1.failed }), of: Int64(tallies.reduce(0) { $0 + $1.attempts }))
  }
}

extension Compare.Test {
  init(_ test: LogRank) {
    self.init(
      chiSquare: test.statistic, degreesOfFreedom: test.degreesOfFreedom, p: test.p?.value, log10P: test.p?.log10,
      adjustedP: nil)
  }
}
