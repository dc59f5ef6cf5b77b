import Lifecycle
import Statistics
import Store

/// What devices of a channel and platform ran at past moments, and what those run that were reachable at a summary's cut-off.
///
/// Who is reachable at a later one is told by when each was heard of last. Tested in `SummaryTests`.
struct OpenReach {
  private let moments: [Int64: Int]
  private let since: Int64
  /// By the number of a release.
  private(set) var running: [Int64: [Int64]] = [:]
  private(set) var heard: [Int64: [Int64]] = [:]
  /// By release and then by kind.
  private var stagedFrom: [Int64: Int] = [:]
  private var staged: [Int64: [Int: [Int64]]] = [:]
  private(set) var stagedHeard: [Int64: [Int: [Int64]]] = [:]

  /// - Parameters:
  ///   - parts: of one place.
  ///   - moments: by instant, those before the cut-off.
  ///   - targets: the releases whose rollouts are asked about.
  init(_ parts: [SummaryPart], moments: [Int64: Int], since: Timestamp, targets: Set<Int64>) {
    (self.moments, self.since) = (moments, since.rawValue)
    let kinds = Int64(ReachState.kinds)
    for part in parts {
      switch part.number {
      case SummaryPart.running: running[part.release] = part.values
      case SummaryPart.lastHeard: heard[part.release] = part.values
      case _ where !targets.contains(part.release): break
      case SummaryPart.stagedFrom: stagedFrom[part.release] = Int(part.values.first ?? 0)
      case SummaryPart.stagedKinds..<SummaryPart.stagedKinds + kinds:
        staged[part.release, default: [:]][Int(part.number - SummaryPart.stagedKinds)] = part.values
      case SummaryPart.stagedHeard..<SummaryPart.stagedHeard + kinds:
        stagedHeard[part.release, default: [:]][Int(part.number - SummaryPart.stagedHeard)] = part.values
      default: break
      }
    }
  }

  /// - Parameters:
  ///   - rules: of the release that is asked about.
  ///   - instant: one of the moments, or not before the summary's cut-off.
  func counts(_ rules: ReachRules, at instant: Int64, window: Milliseconds) -> ReachCounts {
    let releases = releases(at: instant, window)
    if rules.publishedAt <= instant, instant < rules.completeAt {
      return ReachCounts(byKind: kinds(rules, releases, at: instant, window), releases)
    }
    var kinds = [Int](repeating: 0, count: ReachState.kinds)
    let others: ReachEligibility = instant < rules.publishedAt ? .no : .yes
    for (release, devices) in releases {
      let standing = rules.standing(release)
      kinds[ReachState.kind(standing, standing == .exactly ? .yes : others)] += devices
    }
    return ReachCounts(byKind: kinds, releases)
  }

  /// Devices by what they run.
  func releases(at instant: Int64, _ window: Milliseconds) -> [Int64: Int] {
    let counts =
      instant < since
      ? running.mapValues { Int($0[moments[instant] ?? 0]) } : heard.mapValues { $0.after(instant - window.rawValue) }
    return counts.filter { $1 > 0 }
  }

  /// Devices by `ReachState.kind`, at an instant at which a release is let to some of them only.
  func kinds(
    _ rules: ReachRules, _ releases: [Int64: Int], at instant: Int64, _ window: Milliseconds
  ) -> [Int] {
    if instant < since, let moment = moments[instant] {
      let (known, from) = (staged[rules.target] ?? [:], stagedFrom[rules.target] ?? 0)
      return (0..<ReachState.kinds).map { Int(known[$0]?[moment - from] ?? 0) }
    }
    let heard = stagedHeard[rules.target] ?? [:]
    var kinds = (0..<ReachState.kinds).map { heard[$0]?.after(instant - window.rawValue) ?? 0 }
    for standing in ReachStanding.allCases {
      let all = releases.reduce(0) { $0 + (rules.standing($1.key) == standing ? $1.value : 0) }
      let others = kinds[ReachState.kind(standing, .no)] + kinds[ReachState.kind(standing, .unknown)]
      kinds[ReachState.kind(standing, .yes)] = all - others
    }
    return kinds
  }
}

extension [Int64] {
  /// How many come after an instant.
  fileprivate func after(_ instant: Int64) -> Int { count - partitioningIndex { $0 > instant } }
}

/// What the numbers of these columns mean. Frozen: files that hold them are in the world.
extension SummaryPart {
  /// The instants that reach is kept of.
  static let moments: Int64 = 240
  /// Devices that ran a release, at each.
  static let running: Int64 = 241
  /// Of those that run it still: when they were heard of last.
  static let lastHeard: Int64 = 242
  /// Where a rollout lets some devices have the release: the first of the moments, and by `ReachState.kind` how many there are at each.
  static let stagedFrom: Int64 = 243
  static let stagedKinds: Int64 = 250
  /// By kind: when those who may not have it, or of whom it is not known, were heard of last.
  static let stagedHeard: Int64 = 270

  static let ofReach: Range<Int64> = 240..<300
}

extension ReachHistoryTally {
  var parts: [SummaryPart] {
    [SummaryPart(0, Group(channel: ""), SummaryPart.moments, question.instants)]
      + onAllCores(segments) { $0.parts }.flatMap(\.self)
  }
}

extension ReachHistorySegment {
  fileprivate var parts: [SummaryPart] {
    let ran = running.indices.flatMap { release in
      [
        running[release].isEmpty ? nil : part(Int64(release), SummaryPart.running, running[release].counts),
        contacts[release].isEmpty ? nil : part(Int64(release), SummaryPart.lastHeard, contacts[release].sorted()),
      ].compactMap(\.self)
    }
    return ran + zip(staged, stagedCounts).flatMap(parts)
  }

  private func parts(_ rules: StagedRules, _ counts: StagedCounts) -> [SummaryPart] {
    let first = part(rules.release, SummaryPart.stagedFrom, [Int64(rules.moments.lowerBound)])
    return [first]
      + (0..<ReachState.kinds).flatMap { kind in
        let (counts, heard) = (counts.kinds[kind].counts, counts.contacts[kind].sorted())
        return [
          counts.allSatisfy { $0 == 0 } ? nil : part(rules.release, SummaryPart.stagedKinds + Int64(kind), counts),
          heard.isEmpty ? nil : part(rules.release, SummaryPart.stagedHeard + Int64(kind), heard),
        ].compactMap(\.self)
      }
  }

  private func part(_ release: Int64, _ number: Int64, _ values: [Int64]) -> SummaryPart {
    SummaryPart(release, group, number, values)
  }
}
