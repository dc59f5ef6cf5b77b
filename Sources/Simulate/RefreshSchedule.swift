import Lifecycle

/// When the systems grant a background refresh.
struct RefreshSchedule {
  let surroundings: Surroundings
  let client: Client
  let lastUse: Timestamp

  /// Android never runs periodic work more often.
  static let workMinimum = Milliseconds.minutes(15)

  /// The next run after one that ended, or after the app was left; nil when the system will not grant one soon.
  func next(after instant: Timestamp, _ random: inout Randomness) -> Timestamp? {
    surroundings.traits.platform == .ios ? appRefresh(after: instant, &random) : work(after: instant, &random)
  }

  /// BGAppRefreshTask: hours apart, sooner for apps in daily use, on the charger and Wi-Fi where it can wait for them.
  private func appRefresh(after instant: Timestamp, _ random: inout Randomness) -> Timestamp? {
    let traits = surroundings.traits
    guard !traits.refreshOff else { return nil }
    let usage = max(traits.opensPerDay, 0.05)
    let median = Milliseconds.hours(1) * min(max(9 / usage.squareRoot(), 4), 36)
    let earliest = instant + max(client.refreshEarliest, random.logNormal(median: median, spread: 0.5))
    let patience: Milliseconds = random.chance(0.6) ? .hours(8) : .zero
    let favourable = surroundings.next(from: earliest, within: patience) {
      surroundings.isCharging(at: $0) && surroundings.network(at: $0) == .wifi
    }
    let granted =
      favourable
      ?? surroundings.next(from: earliest, within: .hours(24)) {
        surroundings.network(at: $0) != .none
      }
    return granted.map { $0 + random.uniform(.zero, .minutes(15)) }
  }

  /// WorkManager: its period, stretched by the app's standby bucket; on Wi-Fi; in Doze only in maintenance windows.
  private func work(after instant: Timestamp, _ random: inout Randomness) -> Timestamp? {
    let period = max(client.workPeriod, Self.workMinimum, standby(at: instant))
    let earliest = instant + period + random.exponential(mean: period * 0.08)
    let granted = surroundings.next(from: earliest, within: .days(3)) {
      surroundings.network(at: $0) == .wifi
        && (!surroundings.isDozing(at: $0, lastUse: lastUse) || isMaintenance(at: $0))
    }
    return granted.map { $0 == earliest ? $0 : $0 + random.uniform(.zero, .minutes(10)) }
  }

  /// How far apart the standby bucket keeps an app's jobs: active, working set, frequent, rare.
  private func standby(at instant: Timestamp) -> Milliseconds {
    let idle = instant - lastUse
    if idle < .hours(12) { return .zero }
    if idle < .days(2) { return .hours(2) }
    return idle < .days(8) ? .hours(8) : .hours(24)
  }

  /// Maintenance windows come 1, 2, 4 and then every 6 hours into idleness, a quarter of an hour long.
  private func isMaintenance(at instant: Timestamp) -> Bool {
    let idle = (instant - lastUse).rawValue / 900_000
    return idle == 4 || idle == 12 || idle == 28 || idle % 24 == 4
  }
}
