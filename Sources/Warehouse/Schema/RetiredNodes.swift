public import Lifecycle
public import Store

/// Nodes that somebody took away: they lie among the documents of nodes, where programs that do not know them pass over them.
public enum RetiredNodes {
  static let kind = "retired"

  /// From now on the node is waited for no more, unless it ships again.
  public static func add(_ node: UInt64, at now: Timestamp, _ client: WarehouseClient) throws(StoreError) {
    var row = RowWriter()
    row.add(node)
    row.add(kind)
    row.add(now.rawValue)
    row.add([UInt8]())
    try client.insert(into: "state", row.bytes)
  }
}
