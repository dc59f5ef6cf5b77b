import Lifecycle
import Statistics
import Store

/// What an open summary keeps of reach on one channel and platform, moved on.
struct MovedSegment {
  private let reach: ReachHistoryCounting
  private let group: Group
  private let before, left, came: OpenReach
  private let staged: [StagedRules]

  /// - Parameters:
  ///   - before: what was kept.
  ///   - left: of that the devices that were heard of since.
  ///   - came: the same as they are now.
  init(_ reach: ReachHistoryCounting, _ group: Group, before: OpenReach, left: OpenReach, came: OpenReach) {
    (self.reach, self.group, self.before, self.left, self.came) = (reach, group, before, left, came)
    staged = reach.staged[group] ?? []
  }

  /// nil where what was kept rests on other rules, or is not what its devices say.
  var parts: [SummaryPart]? {
    var parts = running
    for release in Set(before.heard.keys).union(came.heard.keys) {
      guard let heard = moved(before.heard[release], left.heard[release], came.heard[release]) else { return nil }
      parts += SummaryPart.chunks(heard, release, group, SummaryPart.lastHeard)
    }
    for rules in staged {
      guard before.agrees(rules.rules), let kinds = kinds(rules) else { return nil }
      parts += rules.parts(group, kinds)
    }
    return parts
  }

  private var running: [SummaryPart] {
    var counts: [Int64: [Int64]] = [:]
    for (moment, instant) in reach.instants.enumerated() {
      for (open, times) in [(before, 1), (left, -1), (came, 1)] {
        for (release, devices) in open.releases(at: instant, reach.window) {
          counts[release, default: Array(repeating: 0, count: reach.instants.count)][moment] += Int64(times * devices)
        }
      }
    }
    return counts.filter { $1.contains { $0 != 0 } }.map { SummaryPart($0, group, SummaryPart.running, $1) }
  }

  private func kinds(_ rules: StagedRules) -> [(counts: [Int64], heard: [Int64])]? {
    var kinds: [(counts: [Int64], heard: [Int64])] = []
    let counts = counts(rules)
    for kind in 0..<ReachState.kinds {
      func heard(_ open: OpenReach) -> [Int64]? { open.stagedHeard[rules.release]?[kind] }
      guard let heard = moved(heard(before), heard(left), heard(came)) else { return nil }
      kinds.append((counts[kind], heard))
    }
    return kinds
  }

  /// By kind and then by moment.
  private func counts(_ rules: StagedRules) -> [[Int64]] {
    var counts = Array(repeating: [Int64](repeating: 0, count: rules.moments.count), count: ReachState.kinds)
    for moment in rules.moments {
      for (open, times) in [(before, 1), (left, -1), (came, 1)] {
        let kinds = open.kinds(rules.rules, at: reach.instants[moment], reach.window)
        for (kind, devices) in kinds.enumerated() {
          counts[kind][moment - rules.moments.lowerBound] += Int64(times * devices)
        }
      }
    }
    return counts
  }

  /// Last contacts of those that are reachable still; nil where one is to be left out that is not there.
  private func moved(_ before: [Int64]?, _ left: [Int64]?, _ came: [Int64]?) -> [Int64]? {
    let limit = (reach.since - reach.window).rawValue
    return (before ?? []).replacing(left ?? [], by: came ?? []).map { moved in
      Array(moved[moved.partitioningIndex { $0 > limit }...])
    }
  }
}

extension [Int64] {
  /// All ascending; nil where one that is replaced is not there.
  fileprivate func replacing(_ left: [Int64], by came: [Int64]) -> [Int64]? {
    var (kept, next, other) = ([Int64](), 0, 0)
    kept.reserveCapacity(count + came.count)
    for value in self {
      if next < left.count, left[next] == value {
        next += 1
        continue
      }
      while other < came.count, came[other] <= value {
        kept.append(came[other])
        other += 1
      }
      kept.append(value)
    }
    return next == left.count ? kept + came[other...] : nil
  }
}
