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
    let level: Double

    public enum Verdict: String, CaseIterable, Hashable, Sendable, Codable {
      case supported, notSupported, unknown
    }

    /// Not supported when the naive forecast was better or the coverage is surely not what the band claims.
    public func verdict(level confidence: Double) -> Verdict {
      let interval = covered.wilson(level: confidence)
      guard let error, let naiveError, let lo = interval.lo, let hi = interval.hi else { return .unknown }
      return naiveError < error || lo > level || hi < level ? .notSupported : .supported
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
  }

  private static func cell(_ releases: [HazardCurve], _ snapshot: Tick, _ target: Tick, _ level: Double) -> Cell {
    let trials = releases.indices.compactMap { trial(releases, $0, snapshot, target, level) }
    let mean = { (part: KeyPath<Trial, Double>) in
      trials.isEmpty ? nil : trials.reduce(0) { $0 + $1[keyPath: part] } / Double(trials.count)
    }
    return Cell(
      snapshot: snapshot, target: target,
      covered: Proportion(Int64(trials.count { $0.covered }), of: Int64(trials.count)),
      error: mean(\.error), naiveError: mean(\.naiveError), level: level)
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
