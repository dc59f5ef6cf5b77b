extension AalenJohansen {
  /// The area under F_k from 0 to the horizon: mean ticks within it that a device spends after an event of cause k.
  public func restrictedTimeLost(to cause: Cause, horizon: Tick) -> Result<Moment, Unestimable> {
    if let gap = overall.gap(at: horizon) { return .failure(gap) }
    guard let column = causes.firstIndex(of: cause), let last = overall.step(at: horizon),
      let events = eventColumn(cause)
    else { return .success(Moment(value: 0, variance: 0)) }
    var (lost, variance) = (CompensatedSum(), CompensatedSum())
    // What F_k will still gain after a tick, as an area up to the horizon.
    var ahead = CompensatedSum()
    for index in (0...last).reversed() {
      let left = Double(horizon - ticks[index])
      variance.add(timeLostTerm(IncidenceStep(overall, index), Double(events[index]), ahead: ahead.value, left: left))
      let gained = left * (incidence[column][index] - (index > 0 ? incidence[column][index - 1] : 0))
      ahead.add(gained)
      lost.add(gained)
    }
    return .success(Moment(value: lost.value, variance: max(variance.value, 0)))
  }

  public func restrictedTimeLost(to cause: Cause, horizon: Tick, level: Double) -> Estimate {
    restrictedTimeLost(to: cause, horizon: horizon).estimate(level: level, method: .restrictedTimeLost)
  }

  private func timeLostTerm(_ step: IncidenceStep, _ events: Double, ahead: Double, left: Double) -> Double {
    let (n, d) = (step.n, step.d)
    let direct = left * step.before
    let later = n > d ? ahead * ahead * (d / n) / (n - d) : 0
    return later + direct * direct * (events / n) * ((n - events) / n) / n - 2 * ahead * direct * (events / n) / n
  }
}
