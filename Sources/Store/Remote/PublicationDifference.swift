public import Lifecycle

/// A publication that nodes of a warehouse do not have alike.
public struct PublicationDifference: Equatable, Sendable {
  /// Why the one that counts does.
  public enum Rule: Equatable, Sendable {
    case changedLast
    /// What was changed later does not have its halt.
    case haltStands
    /// Not every node tells when it changed it: a halt counts, else the one with more steps.
    case undated
  }

  public var place: PublicationPlace
  public var rule: Rule
  /// The node whose publication counts.
  public var node: UInt64
  /// That publication; nil where it was taken back.
  public var publication: Publication?
  /// When that node changed it; nil where nobody knows.
  public var changedAt: Timestamp?
  /// When any node changed it last; nil where nobody knows.
  public var newestChange: Timestamp?
  /// That have another one, or took it back.
  public var others: [UInt64]

  public init(
    place: PublicationPlace, rule: Rule, node: UInt64, publication: Publication?, changedAt: Timestamp?,
    newestChange: Timestamp?, others: [UInt64]
  ) {
    (self.place, self.rule, self.node, self.publication) = (place, rule, node, publication)
    (self.changedAt, self.newestChange, self.others) = (changedAt, newestChange, others)
  }
}
