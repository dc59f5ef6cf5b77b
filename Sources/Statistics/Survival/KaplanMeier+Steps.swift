extension KaplanMeier {
  /// At most so many of the ticks with an event, spread evenly, the first and the last among them.
  public func ticks(atMost points: Int) -> [Tick] {
    let wanted = spread(steps, over: points)
    var (ticks, waypoint) = ([Tick](), 0)
    ticks.reserveCapacity(wanted.count)
    while ticks.count < wanted.count {
      let next = wanted[ticks.count]
      waypoint = max(waypoint, self.waypoint { $0.steps > next })
      replay(from: waypoint) { progress in
        if progress.steps == wanted[ticks.count] + 1 { ticks.append(progress.tick) }
        return ticks.count < wanted.count && wanted[ticks.count] < progress.steps + Self.stepsApart
      }
      waypoint += 1
    }
    return ticks
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
