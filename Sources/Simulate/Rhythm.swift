import Lifecycle

/// When people take their phones in hand: how one user's activity spreads over the hours of a week.
struct Rhythm: Sendable {
  /// Relative activity by local hour; quiet before dawn, peaks at breakfast, lunch and above all in the evening.
  private static let weekday: [Double] = [
    0.25, 0.12, 0.07, 0.05, 0.06, 0.15, 0.45, 0.95, 1.15, 1.00, 0.95, 1.00,
    1.25, 1.15, 0.95, 0.95, 1.05, 1.25, 1.40, 1.55, 1.75, 1.80, 1.40, 0.75,
  ]
  private static let weekend: [Double] = [
    0.45, 0.25, 0.14, 0.08, 0.06, 0.08, 0.20, 0.45, 0.80, 1.15, 1.35, 1.40,
    1.40, 1.35, 1.30, 1.25, 1.25, 1.30, 1.35, 1.45, 1.55, 1.50, 1.25, 0.80,
  ]

  /// Activity from the start of the week to the start of each hour, in average days; the last entry is 7.
  private let cumulative: [Double]

  init() {
    let days = [Self.weekday, Self.weekday, Self.weekend, Self.weekend, Self.weekday, Self.weekday, Self.weekday]
    let weights = days.flatMap { $0 }
    let total = weights.reduce(0, +)
    var (sums, sum) = ([0.0], 0.0)
    for weight in weights {
      sum += weight
      sums.append(sum / total * 7)
    }
    cumulative = sums
  }

  /// The next of `perDay` events a day that a user with this clock would cause; `.never` for a rate of 0.
  ///
  /// An inhomogeneous Poisson process: a unit exponential is spent along the cumulative activity.
  func next(after instant: Timestamp, perDay: Double, offset: Milliseconds, _ random: inout Randomness) -> Timestamp {
    guard perDay > 0 else { return .never }
    let now = LocalTime(instant, offset: offset)
    let target = activity(at: now) + random.exponential() / perDay
    guard target < 7 * 1000 else { return .never }
    let weeks = Int64(target / 7)
    let local = (now.week + weeks) * LocalTime.week.rawValue + time(of: target - Double(weeks) * 7)
    return max(Timestamp(rawValue: local - offset.rawValue), instant + Milliseconds(rawValue: 1))
  }

  private func activity(at time: LocalTime) -> Double {
    let hour = Int(time.intoWeek.rawValue / 3_600_000)
    let part = Double(time.intoWeek.rawValue % 3_600_000) / 3_600_000
    return cumulative[hour] + (cumulative[hour + 1] - cumulative[hour]) * part
  }

  /// Milliseconds into the week by which so much activity (0 ≤ a < 7) has passed.
  private func time(of activity: Double) -> Int64 {
    var (low, high) = (0, 168)
    while high - low > 1 {
      let middle = (low + high) / 2
      if cumulative[middle] <= activity { low = middle } else { high = middle }
    }
    let part = (activity - cumulative[low]) / (cumulative[low + 1] - cumulative[low])
    return Int64((Double(low) + part) * 3_600_000)
  }
}
