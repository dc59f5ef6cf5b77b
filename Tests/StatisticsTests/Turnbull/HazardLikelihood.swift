import Glibc
import Statistics

/// The likelihood of bounded times as a function of the hazards λ of the innermost intervals: S = exp(-Σλ).
///
/// A time in (L, R] of who was watched from E on has -Λ(E, L] + log(1 - exp(-Λ(L, R])), in which Λ(a, b] is the sum of
/// hazards between. This is concave in λ, late entries or not, so a point that meets the Kuhn-Tucker conditions is the
/// maximum. A step costs as much as there are times and intervals.
struct HazardLikelihood: Sendable {
  /// Indices of innermost intervals: known to have survived those in `from..<first`; the time lies in `first..<end`.
  struct Term: Hashable, Sendable {
    var from: Int
    var first: Int
    /// nil where there is no upper bound.
    var end: Int?
    /// How many.
    var weight: Double
  }

  let terms: [Term]
  let intervals: Int
  /// By interval: how many are known to have survived it.
  let survivors: [Double]

  init(_ terms: [Term], intervals: Int) {
    self.intervals = intervals
    // A term whose bounds hold no interval cannot be explained by any hazard; it says only whom it survived.
    self.terms = terms.filter { term in term.end.map { $0 > term.first } ?? false }
    survivors = Self.sums(terms.map { ($0.from, $0.first, $0.weight) }, intervals)
  }

  init(_ times: [BoundedTime], _ innermost: [InnermostInterval]) {
    func place(_ tick: Tick) -> Int { innermost.partitioningIndex { $0.upTo > tick } }
    self.init(
      times.map { time in
        Term(
          from: place(time.entry), first: place(time.after), end: time.upTo.map(place), weight: Double(time.count))
      }, intervals: innermost.count)
  }

  /// Σλ up to each interval; one more than there are intervals.
  static func running(_ hazards: [Double]) -> [Double] {
    var total = 0.0
    return [0]
      + hazards.map { hazard in
        total += hazard
        return total
      }
  }

  /// By index, what of weights that are spread over ranges of indices adds up there.
  static func sums(_ ranges: [(from: Int, end: Int, weight: Double)], _ count: Int) -> [Double] {
    var changes = Array(repeating: 0.0, count: count + 1)
    for range in ranges where range.from < range.end {
      changes[range.from] += range.weight
      changes[range.end] -= range.weight
    }
    return Array(running(changes).dropFirst().prefix(count))
  }
}

extension HazardLikelihood {
  /// -infinity where a time lies in intervals without hazard.
  func value(_ hazards: [Double]) -> Double {
    let running = Self.running(hazards)
    var value = 0.0
    for term in terms { value += term.weight * log(-expm1(-term.hazard(running))) }
    for index in hazards.indices { value -= survivors[index] * hazards[index] }
    return value
  }

  /// ∂/∂λ by interval: at the maximum 0 where λ > 0, and at most 0 elsewhere.
  func slopes(_ hazards: [Double]) -> [Double] {
    let running = Self.running(hazards)
    return zip(odds(running), survivors).map { $0 - $1 }
  }

  /// By how much the logarithm of the likelihood may lie below its maximum, to first order; 0 at the maximum.
  ///
  /// Slopes times λ where there is hazard; elsewhere only a slope upwards counts, times the hazard that one device makes.
  func shortfall(_ hazards: [Double]) -> Double {
    zip(slopes(hazards), hazards).reduce(0) { sum, interval in
      sum + max(abs(interval.0) * interval.1, max(interval.0, 0) / max(weight, 1))
    }
  }

  /// By interval: of the times that may lie there, 1/(exp(Λ(L, R]) - 1) added up.
  private func odds(_ running: [Double]) -> [Double] {
    Self.sums(terms.map { ($0.first, $0.end ?? $0.first, $0.weight / expm1($0.hazard(running))) }, intervals)
  }

  private var weight: Double { terms.reduce(0) { $0 + $1.weight } }

  /// An EM step: each time is shared out over its intervals as the hazards say; then the hazard of an interval is
  /// -log(1 - events / at risk). Right-censored data are at their maximum, Kaplan-Meier, after one.
  func expected(_ hazards: [Double]) -> [Double] {
    let running = Self.running(hazards)
    let shares = terms.map { term in
      (term.first, term.end ?? term.first, term.weight / -expm1(-term.hazard(running)) * exp(running[term.first]))
    }
    let density = Self.sums(shares, intervals)
    // Times that lie in an interval or beyond it, less those beyond.
    let ends = odds(running)
    return hazards.indices.map { index in
      // Sums of differences miss 0 by rounding, to both sides.
      let events = max(density[index] * exp(-running[index]) * -expm1(-hazards[index]), 0)
      let beyond = max(density[index] * exp(-running[index + 1]) - ends[index], 0) + survivors[index]
      return beyond > 0 ? log1p(events / beyond) : hazards[index]
    }
  }
}

extension HazardLikelihood.Term {
  /// Λ(L, R].
  func hazard(_ running: [Double]) -> Double { running[end ?? first] - running[first] }
}
