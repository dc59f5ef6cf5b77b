import Lifecycle
import Store

/// One publication as each node has it; what was changed last counts, with the steps and the halt that it has.
struct PublicationOfNodes {
  struct Copy {
    var node: UInt64
    /// nil where the node took it back.
    var publication: Publication?
    /// nil where the node's program does not say, which it did not once.
    var changedAt: Timestamp?
  }
  private var copies: [Copy] = []

  mutating func add(_ copy: Copy) { copies.append(copy) }

  /// The one that counts.
  private var newest: Copy? {
    let isDated = copies.allSatisfy { $0.changedAt != nil }
    return copies.max { isDated ? $0.isChangedBefore($1) : $0.goesLessFarThan($1) }
  }

  var publication: Publication? { newest?.publication }

  /// - Parameter retired: nodes that nobody asks any more.
  func difference(_ place: PublicationPlace, without retired: Set<UInt64>) -> PublicationDifference? {
    guard let newest else { return nil }
    let others = copies.filter { $0.publication != newest.publication && !retired.contains($0.node) }
    guard !others.isEmpty else { return nil }
    let changedAt = newest.changedAt == .never ? nil : newest.changedAt
    return PublicationDifference(
      place: place, node: newest.node, changedAt: changedAt, others: others.map(\.node).sorted())
  }
}

extension Timestamp {
  /// Of what was never changed since changes are noted: before all others.
  static let never = Timestamp(rawValue: .min)
}

extension PublicationOfNodes.Copy {
  fileprivate func isChangedBefore(_ other: Self) -> Bool {
    guard let changedAt, let later = other.changedAt, changedAt != later else { return goesLessFarThan(other) }
    return changedAt < later
  }

  /// Where nobody knows when: a halt is never overlooked, nor is a step; of equal ones the earliest counts.
  fileprivate func goesLessFarThan(_ other: Self) -> Bool { weight.lexicographicallyPrecedes(other.weight) }

  private var weight: [Int64] {
    guard let publication else { return [] }
    let isHalted = publication.rollout.haltedAt != nil
    return [isHalted ? 1 : 0, Int64(publication.rollout.count), -publication.publishedAt.rawValue]
  }
}
