import Glibc

extension KaplanMeier {
  /// S at a tick with log-log limits from Greenwood's variance; without limits where S is 1 or 0.
  public func survival(at tick: Tick, level: Double) -> Estimate {
    guard let band = band(at: tick, level: level) else { return missing(at: tick, level: level) }
    return Estimate(
      exp(band.log), lo: band.lower.map(exp), hi: band.upper.map(exp), level: level, method: .kaplanMeierLogLog,
      reason: band.reason)
  }

  /// F = 1 - S at a tick, the share that has updated, with the limits of S turned over.
  public func adoption(at tick: Tick, level: Double) -> Estimate {
    guard let band = band(at: tick, level: level) else { return missing(at: tick, level: level) }
    let share = { (log: Double) in -expm1(log) }
    return Estimate(
      share(band.log), lo: band.upper.map(share), hi: band.lower.map(share), level: level,
      method: .kaplanMeierLogLog, reason: band.reason)
  }

  /// S at a tick and its variance; the variance is 0 where S is 1 or 0.
  public func moment(at tick: Tick) -> Result<Moment, Unestimable> {
    if let gap = gap(at: tick) { return .failure(gap) }
    guard let step = step(at: tick), survival[step] > 0 else {
      return .success(Moment(value: self.step(at: tick) == nil ? 1 : 0, variance: 0))
    }
    return .success(Moment(value: survival[step], variance: survival[step] * survival[step] * greenwood[step]))
  }

  private func missing(at tick: Tick, level: Double) -> Estimate {
    Estimate(nil, level: level, method: .kaplanMeierLogLog, reason: gap(at: tick))
  }

  /// log S and the logarithms of its limits.
  struct Band {
    var log: Double
    var lower: Double?
    var upper: Double?
    var reason: Unestimable?
  }

  private func band(at tick: Tick, level: Double) -> Band? {
    guard gap(at: tick) == nil else { return nil }
    guard let step = step(at: tick) else { return Band(log: 0, reason: .noEvents) }
    return band(step: step, z: normalQuantile(level: level))
  }

  func band(step: Int, z: Double) -> Band {
    let log = logSurvival[step]
    guard log > -.infinity else { return Band(log: log, reason: .allEvents) }
    let theta = z * greenwood[step].squareRoot() / -log
    return Band(log: log, lower: log * exp(theta), upper: log * exp(-theta))
  }
}

extension KaplanMeier {
  /// Events at exactly this tick.
  public func events(at tick: Tick) -> Int64 {
    guard let step = step(at: tick), ticks[step] == tick else { return 0 }
    return events[step]
  }
}
