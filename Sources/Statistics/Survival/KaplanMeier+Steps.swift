extension KaplanMeier {
  /// At most so many of the ticks with an event, spread evenly, the first and the last among them.
  public func ticks(atMost points: Int) -> [Tick] {
    var ticks: [Tick] = []
    eachStep(atMost: points) { ticks.append($0.tick) }
    return ticks
  }

  /// All that is to be said about these, in one pass.
  public func standings(atMost points: Int) -> [Standing] {
    var standings: [Standing] = []
    eachStep(atMost: points) { progress in
      let (tick, atRisk) = (progress.tick, progress.lastStepAtRisk)
      standings.append(
        Standing(tick: tick, atRisk: atRisk, progress: progress, gap: gap(at: tick), doubt: table.doubt))
    }
    return standings
  }

  private func eachStep(atMost points: Int, _ look: (Progress) -> Void) {
    let wanted = spread(steps, over: points)
    var (seen, waypoint) = (0, 0)
    while seen < wanted.count {
      let next = wanted[seen]
      waypoint = max(waypoint, self.waypoint { $0.steps > next })
      replay(from: waypoint) { progress in
        if progress.steps == wanted[seen] + 1 {
          look(progress)
          seen += 1
        }
        return seen < wanted.count && wanted[seen] < progress.steps + Self.stepsApart
      }
      waypoint += 1
    }
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
