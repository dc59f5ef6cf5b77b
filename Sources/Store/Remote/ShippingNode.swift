public import Lifecycle

/// A file that ships its events to another engine, as that engine knows it.
public struct ShippingNode: Equatable, Sendable {
  /// Of one hour.
  public struct Shipped: Equatable, Sendable {
    public var first, last: Timestamp
    public var batches, events: Int64

    public init(first: Timestamp, last: Timestamp, batches: Int64, events: Int64) {
      (self.first, self.last, self.batches, self.events) = (first, last, batches, events)
    }
  }
  public var number: UInt64
  /// The hours in which batches came, the oldest first; by the node's clock.
  public var hours: [Shipped]
  /// When it last told what it knows beside events; nil where it never did.
  public var stateAt: Timestamp?
  /// When somebody said that it is waited for no more.
  public var retiredAt: Timestamp?

  public init(number: UInt64, hours: [Shipped], stateAt: Timestamp? = nil, retiredAt: Timestamp? = nil) {
    (self.number, self.hours, self.stateAt, self.retiredAt) = (number, hours, stateAt, retiredAt)
  }

  public var name: String { String(number, radix: 16) }
  public var batches: Int64 { hours.reduce(0) { $0 + $1.batches } }
  public var events: Int64 { hours.reduce(0) { $0 + $1.events } }
  public var lastSent: Timestamp { hours.last?.last ?? Timestamp(rawValue: 0) }
  /// What it ships afterwards shows that it is a node all the same.
  public var isRetired: Bool { retiredAt.map { $0 >= lastSent } ?? false }
}

/// Nodes that shipped nothing for a while.
public struct QuietNodes: Equatable, Sendable {
  public var nodes: [ShippingNode] = []
  /// When any node shipped last; nil where none ever did.
  public var newest: Timestamp?

  public init(nodes: [ShippingNode] = [], newest: Timestamp? = nil) { (self.nodes, self.newest) = (nodes, newest) }
}
