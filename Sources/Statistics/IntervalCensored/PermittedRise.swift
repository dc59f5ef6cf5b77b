import Glibc

/// Between which heights the bounds of updates leave -log(1 - adoption): those of the product-limit curves with each update as early, and
/// as late, as it can have been.
///
/// Ticks are known to a thirty-second, so bounds are those of that much earlier or later. They end where one update more would move them
/// by over a thirtieth, and a gap before the last tick: who would have been found to have updated at the next check is in none.
struct PermittedRise: Sendable {
  struct Bound {
    var height: Double
    var error: Double
  }

  private struct Line {
    private var ticks: [Tick] = []
    private var bounds: [Bound] = []
    /// From here on it says nothing.
    private(set) var end = Tick.max

    init(_ curve: KaplanMeier) {
      var (ticks, bounds, end) = (ticks, bounds, end)
      curve.eachStep { step in
        if step.isExhausted || step.firstThin <= step.tick { end = min(end, step.tick) }
        guard step.tick < end else { return }
        ticks.append(step.tick)
        bounds.append(Bound(height: -step.logSurvival, error: step.greenwood.squareRoot()))
      }
      (self.ticks, self.bounds, self.end) = (ticks, bounds, end)
    }

    func at(_ tick: Tick) -> Bound {
      let place = ticks.partitioningIndex { $0 > tick }
      return place > 0 ? bounds[place - 1] : Bound(height: 0, error: 0)
    }
  }

  private let earliest, latest: Line
  /// A gap before the last tick.
  private let end: Tick

  init(_ times: PolledTimes) {
    (earliest, latest) = (Line(times.outer(.earliest)), Line(times.outer(.latest)))
    end = times.lastTick - times.usualGap
  }

  /// What a curve is held to at a tick; nil where it lies between the bounds.
  func bound(_ height: Double, at tick: Double) -> Bound? {
    let (before, after) = (Tick((tick - tick / 32).rounded(.down)), Tick((tick + tick / 32).rounded(.up)))
    if after < earliest.end, after <= end {
      let most = earliest.at(after)
      if most.height > 0, height > most.height { return most }
    }
    let least = latest.at(max(0, min(before, end)))
    return height < least.height ? least : nil
  }
}

extension PolledTimes {
  /// Nine in ten of the updates of which only bounds are known have bounds no further apart.
  fileprivate var usualGap: Tick {
    let gaps = updates.map { (width: $0.key.upTo - $0.key.after, count: $0.value) }.filter { $0.width > 1 }
      .sorted { $0.width < $1.width }
    let total = gaps.reduce(0) { $0 + $1.count }
    var seen: Int64 = 0
    return gaps.first { gap in
      seen += gap.count
      return seen * 10 >= total * 9
    }?.width ?? 0
  }
}
