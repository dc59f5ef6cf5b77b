/// That a file is a node of a warehouse: what it has not shipped there stays in it.
public struct ShippingBinding: Equatable, Sendable {
  /// Tells the warehouse from others, whatever its address is.
  var warehouse: String
  public var position: ShippingLog.Position
  /// Devices that the file has forgotten and the warehouse has not.
  public var unforgotten: Int

  /// Of a file, the node's number rising.
  public static func all(path: String) throws(StoreError) -> [ShippingBinding] {
    let connection = try Connection(path: path, mode: .read)
    try Schema.requireCurrent(connection)
    let rows = try connection.prepare("SELECT substr(key, 6), value FROM meta WHERE key LIKE 'ship %'")
      .rows { (warehouse: $0.text(0), position: ShippingLog.Position($0.text(1))) }
    var found: [ShippingBinding] = []
    for row in rows {
      guard let position = row.position else { continue }
      let unforgotten = try UnforgottenDevices.read(row.warehouse, connection).count
      found.append(ShippingBinding(warehouse: row.warehouse, position: position, unforgotten: unforgotten))
    }
    return found.sorted { $0.position.node < $1.position.node }
  }

  /// The file is this node no more: nothing waits for that warehouse. Shipped there again it is a new one, and sends all that it holds.
  public func end(path: String) throws(StoreError) {
    let connection = try Connection(path: path, mode: .write)
    try Schema.requireCurrent(connection)
    try connection.transaction { () throws(StoreError) in
      let delete = try connection.prepare("DELETE FROM meta WHERE key IN (?, ?)")
      try delete.run(.text("ship " + warehouse), .text(UnforgottenDevices.key(warehouse)))
    }
  }
}
