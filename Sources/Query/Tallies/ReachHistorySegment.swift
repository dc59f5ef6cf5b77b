import Lifecycle
import Store

/// A channel and platform, and what devices ran there at every moment.
///
/// A device is mostly the same for many moments: it is added where that begins and taken away where it ends.
struct ReachHistorySegment: Mergeable {
  let group: Group
  let staged: [StagedRules]
  /// Of each of these.
  private(set) var stagedCounts: [StagedCounts]
  private let moments: Int
  /// By the number of a release and then by moment, one moment more than there are; empty where nobody ran it.
  private(set) var running: [[Int32]]
  /// By the number of a release: when those who run it at the summary's cutoff were heard of last.
  private(set) var contacts: [[Int64]]

  init(_ group: Group, _ question: ReachHistoryCounting) {
    (self.group, moments) = (group, question.instants.count + 1)
    running = Array(repeating: [], count: question.releases + 1)
    contacts = Array(repeating: [], count: question.releases + 1)
    staged = question.staged[group] ?? []
    stagedCounts = staged.map { StagedCounts($0.moments) }
  }

  @inline(__always)
  mutating func add(_ release: Int, _ span: Range<Int>) {
    if running[release].isEmpty { running[release] = Array(repeating: 0, count: moments) }
    running[release][span.lowerBound] += 1
    running[release][span.upperBound] -= 1
  }

  mutating func add(_ kind: Int, _ span: Range<Int>, staged index: Int) { stagedCounts[index].add(kind, span) }

  mutating func note(_ release: Int, heardOf contact: Int64) { contacts[release].append(contact) }
  mutating func note(_ kind: Int, heardOf contact: Int64, staged index: Int) {
    stagedCounts[index].contacts[kind].append(contact)
  }

  mutating func add(_ other: ReachHistorySegment, times: Int) {
    precondition(times > 0, "nothing is taken out of a summary that is being made")
    for release in running.indices {
      running[release].add(other.running[release], times: times)
      contacts[release] += other.contacts[release]
    }
    for index in stagedCounts.indices { stagedCounts[index].add(other.stagedCounts[index], times: times) }
  }
}

/// A release that was let to some devices only at some of the moments, or is at the cutoff.
final class StagedRules {
  let release: Int64
  let rules: ReachRules
  let moments: Range<Int>
  let isOpen: Bool

  init?(_ rules: ReachRules, _ question: ReachHistoryCounting) {
    guard let moments = question.staged(rules) else { return nil }
    (release, self.rules, self.moments) = (rules.target, rules, moments)
    isOpen = question.isOpen(rules)
  }
}

/// What devices run while a release is let to some of them only.
struct StagedCounts: Mergeable {
  private let first, count: Int
  /// By `ReachState.kind` and then by moment, one moment more than there are; empty where nobody was of it.
  private(set) var kinds: [[Int32]]
  /// By kind: when those who are of it at the summary's cutoff were heard of last.
  fileprivate(set) var contacts = [[Int64]](repeating: [], count: ReachState.kinds)

  fileprivate init(_ moments: Range<Int>) {
    (first, count) = (moments.lowerBound, moments.count + 1)
    kinds = Array(repeating: [], count: ReachState.kinds)
  }

  /// - Parameter span: of all moments, within its own.
  @inline(__always)
  fileprivate mutating func add(_ kind: Int, _ span: Range<Int>) {
    if kinds[kind].isEmpty { kinds[kind] = Array(repeating: 0, count: count) }
    kinds[kind][span.lowerBound - first] += 1
    kinds[kind][span.upperBound - first] -= 1
  }

  mutating func add(_ other: StagedCounts, times: Int) {
    for kind in kinds.indices {
      kinds[kind].add(other.kinds[kind], times: times)
      contacts[kind] += other.contacts[kind]
    }
  }
}

extension [Int32] {
  /// Empty is all zeros.
  fileprivate mutating func add(_ other: [Int32], times: Int) {
    if other.isEmpty { return }
    if isEmpty { self = Array(repeating: 0, count: other.count) }
    for index in indices { self[index] += Int32(times) * other[index] }
  }

  /// The sums up to each but the last.
  var counts: [Int64] {
    var sum: Int64 = 0
    return dropLast().map { difference in
      sum += Int64(difference)
      return sum
    }
  }
}
