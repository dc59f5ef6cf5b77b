public import Lifecycle

/// A publication that nodes of a warehouse do not have alike.
public struct PublicationDifference: Equatable, Sendable {
  public var place: PublicationPlace
  /// The node whose publication counts.
  public var node: UInt64
  /// nil where nobody knows.
  public var changedAt: Timestamp?
  /// That have another one, or took it back.
  public var others: [UInt64]

  public init(place: PublicationPlace, node: UInt64, changedAt: Timestamp?, others: [UInt64]) {
    (self.place, self.node, self.changedAt, self.others) = (place, node, changedAt, others)
  }
}
