import HTTP
import Lifecycle
public import Store

/// What the nodes of a warehouse have sent, and how its servers are.
public enum WarehouseStatus {
  public struct Server: Sendable {
    public var place: String
    public var version: String?
    /// nil where all is well.
    public var problem: String?
  }

  /// - Parameter only: their numbers; nil for all that ever sent a whole batch.
  public static func nodes(_ client: WarehouseClient, only: [UInt64]? = nil) throws(StoreError) -> [ShippingNode] {
    try WarehouseSchema(client).check()
    let isOne = only.map { "node IN (\($0.map { "\($0)" }.joined(separator: ", ")))" } ?? "1"
    let told = try versions("kind != '\(RetiredNodes.kind)' AND \(isOne)", client)
    let retired = try versions("kind = '\(RetiredNodes.kind)' AND \(isOne)", client)
    let shipped = try hours(isOne, client)
    return shipped.keys.sorted().map { node in
      ShippingNode(number: node, hours: shipped[node] ?? [], stateAt: told[node], retiredAt: retired[node])
    }
  }

  /// When the newest of the documents of each node came.
  private static func versions(
    _ condition: String, _ client: WarehouseClient
  ) throws(StoreError) -> [UInt64: Timestamp] {
    var rows = try client.select(
      "SELECT node, max(version) FROM \(client.table("state")) WHERE \(condition) GROUP BY node")
    var found: [UInt64: Timestamp] = [:]
    while !rows.isAtEnd { found[try rows.number()] = Timestamp(rawValue: try rows.number()) }
    return found
  }

  private static func hours(
    _ condition: String, _ client: WarehouseClient
  ) throws(StoreError) -> [UInt64: [ShippingNode.Shipped]] {
    // A batch that was sent twice is there once or twice.
    var rows = try client.select(
      """
      SELECT node, min(sent) AS first_sent, max(sent), toInt64(count()), sum(events) FROM (
      SELECT node, counter, max(rows) AS events, max(sentAt) AS sent FROM \(client.table("batch")) WHERE \(condition)
      GROUP BY node, counter) GROUP BY node, intDiv(sent, 3600000) ORDER BY node, first_sent
      """)
    var found: [UInt64: [ShippingNode.Shipped]] = [:]
    while !rows.isAtEnd {
      let node = try rows.number(UInt64.self)
      let (first, last) = (Timestamp(rawValue: try rows.number()), Timestamp(rawValue: try rows.number()))
      let hour = ShippingNode.Shipped(first: first, last: last, batches: try rows.number(), events: try rows.number())
      found[node, default: []].append(hour)
    }
    return found
  }

  /// Each server that the address names, asked by itself.
  public static func servers(_ client: WarehouseClient) -> [Server] {
    client.eachHost.map { host in
      var server = Server(place: host.address.hosts[0].authority)
      do throws(StoreError) {
        var rows = try host.select("SELECT version()")
        server.version = try rows.text()
        rows = try host.select(
          "SELECT count() FROM system.replicas WHERE database = '\(host.address.database)' AND is_readonly")
        if try rows.number(UInt64.self) > 0 { server.problem = "its tables cannot be written: it has no keeper" }
      } catch { server.problem = error.description }
      return server
    }
  }
}
