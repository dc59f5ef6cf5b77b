import Lifecycle
import Statistics
import Store

/// Two releases in one group as they stood at one age, beside past releases: what several figures rest on, made once and
/// on all cores.
struct ComparedGroup {
  /// Of the two, whatever their age.
  let cells: [RiskTable]
  /// Of the first, the second, then the past releases.
  let curves: [KaplanMeier]
  /// Of the two.
  let incidences: [AalenJohansen]
  let hazardRatio: Estimate
  let halves: ProportionalHazards
  /// Of all updates; devices by platform.
  let test: LogRank
  /// Of each cause that either release has.
  let mechanisms: [(cause: Cause, test: LogRank)]

  init(_ tables: [RiskTables], _ group: Group, by groupings: [Grouping], at age: Tick, level: Double) {
    let wholes = onAllCores(tables) { $0.cell(group, by: groupings) }
    let curves = onAllCores(wholes) { KaplanMeier($0.table.truncated(at: age), events: .updates) }
    let incidences = onAllCores(Array(curves.prefix(2))) { AalenJohansen($0.table) }
    let strata = Self.strata(tables, group, groupings, age)
    let causes = Trigger.allCases.map(\.cause).filter { cause in incidences.contains { $0.causes.contains(cause) } }
    mechanisms = onAllCores(causes) { ($0, LogRank(RiskSets(strata: strata, groupCount: 2, events: [$0]))) }
    let updates = RiskSets(strata: strata, groupCount: 2, events: .updates)
    test = LogRank(updates)
    (hazardRatio, halves) = Self.hazards(updates, level)
    (cells, self.curves, self.incidences) = (Array(wholes.prefix(2)), curves, incidences)
  }

  /// By platform; the second release is the reference.
  private static func strata(
    _ tables: [RiskTables], _ group: Group, _ groupings: [Grouping], _ age: Tick
  ) -> [[LifeTable]] {
    let pair = [tables[1], tables[0]]
    let platforms = Set(pair.flatMap { $0.cells.keys.map(\.platform) }).sorted { ($0 ?? "") < ($1 ?? "") }
    let cells = platforms.flatMap { platform in
      pair.map { table in
        table.cells.filter { $0.key.platform == platform && $0.key.split(by: groupings) == group }.map(\.value)
      }
    }
    let tables = onAllCores(cells) { RiskTable.merged($0).table.truncated(at: age) }
    return stride(from: 0, to: tables.count, by: 2).map { Array(tables[$0..<$0 + 2]) }
  }

  /// The whole costs about what its halves do together.
  private static func hazards(_ sets: RiskSets, _ level: Double) -> (ratio: Estimate, halves: ProportionalHazards) {
    enum Part {
      case whole(Estimate)
      case halves(ProportionalHazards)
    }
    let parts = onAllCores([true, false]) { isWhole -> Part in
      isWhole
        ? .whole(CoxModel(sets).hazardRatio(of: 1, level: level))
        : .halves(ProportionalHazards(sets, group: 1, level: level))
    }
    guard case .whole(let ratio) = parts[0], case .halves(let halves) = parts[1] else {
      preconditionFailure("outcomes are in the order of their parts")
    }
    return (ratio, halves)
  }
}
