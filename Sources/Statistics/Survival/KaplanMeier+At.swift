import Glibc

extension KaplanMeier {
  /// F = 1 - S at a tick, the share that has updated, with the limits of S turned over.
  public func adoption(at tick: Tick, level: Double) -> Estimate { standing(at: tick).adoption(level: level) }
  public func adoption(at tick: Tick, _ limits: CurveLimits) -> Estimate { standing(at: tick).adoption(limits) }

  /// All that is to be said about a tick, looked up once.
  public func standing(at tick: Tick) -> Standing {
    let (progress, atRisk) = progress(to: tick)
    return Standing(tick: tick, atRisk: atRisk, progress: progress, gap: gap(at: tick), doubt: table.doubt)
  }

  /// How things stand at a tick.
  public struct Standing: Sendable {
    public let tick: Tick
    public let atRisk: Int64
    let progress: Progress
    let gap: Unestimable?
    let doubt: Unestimable?
  }
}

extension KaplanMeier.Standing {
  /// Events at or before the tick, and at exactly this one.
  public var eventsSoFar: Int64 { progress.events }
  public var events: Int64 { progress.steps > 0 && progress.tick == tick ? progress.lastEvents : 0 }

  /// S with log-log limits from Greenwood's variance; without limits where S is 1 or 0.
  public func survival(level: Double) -> Estimate {
    guard let band = band(z: normalQuantile(level: level)) else { return missing(level: level) }
    return Estimate(
      exp(band.log), lo: band.lower.map(exp), hi: band.upper.map(exp), level: level, method: .kaplanMeierLogLog,
      reason: band.reason
    ).without(limitsBecauseOf: doubt)
  }

  public func adoption(level: Double) -> Estimate { adoption(.pointwise(level: level)) }

  public func adoption(_ limits: CurveLimits) -> Estimate {
    guard let band = band(z: limits.width) else {
      return missing(level: limits.level).limited(by: limits, at: tick, band: .kaplanMeierBand)
    }
    let share = { (log: Double) in -expm1(log) }
    return Estimate(
      share(band.log), lo: band.upper.map(share), hi: band.lower.map(share), level: limits.level,
      method: .kaplanMeierLogLog, reason: band.reason
    ).without(limitsBecauseOf: doubt).limited(by: limits, at: tick, band: .kaplanMeierBand)
  }

  /// The lower limit of F where S is 0: the limit of S just before, times the exact one of the last at risk, who all
  /// updated.
  ///
  /// Where all updated at once this is Clopper and Pearson's limit. One device that was alone at risk proves little.
  ///
  /// nil where S is not 0, or cannot be told.
  public func lowerLimitOfAll(level: Double) -> Double? {
    guard gap == nil, doubt == nil, progress.isExhausted else { return nil }
    let before = progress.bandBeforeExhaustion(z: normalQuantile(level: level))
    let stayed = Proportion.boundWithoutEvents(among: progress.lastAtRisk, level: level) ?? 1
    return 1 - exp(before.upper ?? 0) * stayed
  }

  /// Whether one update more would move the curve by more than a thirtieth, here or at any event before.
  ///
  /// With late entries one early device may bring S to 0 for ever; every later tick is then unstable too. Where nearly all
  /// have updated, few at risk are no reason for doubt: they are a small part.
  public var isUnstable: Bool {
    KaplanMeier.isThin(survival: progress.survival, atRisk: atRisk) || progress.firstThin <= tick
  }

  private func missing(level: Double) -> Estimate {
    Estimate(nil, level: level, method: .kaplanMeierLogLog, reason: gap)
  }

  private func band(z: Double) -> KaplanMeier.Band? {
    guard gap == nil else { return nil }
    guard progress.steps > 0 else { return KaplanMeier.Band(log: 0, reason: .noEvents) }
    return progress.band(z: z)
  }
}

extension KaplanMeier {
  /// log S and the logarithms of its limits.
  struct Band {
    var log: Double
    var lower: Double?
    var upper: Double?
    var reason: Unestimable?
  }
}

extension Progress {
  func band(z: Double) -> KaplanMeier.Band {
    let log = logSurvival
    guard log > -.infinity else { return KaplanMeier.Band(log: log, reason: .allEvents) }
    return band(log: log, greenwood, z: z)
  }

  /// As it stood before the last at risk had the event; no limits where they were the first to have it.
  func bandBeforeExhaustion(z: Double) -> KaplanMeier.Band {
    let (log, greenwood) = beforeExhaustion
    return log < 0 ? band(log: log, greenwood, z: z) : KaplanMeier.Band(log: 0, reason: .noEvents)
  }

  private func band(log: Double, _ greenwood: Double, z: Double) -> KaplanMeier.Band {
    let theta = z * greenwood.squareRoot() / -log
    return KaplanMeier.Band(log: log, lower: log * exp(theta), upper: log * exp(-theta))
  }
}
