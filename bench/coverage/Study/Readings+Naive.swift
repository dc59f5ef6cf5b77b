import Glibc
import Query
import Statistics

extension StoredFleet {
  /// What people compute who look at the updated devices only: how many of them had updated by an age, and when half
  /// of them had.
  func updatedOnly() throws -> [Reading] {
    let (row, span) = try timeToUpdate()
    let total = row.counts.events
    let ages = Measure.ages.filter { $0 * 3600 <= span }.map { hours in
      let early = row.curve.prefix { $0.seconds <= hours * 3600 }.reduce(0) { $0 + $1.events }
      return Reading(.adoption(hours), .updatedOnly, Proportion(Int64(early), of: Int64(total)).wilson(level: 0.95))
    }
    let times = row.curve.flatMap { Array(repeating: Double($0.seconds), count: $0.events) }
    let quantiles = Measure.quantiles.map { p in
      let ranks = OrderStatisticInterval(of: p, among: Int64(total), level: 0.95)
      func time(_ rank: Int64?) -> Double? { rank.map { times[Int($0) - 1] } }
      return Reading(
        measure: .quantile(p), method: .updatedOnly, value: time(max(1, Int64((p * Double(total)).rounded(.up)))),
        lo: time(ranks.lowerRank), hi: time(ranks.upperRank))
    }
    return ages + (total > 0 ? quantiles : [])
  }

  /// Kaplan–Meier for each mechanism with the others censored, as if without them devices would have waited for it.
  func eachAlone() throws -> [Reading] {
    let (row, span) = try timeToUpdate()
    return Measure.mechanismAges.filter { $0 * 3600 <= span }.flatMap { hours in
      row.mechanisms.map { part in alone(part, of: row, hours) }
    }
  }

  private func alone(_ part: TimeToUpdate.MechanismShare, of row: TimeToUpdate, _ hours: Int) -> Reading {
    let points = Dictionary(uniqueKeysWithValues: row.curve.map { ($0.seconds, $0) })
    let survival = [0] + row.curve.map { $0.share.value ?? 0 }
    let before = Dictionary(uniqueKeysWithValues: zip(row.curve.map(\.seconds), survival.map { 1 - $0 }))
    var (logSurvival, variance, height) = (0.0, 0.0, 0.0)
    for step in part.curve where step.seconds <= hours * 3600 {
      guard let point = points[step.seconds], let share = step.share.value, let still = before[step.seconds] else {
        continue
      }
      // The mechanism's own events at this tick, from what they added to its curve.
      let (n, events) = (Double(point.atRisk), ((share - height) * Double(point.atRisk) / still).rounded())
      logSurvival += log1p(-events / n)
      variance += events / (n * (n - events))
      height = share
    }
    guard logSurvival < 0 else {
      return Reading(measure: .mechanism(part.mechanism, hours), method: .eachAlone, value: 0)
    }
    let theta = normalQuantile(level: 0.95) * variance.squareRoot() / -logSurvival
    let share = { (log: Double) in -expm1(log) }
    return Reading(
      measure: .mechanism(part.mechanism, hours), method: .eachAlone, value: share(logSurvival),
      lo: share(logSurvival * exp(-theta)), hi: share(logSurvival * exp(theta)))
  }
}
