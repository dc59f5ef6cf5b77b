import Lifecycle
import Statistics

extension Mechanisms {
  init(
    _ group: Group, _ cell: RiskTable, _ counting: MechanismSums, _ chosen: ReleaseScope, _ options: Options,
    isTimedByChecks: Bool
  ) {
    let selection = chosen.selection
    let incidence = AalenJohansen(cell.table)
    var competing = Trigger.allCases.map(\.cause)
    if selection.estimand == .asHappened { competing.append(.newerRelease) }
    release = selection.release.rawValue
    publications = counting.tables.publications(group)
    ages = options.ages.map { Age(incidence, competing, at: $0.rawValue / 1000, level: selection.level) }
    hazardRatios = pairs(Trigger.allCases.map(\.cause).filter { cell.table.events($0) > 0 }).map {
      HazardRatio(cell.table, $0, $1, level: selection.level)
    }
    let legs = counting.legs(group)
    let rows = Self.legs(legs, followedTo: cell.table.followedTo, options, selection.level)
    self.legs = rows
    withoutDelivery = legs.withoutDelivery
    ways = counting.fleet.ways(rows, group)
    var all = cell
    // Who is pushed wakes up, and checks, more often: an update is seen earlier, whether it came earlier or not.
    if isTimedByChecks { all.table.doubt = all.table.doubt ?? .timedByChecks }
    experiment = Experiment(counting.arms(group), late: counting.lateForArms(group), all, options, selection)
  }

  private static func legs(_ legs: Legs, followedTo: Tick?, _ options: Options, _ level: Double) -> [Leg] {
    var first = legs.delivery.build()
    first.followedTo = followedTo
    let delivery = AalenJohansen(first)
    return Trigger.allCases.filter { legs.delivered[$0] ?? 0 > 0 || delivery.causes.contains($0.cause) }.map {
      trigger in
      let delivered = legs.delivered[trigger] ?? 0
      return Leg(
        mechanism: trigger.rawValue, delivered: delivered,
        publishedToReady: Delivery(delivery, trigger.cause, isReported: delivered > 0, options, level),
        readyToApplied: Launch(legs.launches[trigger]?.build() ?? LifeTable(), options, level))
    }
  }
}

/// Every two of them, in their order.
func pairs<Element>(_ elements: [Element]) -> [(Element, Element)] {
  elements.indices.flatMap { first in elements.indices.dropFirst(first + 1).map { (elements[first], elements[$0]) } }
}

extension Mechanisms.Age {
  init(_ incidence: AalenJohansen, _ competing: [Cause], at tick: Tick, level: Double) {
    let standing = incidence.overall.standing(at: tick)
    let seen = competing.filter { incidence.moment(of: $0, at: tick).value > 0 }
    self.init(
      seconds: tick, atRisk: Int(standing.atRisk),
      shares: competing.map { cause in
        .init(incidence, cause, at: tick, level: level)
      },
      waiting: standing.survival(level: level),
      waitingAtMost: standing.lowerLimitOfAll(level: level).map { 1 - $0 },
      differences: pairs(seen).map { first, second in
        .init(
          first: first.word, second: second.word,
          share: incidence.difference(first, second, at: tick, level: level).kept(within: -1...1).withoutEmptyLimits)
      },
      isUnstable: standing.isUnstable)
  }
}

extension Mechanisms.Share {
  fileprivate init(_ incidence: AalenJohansen, _ cause: Cause, at tick: Tick, level: Double) {
    let share = incidence.incidence(of: cause, at: tick, level: level)
    let hasLimits = share.value == nil || share.lo != nil
    let exact = hasLimits ? nil : incidence.exactLimits(of: cause, at: tick, level: level)
    self.init(
      mechanism: cause.word, events: Int(incidence.events(of: cause, by: tick)), share: share,
      atMost: share.value == 0 ? exact?.upperBound : nil, atLeast: share.value == 0 ? nil : exact?.lowerBound)
  }
}

extension Result where Success == Moment {
  /// 0 where there is none.
  fileprivate var value: Double {
    switch self {
    case .success(let moment): moment.value
    case .failure: 0
    }
  }
}

extension Mechanisms.HazardRatio {
  init(_ table: LifeTable, _ first: Cause, _ second: Cause, level: Double) {
    let ratio = CauseRatio(table.events(first), to: table.events(second))
    self.init(
      first: first.word, second: second.word, firstEvents: Int(ratio.first), secondEvents: Int(ratio.second),
      ratio: ratio.estimate(level: level), significance: ratio.p.map(Significance.init))
  }
}

extension Mechanisms.Delivery {
  /// - Parameter isReported: whether any device said when it was ready; else the times are those of updates.
  init(
    _ incidence: AalenJohansen, _ cause: Cause, isReported: Bool, _ options: Mechanisms.Options, _ level: Double
  ) {
    let places = incidence.ticks(of: cause, reachingOfAll: options.quantiles)
    self.init(
      shares: options.ages.map { age in
        let seconds = age.rawValue / 1000
        return .init(seconds: seconds, share: incidence.incidence(of: cause, at: seconds, level: level))
      },
      quantiles: zip(options.quantiles, incidence.quantiles(options.quantiles, of: cause, level: level)).map {
        .init(p: $0, seconds: $1)
      },
      amongDelivered: zip(options.quantiles, places).map {
        .init(p: $0, seconds: isReported ? $1.map { Double($0) } : nil)
      })
  }
}

extension Mechanisms.Launch {
  init(_ table: LifeTable, _ options: Mechanisms.Options, _ level: Double) {
    let curve = KaplanMeier(table, events: .updates)
    let horizon = options.horizon.rawValue / 1000
    self.init(
      devices: Int(table.enteredFirst), applied: Int(curve.events), censored: Int(table.censored),
      quantiles: zip(options.quantiles, curve.quantiles(options.quantiles, level: level)).map {
        .init(p: $0, seconds: $1)
      },
      restrictedMean: .init(
        horizonSeconds: horizon, seconds: curve.meanWait(to: horizon, level: level)))
  }
}
