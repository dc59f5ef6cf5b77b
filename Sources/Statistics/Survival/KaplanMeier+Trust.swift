extension KaplanMeier {
  /// Fewer than so many at risk make an estimate unstable as long as nobody has updated.
  public static let stableAtRisk: Int64 = 30

  /// Whether one update more would move S by more than a thirtieth: it moves it by S/n.
  ///
  /// - Parameter survival: before that update.
  static func isThin(survival: Double, atRisk: Int64) -> Bool { survival * Double(stableAtRisk) > Double(atRisk) }

  /// Whether the curve at a tick rests on too few devices, at that tick or at any event before it.
  public func isUnstable(at tick: Tick) -> Bool { standing(at: tick).isUnstable }

  /// The last tick with at least 30 at risk before the first event among fewer; nil where there is none.
  ///
  /// Where devices enter late more may be at risk again afterwards: the curve still rests on those few.
  public var stableUntil: Tick? { table.lastTick(atRisk: Self.stableAtRisk, before: end.firstAmongFew) }

  /// Whether means up to a tick may be compared: enough devices are at risk there, or nearly all have updated.
  public func isCarried(to tick: Tick) -> Bool { (stableUntil ?? -1) >= tick || !isUnstable(at: tick) }

  /// Whether at least half of those that have not had the event by a tick are at risk at it: few of many that were not followed so long
  /// carry the curve on with limits of earlier ticks.
  public func isOfMost(at tick: Tick) -> Bool {
    let standing = standing(at: tick)
    return 2 * standing.atRisk >= table.intervals - standing.eventsSoFar
  }

  /// From where a plot fades: from here to the end one more update would move S by more than `limit` (S/n > limit).
  ///
  /// V. Gebski and others, International Journal of Epidemiology 47 (2018), on data maturity. nil: nowhere.
  public func fadeTick(limit: Double = 0.01) -> Tick? {
    var later: Tick?
    for waypoint in waypoints.indices.reversed() {
      let (isAnySolid, first) = fade(from: waypoints[waypoint], to: following(waypoint).place, limit)
      if isAnySolid { return first ?? later }
      later = first ?? later
    }
    return later
  }

  /// Whether some row of a stretch does not fade, and the first row after which all do.
  private func fade(from start: Progress, to end: Int, _ limit: Double) -> (isAnySolid: Bool, faded: Tick?) {
    var (progress, nobody) = (start, NoListener())
    var (isAnySolid, faded) = (false, Tick?.none)
    while progress.place < end {
      let (tick, n, survival) = (Run.tick(table.runs[progress.place]), progress.atRisk, progress.survival)
      progress.advance(table.runs.span, causes, to: tick, &nobody)
      guard n > 0 else { continue }
      if survival / Double(n) > limit {
        faded = faded ?? tick
      } else {
        (isAnySolid, faded) = (true, nil)
      }
    }
    return (isAnySolid, faded)
  }
}

extension Progress {
  /// At the end: whichever comes first.
  func lost(in table: LifeTable) -> KaplanMeier.Lost? {
    let entered = lostFrom(in: table).map { KaplanMeier.Lost(from: $0, reason: .enteredLater) }
    let parts = table.followedTo.flatMap { to in
      to < table.lastTick ?? 0 ? KaplanMeier.Lost(from: to + 1, reason: .partsNotFollowed) : nil
    }
    return [entered, parts].compactMap(\.self).min { $0.from < $1.from }
  }

  /// From where on nothing is estimated, where a table refuses that few stand for many that entered after them; nil: nowhere.
  ///
  /// At the end. As soon as 30 are at risk again after an event among fewer, or anybody after S came to 0: what was known before they
  /// came does not change.
  private func lostFrom(in table: LifeTable) -> Tick? {
    guard table.refusesLateEntrants else { return nil }
    let few = table.firstTick(atRisk: KaplanMeier.stableAtRisk, after: firstAmongFew)
    return [few, table.firstTick(atRisk: 1, after: exhaustedAt)].compactMap(\.self).min()
  }
}
