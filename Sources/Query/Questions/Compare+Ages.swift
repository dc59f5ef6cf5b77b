import Lifecycle
import Statistics
import Store

/// Two releases at ages that both have reached: adoption in each, and what lies between.
struct ComparedAges {
  let chosen: ReleaseScope
  let other: ReleaseRecord
  /// Of the first, the second, then others.
  let tables: [RiskTables]
  let shared: [SharedCell]
  let options: Compare.Options

  private var level: Double { chosen.selection.level }
  private var groupings: [Grouping] { chosen.selection.by.filter { $0 != .mechanism } }

  /// Those that are in any cell of the first release, and those of them that have devices enough in both.
  var groups: [Group] { tables[0].parts(by: groupings).map(\.group) }
  var sifted: (shown: [Group], withheld: [Withheld]) { chosen.selection.sifted(groups) { ($0, devices($0)) } }

  private func devices(_ group: Group) -> Int {
    min(tables[0].devices(of: group, by: groupings), tables[1].devices(of: group, by: groupings))
  }

  /// The age of the first release, as far as the second one lived.
  func common(_ group: Group) -> Tick { lives(group).min() ?? 0 }

  /// How far the first and the second were followed.
  func lives(_ group: Group) -> [Tick] {
    let cutOff = tables[0].cutOff.at
    return tables.prefix(2).map { table in
      let lives = table.starts.filter { group.contains($0.key) }.map { place, start in
        (min(cutOff, table.endedAt[place] ?? cutOff) - start.publishedAt).rawValue / 1000
      }
      return max(0, lives.max() ?? 0)
    }
  }

  /// The age that both have on each platform: beyond that a curve goes on with the devices of some of them.
  func commonOnAll(_ group: Group) -> Tick {
    let shortest = tables.prefix(2).compactMap { $0.followed(by: \.platform).first?.length }
    return max(0, min(common(group), shortest.min() ?? 0))
  }

  /// Those of the ages asked for that lie within one.
  func asked(within age: Tick) -> [Tick] { options.ages.map { $0.rawValue / 1000 }.filter { $0 <= age } }

  /// Devices that are in the group with both releases.
  func both(_ group: Group) -> SharedEnds {
    shared.ends(of: ReleasePair(first: chosen.target.id, second: other.id), group, by: groupings)
  }

  /// Limits of a difference that few devices carry are those of earlier ages, and too close: it has none.
  func row(_ tick: Tick, _ curves: [ComparedCurve], _ both: SharedEnds) -> Compare.Age {
    let found = curves[0].difference(from: curves[1], at: tick, level: level, shared: both)
    let isCarried = found.lo == nil || curves.prefix(2).allSatisfy { $0.isCarried(to: tick) }
    let difference =
      isCarried ? found : Estimate(found.value, level: found.level, method: found.method, reason: .tooFew)
    let limits = curves.map { $0.oneSidedLimits(at: tick, level: level) }
    return Compare.Age(
      seconds: tick, share: curves[0].share(at: tick, level: level), atMost: limits[0].atMost,
      atLeast: limits[0].atLeast, baseline: curves[1].share(at: tick, level: level), baselineAtMost: limits[1].atMost,
      baselineAtLeast: limits[1].atLeast, difference: difference,
      relevance: Relevance(of: difference, margin: options.shareMargin))
  }
}
