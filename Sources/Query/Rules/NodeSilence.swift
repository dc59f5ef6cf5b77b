internal import Console
public import Lifecycle
public import Store

/// That a node of a warehouse shipped nothing for longer than is usual for it: what its devices said since is in no answer.
public struct NodeSilence: Equatable, Sendable {
  public let node: ShippingNode
  private let newest: Timestamp?
  private let now: Timestamp

  /// So long beyond what is usual.
  public static let longest = Milliseconds.hours(1)
  /// Of a node of which nobody knows what is usual, as one that shipped once.
  private static let unknown = Milliseconds.days(1)
  /// A pause that came so often in so long is usual: each night, each weekend, not an outage.
  private static let (often, period) = (3, Milliseconds.days(28))

  /// - Parameter newest: when any node shipped last.
  init?(_ node: ShippingNode, newest: Timestamp?, now: Timestamp) {
    guard !node.isRetired, node.lastSent + Self.usual(node) < now - Self.longest else { return nil }
    (self.node, self.newest, self.now) = (node, newest, now)
  }

  private static func usual(_ node: ShippingNode) -> Milliseconds {
    let hours = node.hours.filter { $0.last >= node.lastSent - period }
    let pauses = zip(hours, hours.dropFirst()).map { $1.first - $0.last }.sorted(by: >)
    return pauses.count < often ? unknown : pauses[often - 1]
  }

  /// What happened, and what it means.
  public var words: String {
    let others = newest.map { now - $0 <= Self.longest } == true ? "others did" : "nor did any other"
    return "node \(node.name) shipped nothing for \(lengthWords(now - node.lastSent)), since \(node.lastSent.words),"
      + " longer than is usual for it; \(others)\(rate): what its devices said since is in no answer"
  }

  /// By the day that ended with its last batch.
  private var rate: String {
    let day = node.hours.filter { $0.last > node.lastSent - .days(1) }
    guard let first = day.first?.first, node.lastSent - first >= .hours(1) else { return "" }
    let hours = Double((node.lastSent - first).rawValue) / Double(Milliseconds.hours(1).rawValue)
    let events = Int(Double(day.reduce(0) { $0 + $1.events }) / hours)
    return "; some \(counted(events, "event")) an hour came from it before"
  }
}

extension NodeSilence {
  /// - Parameter nodes: all of a warehouse.
  public static func all(_ nodes: [ShippingNode], now: Timestamp) -> [NodeSilence] {
    let newest = nodes.map(\.lastSent).max()
    return nodes.compactMap { NodeSilence($0, newest: newest, now: now) }
  }
}

extension Snapshot {
  /// Of a warehouse; a file has no nodes.
  public func silentNodes(now: Timestamp) throws(StoreError) -> [NodeSilence] {
    let quiet = try nodes(quietSince: now - NodeSilence.longest)
    return quiet.nodes.compactMap { NodeSilence($0, newest: quiet.newest, now: now) }
  }

  /// - Parameter app: nil for all.
  func nodeWarnings(of app: String?, now: Timestamp) throws(StoreError) -> [Warning] {
    let differ = NodesDiffer(vocabulary, app: app, now: now).map { Warning(Warning.publicationsDiffer, $0.words) }
    return try silentNodes(now: now).map { Warning(Warning.silentNode, $0.words) } + [differ].compactMap(\.self)
  }
}

extension Warning {
  /// A node of a warehouse ships nothing.
  public static let silentNode = "silent_node"
}
