extension KaplanMeier {
  /// At most so many of the ticks with an event, spread evenly, the first and the last among them.
  public func ticks(atMost points: Int) -> [Tick] { steps(atMost: points).map(\.tick) }

  /// All that is to be said about these, in one pass.
  public func standings(atMost points: Int) -> [Standing] {
    steps(atMost: points).map { step in
      Standing(
        tick: step.tick, atRisk: step.lastStepAtRisk, progress: step, gap: gap(at: step.tick), doubt: table.doubt)
    }
  }

  private func steps(atMost points: Int) -> [Progress] {
    let wanted = spread(steps, over: points)
    var (found, waypoint) = ([Progress](), 0)
    found.reserveCapacity(wanted.count)
    while found.count < wanted.count {
      let next = wanted[found.count]
      waypoint = max(waypoint, self.waypoint { $0.steps > next })
      replay(from: waypoint) { progress in
        if progress.steps == wanted[found.count] + 1 { found.append(progress) }
        return found.count < wanted.count && wanted[found.count] < progress.steps + Self.stepsApart
      }
      waypoint += 1
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

/// At most so many indices of a list, spread evenly, the first and the last among them.
func spread(_ count: Int, over points: Int) -> [Int] {
  guard count > points, points > 1 else { return Array(0..<count) }
  return (0..<points).map { $0 * (count - 1) / (points - 1) }
}
