/// How forecasts would have done: each release predicted from the ones before it only (rolling origin).
public struct ForecastBackTest: Sendable {
  /// One snapshot age and one target age.
  public struct Cell: Hashable, Sendable {
    public let snapshot: Tick
    public let target: Tick
    /// Releases inside their band, of those that could be predicted.
    public let covered: Proportion
    /// Mean absolute error of F; nil when nothing could be predicted.
    public let error: Double?
    /// The same for "as the release before".
    public let naiveError: Double?
    /// By how much the naive errors are larger, on average, with its variance between releases; nil for fewer than two.
    let gain: Moment?
    let level: Double

    /// Fewer releases than this say nothing, whatever they show.
    public static let fewest: Int64 = 5

    public enum Verdict: String, CaseIterable, Hashable, Sendable, Codable {
      case supported, notSupported, unknown
    }

    /// Supported where the forecast was surely better than the naive one, not supported where it was surely worse or the
    /// coverage is surely not what the band claims; unknown where chance may have made the difference.
    ///
    /// The errors of a release are compared in pairs, by Student's t; predictions share their history, so that is approximate.
    public func verdict(level confidence: Double) -> Verdict {
      let interval = covered.wilson(level: confidence)
      guard covered.trials >= Self.fewest, let lo = interval.lo, let hi = interval.hi else { return .unknown }
      guard lo <= level, level <= hi else { return .notSupported }
      guard let gain, gain.variance > 0 else { return .unknown }
      let margin =
        gain.standardError
        * studentQuantile(
          upperTail: (1 - confidence) / 2, degreesOfFreedom: Double(covered.trials - 1))
      guard abs(gain.value) > margin else { return .unknown }
      return gain.value > 0 ? .supported : .notSupported
    }
  }

  public let cells: [Cell]

  /// `releases` from old to new. Snapshots and targets with snapshot < target make a cell each.
  public init(_ releases: [HazardCurve], snapshots: [Tick], targets: [Tick], level: Double = 0.8) {
    cells = snapshots.flatMap { snapshot in
      targets.filter { $0 > snapshot }.map { Self.cell(releases, snapshot, $0, level) }
    }
  }

  private struct Trial {
    var covered: Bool
    var error: Double
    var naiveError: Double
    var gain: Double { naiveError - error }
  }

  private static func cell(_ releases: [HazardCurve], _ snapshot: Tick, _ target: Tick, _ level: Double) -> Cell {
    let trials = releases.indices.compactMap { trial(releases, $0, snapshot, target, level) }
    let mean = { (part: KeyPath<Trial, Double>) in
      trials.isEmpty ? nil : trials.reduce(0) { $0 + $1[keyPath: part] } / Double(trials.count)
    }
    return Cell(
      snapshot: snapshot, target: target,
      covered: Proportion(Int64(trials.count { $0.covered }), of: Int64(trials.count)),
      error: mean(\.error), naiveError: mean(\.naiveError),
      gain: mean(\.gain).flatMap { gain(of: trials.map(\.gain), mean: $0) }, level: level)
  }

  private static func gain(of differences: [Double], mean: Double) -> Moment? {
    guard differences.count > 1 else { return nil }
    let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return Moment(value: mean, variance: squares / Double((differences.count - 1) * differences.count))
  }

  private static func trial(
    _ releases: [HazardCurve], _ index: Int, _ snapshot: Tick, _ target: Tick, _ level: Double
  ) -> Trial? {
    let past = Array(releases[..<index])
    let forecast = AdoptionForecast(past: past, current: releases[index], snapshot: snapshot, level: level)
    let predicted = forecast.share(at: target)
    guard let actual = releases[index].share(at: target), let value = predicted.value, let lo = predicted.lo,
      let hi = predicted.hi, let before = past.reversed().lazy.compactMap({ $0.share(at: target) }).first
    else { return nil }
    return Trial(covered: lo <= actual && actual <= hi, error: abs(value - actual), naiveError: abs(before - actual))
  }
}
