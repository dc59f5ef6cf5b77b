extension KaplanMeier {
  /// The ticks by which some shares have updated, with limits that hold for few devices, too: `quantiles`, less their lower limits where
  /// those would not hold.
  ///
  /// Those lie at the first event at the earliest. That nobody had updated before it leaves the share open up to its exact limit:
  /// of a share below that nobody knows from when on it had updated.
  public func times(_ shares: [Double], _ limits: CurveLimits) -> [Estimate] {
    zip(shares, quantiles(shares, limits)).map { share, time in
      limits.isSimultaneous ? time : time.withoutLower(of: share, first: atRiskAtFirst)
    }
  }

  public func time(_ share: Double, level: Double) -> Estimate { times([share], .pointwise(level: level))[0] }

  /// At risk at the first event; 0 where there was none.
  private var atRiskAtFirst: Int64 {
    var found: Int64 = 0
    replay(from: 0) { step in
      found = step.lastStepAtRisk
      return false
    }
    return found
  }
}

extension AalenJohansen {
  /// Likewise of one cause.
  public func times(_ shares: [Double], of cause: Cause, _ limits: CurveLimits) -> [Estimate] {
    let first = ticks(of: cause, reachingOfAll: [0])[0].map { overall.progress(to: $0).atRisk } ?? 0
    return zip(shares, quantiles(shares, of: cause, limits)).map { share, time in
      limits.isSimultaneous ? time : time.withoutLower(of: share, first: first)
    }
  }
}

extension Estimate {
  /// - Parameter devices: at risk at the first event.
  fileprivate func withoutLower(of share: Double, first devices: Int64) -> Estimate {
    guard lo != nil, let most = Proportion.boundWithoutEvents(among: devices, level: level), share <= most else {
      return self
    }
    var copy = self
    copy.lo = nil
    copy.reason = reason ?? .tooFew
    return copy
  }
}
