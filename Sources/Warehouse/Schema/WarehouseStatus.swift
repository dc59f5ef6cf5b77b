import HTTP
public import Lifecycle
public import Store

/// What the nodes of a warehouse have sent, and how its servers are.
public enum WarehouseStatus {
  public struct Node: Sendable {
    public var number: UInt64
    public var batches, events: Int64
    public var lastSent: Timestamp
    /// When it last told what it knows beside events; nil where it never did.
    public var stateAt: Timestamp?
  }
  public struct Server: Sendable {
    public var place: String
    public var version: String?
    /// nil where all is well.
    public var problem: String?
  }

  public static func nodes(_ client: WarehouseClient) throws(StoreError) -> [Node] {
    try WarehouseSchema(client).check()
    var told: [UInt64: Int64] = [:]
    var rows = try client.select("SELECT node, max(version) FROM \(client.table("state")) GROUP BY node")
    while !rows.isAtEnd { told[try rows.number()] = try rows.number() }
    // A batch that was sent twice is there once or twice.
    rows = try client.select(
      """
      SELECT node, count(), sum(rows), max(sentAt) FROM (SELECT node, counter, max(rows) AS rows, max(sentAt) AS sentAt
      FROM \(client.table("batch")) GROUP BY node, counter) GROUP BY node ORDER BY node
      """)
    var nodes: [Node] = []
    while !rows.isAtEnd {
      let number = try rows.number(UInt64.self)
      nodes.append(
        Node(
          number: number, batches: try rows.number(), events: try rows.number(),
          lastSent: Timestamp(rawValue: try rows.number()), stateAt: told[number].map(Timestamp.init(rawValue:))))
    }
    return nodes
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
