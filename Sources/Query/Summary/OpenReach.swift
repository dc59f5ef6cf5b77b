import Lifecycle
import Statistics
import Store

/// What devices of a channel and platform ran at past moments, and what those run that were reachable at a summary's cutoff.
///
/// Who is reachable at a later one is told by when each was heard of last. Tested in `SummaryTests` and `OpenSummaryTests`.
struct OpenReach {
  private let moments: [Int64: Int]
  private let since: Int64
  /// By the number of a release.
  private var running: [Int64: [Int64]] = [:]
  private(set) var heard: [Int64: [Int64]] = [:]
  /// By release and then by kind.
  private var stagedFrom: [Int64: Int] = [:]
  private var staged: [Int64: [Int: [Int64]]] = [:]
  private(set) var stagedHeard: [Int64: [Int: [Int64]]] = [:]
  /// `ReachRules.ground` of the releases that were let to some devices only.
  private var grounds: [Int64: [Int64]] = [:]

  /// nil where the columns are not as `parts` makes them.
  ///
  /// - Parameters:
  ///   - parts: of one segment.
  ///   - moments: by instant, those before the cutoff.
  ///   - targets: the releases whose rollouts are asked about.
  init?(_ parts: [SummaryPart], moments: [Int64: Int], since: Timestamp, targets: Set<Int64>) {
    (self.moments, self.since) = (moments, since.rawValue)
    for part in parts.sorted(by: { $0.number < $1.number }) where part.isOfReach(targets) { take(part) }
    guard running.values.allSatisfy({ $0.count == moments.count }) else { return nil }
  }

  private mutating func take(_ part: SummaryPart) {
    let (number, kinds) = (part.number, Int64(ReachState.kinds))
    switch number {
    case SummaryPart.running: running[part.release] = part.values
    case SummaryPart.stagedFrom: stagedFrom[part.release] = Int(part.values.first ?? 0)
    case SummaryPart.stagedGround: grounds[part.release] = part.values
    case SummaryPart.stagedKinds..<SummaryPart.stagedKinds + kinds:
      staged[part.release, default: [:]][Int(number - SummaryPart.stagedKinds)] = part.values
    case SummaryPart.lastHeard..<SummaryPart.lastHeard + SummaryPart.mostChunks:
      heard[part.release, default: []] += part.values
    case SummaryPart.stagedHeard..<SummaryPart.stagedHeard + kinds * SummaryPart.mostChunks:
      let kind = Int((number - SummaryPart.stagedHeard) / SummaryPart.mostChunks)
      stagedHeard[part.release, default: [:]][kind, default: []] += part.values
    default: break
    }
  }

  /// Whether what is asked about a release can be told: its rollout is kept, by the rules that hold, where an instant lies in it.
  func tells(_ rules: ReachRules, at instants: [Int64]) -> Bool {
    grounds[rules.target] == rules.ground
      || !instants.contains { rules.publishedAt <= $0 && $0 < rules.completeAt }
  }

  /// Whether the rollout of a release is kept by these rules, or nothing is.
  func agrees(_ rules: ReachRules) -> Bool { running.isEmpty && heard.isEmpty || grounds[rules.target] == rules.ground }

  /// - Parameters:
  ///   - rules: of the release that is asked about.
  ///   - instant: one of the moments, or not before the summary's cutoff.
  func counts(_ rules: ReachRules, at instant: Int64, window: Milliseconds) -> ReachCounts {
    let releases = releases(at: instant, window)
    if rules.publishedAt <= instant, instant < rules.completeAt {
      return ReachCounts(byKind: kinds(rules, at: instant, window), releases)
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
      ? moments[instant].map { moment in running.mapValues { Int($0[moment]) } } ?? [:]
      : heard.mapValues { $0.after(instant - window.rawValue) }
    return counts.filter { $1 > 0 }
  }

  /// Devices by `ReachState.kind`, at an instant at which a release is let to some of them only.
  func kinds(_ rules: ReachRules, at instant: Int64, _ window: Milliseconds) -> [Int] {
    if instant < since, let moment = moments[instant] {
      let (known, from) = (staged[rules.target] ?? [:], stagedFrom[rules.target] ?? 0)
      return (0..<ReachState.kinds).map { kind in
        guard let counts = known[kind], counts.indices.contains(moment - from) else { return 0 }
        return Int(counts[moment - from])
      }
    }
    let releases = releases(at: instant, window)
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
