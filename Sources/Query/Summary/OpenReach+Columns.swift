import Lifecycle
import Store

/// What the numbers of these columns mean. Frozen: files that hold them are in the world.
extension SummaryPart {
  /// The instants that reach is kept of.
  static let moments: Int64 = 1 << 30
  /// Devices that ran a release, at each.
  static let running = moments + 1
  /// Where a rollout lets some devices have the release: the first of the moments, what it rests on, and by `ReachState.kind` how many there
  /// are at each.
  static let stagedFrom = moments + 2
  static let stagedGround = moments + 3
  static let stagedKinds = moments + 10
  /// Devices that a question about reach looks at by itself.
  static let reachUnsettled = moments + 4
  /// Of those that run a release still: when they were heard of last, in chunks.
  static let lastHeard = moments + 10_000
  /// By kind: when those who may not have it, or of whom it is not known, were heard of last, likewise.
  static let stagedHeard = moments + 20_000

  static let mostChunks: Int64 = 10_000
  /// No transaction that stores a column need be longer.
  private static let chunk = 65_536

  static let ofReach = moments..<stagedHeard + Int64(ReachState.kinds) * mostChunks

  /// Whether it is about all segments.
  var isOfNoSegment: Bool { number == Self.moments || number == Self.reachUnsettled }

  func isOfReach(_ targets: Set<Int64>) -> Bool {
    number == Self.running || Self.lastHeard..<Self.stagedHeard ~= number || targets.contains(release)
  }

  /// - Parameter heard: ascending.
  static func chunks(_ heard: [Int64], _ release: Int64, _ group: Group, _ number: Int64) -> [SummaryPart] {
    stride(from: 0, to: heard.count, by: chunk).enumerated().map { index, first in
      SummaryPart(release, group, number + Int64(index), Array(heard[first..<min(first + chunk, heard.count)]))
    }
  }

  static func stagedHeard(_ kind: Int) -> Int64 { stagedHeard + Int64(kind) * mostChunks }
}

extension ReachHistoryTally {
  var parts: [SummaryPart] {
    [SummaryPart(0, Group(channel: ""), SummaryPart.moments, question.instants)]
      + onAllCores(segments) { $0.parts }.flatMap(\.self)
  }
}

extension ReachHistorySegment {
  fileprivate var parts: [SummaryPart] {
    let ran = running.indices.filter { !running[$0].isEmpty }.map { release in
      SummaryPart(Int64(release), group, SummaryPart.running, running[release].counts)
    }
    let heard = contacts.indices.flatMap { release in
      SummaryPart.chunks(contacts[release].sorted(), Int64(release), group, SummaryPart.lastHeard)
    }
    return ran + heard + zip(staged, stagedCounts).flatMap(parts)
  }

  private func parts(_ rules: StagedRules, _ counts: StagedCounts) -> [SummaryPart] {
    rules.parts(group, (0..<ReachState.kinds).map { (counts.kinds[$0].counts, counts.contacts[$0].sorted()) })
  }
}

extension StagedRules {
  /// - Parameter kinds: by kind, how many there are at each moment, and when they were heard of last.
  func parts(_ group: Group, _ kinds: [(counts: [Int64], heard: [Int64])]) -> [SummaryPart] {
    func part(_ number: Int64, _ values: [Int64]) -> SummaryPart { SummaryPart(release, group, number, values) }
    return [
      part(SummaryPart.stagedFrom, [Int64(moments.lowerBound)]), part(SummaryPart.stagedGround, rules.ground),
    ]
      + kinds.enumerated().flatMap { kind, told in
        (told.counts.contains { $0 != 0 } ? [part(SummaryPart.stagedKinds + Int64(kind), told.counts)] : [])
          + SummaryPart.chunks(told.heard, release, group, SummaryPart.stagedHeard(kind))
      }
  }
}
