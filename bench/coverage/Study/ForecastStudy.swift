import Glibc
import Statistics

/// How often the 80 % band of a forecast holds what came, on releases of which no part was used to choose the method.
///
/// Releases of one app differ in level (how many will ever take it up) and in speed; each has devices of its own.
public struct ForecastStudy: Sendable {
  public private(set) var held = 0
  public private(set) var forecasts = 0
  /// In points of adoption.
  public private(set) var error = 0.0
  public private(set) var naive = 0.0

  /// - Parameter drift: by how much each release is faster than the one before, on the scale of logarithms.
  public init(runs: Int, past: Int, devices: Int, snapshot: Int64, drift: Double, seed: UInt64) {
    var random = Generator(state: seed)
    for _ in 0..<runs {
      let releases = (0...past).map { Self.release(devices, drift * Double($0), &random) }
      let (earlier, newest) = (releases.dropLast().map(\.curve), releases[past])
      let current = HazardCurve(KaplanMeier(newest.table.truncated(at: snapshot)))
      let found = AdoptionForecast(past: earlier, current: current, snapshot: snapshot).share(at: Self.target)
      guard let value = found.value, let truth = newest.curve.share(at: Self.target) else { continue }
      forecasts += 1
      if found.holds(truth) { held += 1 }
      error += abs(value - truth) * 100 / Double(runs)
      naive += abs((earlier.last?.share(at: Self.target) ?? value) - truth) * 100 / Double(runs)
    }
  }

  private static let target: Tick = 96 * 3600

  private static func release(
    _ devices: Int, _ drift: Double, _ random: inout Generator
  ) -> (table: LifeTable, curve: HazardCurve) {
    let level = 0.75 + 0.06 * random.normal()
    let mean = 24 * 3600 * exp(0.25 * random.normal() - drift)
    let table = LifeTable(
      intervals: (0..<devices).map { _ in
        let wait = -log(Double.random(in: 1e-12..<1, using: &random)) * mean
        let takes = Double.random(in: 0..<1, using: &random) < level
        return takes && wait < 120 * 3600 ? (0, Tick(wait) + 1, .event(1)) : (0, 120 * 3600, .censored(.cutOff))
      })
    return (table, HazardCurve(KaplanMeier(table)))
  }

  public static func table(runs: Int) -> String {
    let rows = [6, 24].flatMap { hours in
      [(0.0, "differ in level and speed"), (0.15, "and each is faster than the one before")].map {
        drift, words -> String in
        let study = ForecastStudy(
          runs: runs, past: 8, devices: 800, snapshot: Int64(hours) * 3600, drift: drift, seed: UInt64(hours))
        let share = Double(study.held) * 100 / Double(max(study.forecasts, 1))
        return
          "| \(hours) h | \(words) | \(fixed(share, 1)) % | \(fixed(study.error, 1)) pp | \(fixed(study.naive, 1)) pp |\n"
      }
    }
    return
      "| asked after | releases | band of 80 % holds | error | as the release before |\n|---:|---|---:|---:|---:|\n"
      + rows.joined()
  }
}
