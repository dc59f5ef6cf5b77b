extension KaplanMeier {
  /// At most so many of the ticks with an event, as `Rises` chooses them.
  public func ticks(atMost points: Int) -> [Tick] { steps(atMost: points).map(\.tick) }

  /// All that is to be said about these, in one pass.
  public func standings(atMost points: Int) -> [Standing] {
    steps(atMost: points).map { step in
      Standing(
        tick: step.tick, atRisk: step.lastStepAtRisk, progress: step, gap: gap(at: step.tick), doubt: table.doubt)
    }
  }

  private func steps(atMost points: Int) -> [Progress] {
    let known = known
    var (rises, found) = (Rises(of: known.steps, to: 1 - known.survival, atMost: points), [Progress]())
    found.reserveCapacity(min(points, known.steps))
    for waypoint in waypoints.indices where waypoints[waypoint].steps < known.steps {
      let last = following(waypoint).steps < known.steps ? following(waypoint) : known
      guard rises.wants(last.steps, 1 - last.survival) else { continue }
      replay(from: waypoint) { progress in
        if rises.takes(progress.steps, 1 - progress.survival) { found.append(progress) }
        return progress.steps < last.steps && rises.wants(last.steps, 1 - last.survival)
      }
    }
    return found
  }

  /// All steps in order.
  func eachStep(_ look: (Progress) -> Void) {
    for waypoint in waypoints.indices {
      replay(from: waypoint) { progress in
        look(progress)
        return true
      }
    }
  }
}
