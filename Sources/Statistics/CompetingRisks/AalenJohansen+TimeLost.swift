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
      variance.add(timeLostTerm(index, events: events[index], ahead: ahead.value, left: left))
      let gained = left * (incidence[column][index] - (index > 0 ? incidence[column][index - 1] : 0))
      ahead.add(gained)
      lost.add(gained)
    }
    return .success(Moment(value: lost.value, variance: max(variance.value, 0)))
  }

  public func restrictedTimeLost(to cause: Cause, horizon: Tick, level: Double) -> Estimate {
    restrictedTimeLost(to: cause, horizon: horizon).estimate(level: level, method: .restrictedTimeLost)
  }

  private func timeLostTerm(_ index: Int, events: Int64, ahead: Double, left: Double) -> Double {
    let step = IncidenceStep(overall, index)
    let share = Double(events) * step.perDevice
    let survivors = Double(overall.atRisk[index] - overall.events[index])
    let direct = left * step.before
    let later = survivors > 0 ? ahead * ahead * step.hazard / survivors : 0
    return later + direct * (direct * (1 - share) - 2 * ahead) * share * step.perDevice
  }
}
