import Lifecycle
import Store

/// One publication as each node has it; what was changed last counts, with the steps and the halt that it has.
///
/// A halt that it does not have stands all the same: a job that runs again at another node ends none.
struct PublicationOfNodes {
  struct Copy {
    var node: UInt64
    /// nil where the node took it back.
    var publication: Publication?
    /// nil where the node's program does not say, which it did not once.
    var changedAt: Timestamp?
    /// Nobody asks that node any more.
    var isRetired = false
  }
  private let copies: [Copy]
  private let counting: (copy: Copy, rule: PublicationDifference.Rule)

  /// - Parameter all: one at least.
  init?(_ all: [Copy]) {
    // Of a node that was taken away before it told, nobody will ever know whether it is older.
    let known = all.filter { !$0.isRetired || $0.changedAt != nil }
    copies = known.isEmpty ? all : known
    guard let counting = Self.counting(copies) else { return nil }
    self.counting = counting
  }

  private static func counting(_ copies: [Copy]) -> (copy: Copy, rule: PublicationDifference.Rule)? {
    guard copies.allSatisfy({ $0.changedAt != nil }) else {
      return copies.max { $0.goesLessFarThan($1) }.map { ($0, .undated) }
    }
    guard let newest = copies.max(by: { $0.isChangedBefore($1) }) else { return nil }
    if newest.changedAt == .never { return (newest, .undated) }
    let halted = copies.filter { copy in copy.halt.map { !newest.knows(haltAt: $0) } ?? false }
    return halted.max { $0.isChangedBefore($1) }.map { ($0, .haltStands) } ?? (newest, .changedLast)
  }

  var publication: Publication? { counting.copy.publication }

  func difference(_ place: PublicationPlace) -> PublicationDifference? {
    let others = copies.filter { !$0.isRetired && !$0.isAlike(counting.copy) }
    guard !others.isEmpty else { return nil }
    let newestChange = counting.rule == .undated ? nil : copies.compactMap(\.changedAt).max()
    return PublicationDifference(
      place: place, rule: counting.rule, node: counting.copy.node, publication: publication,
      changedAt: counting.copy.changedAt?.ifEver, newestChange: newestChange?.ifEver,
      others: others.map(\.node).sorted())
  }
}

extension Timestamp {
  /// Of what was never changed since changes are noted: before all others.
  static let never = Timestamp(rawValue: .min)
  fileprivate var ifEver: Timestamp? { self == .never ? nil : self }
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
