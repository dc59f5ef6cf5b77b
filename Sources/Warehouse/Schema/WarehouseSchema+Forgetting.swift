import Glibc
public import Lifecycle
public import Store

extension WarehouseSchema {
  /// Deletes what a warehouse knows of devices, on every server; returns when it is gone from all that the address or the
  /// cluster reaches.
  ///
  /// - Parameter patience: in seconds; what takes longer goes on without this program.
  public func forget(_ devices: [DeviceHash], patience: Int = 600) throws(StoreError) {
    try beginForgetting(devices)
    for _ in 0..<(patience * 5) {
      if try endForgetting() { return }
      usleep(200_000)
    }
    throw StoreError(
      RemoteProblem(
        .failed, "warehouse_still_forgetting",
        "\(client.address.description) was told to forget \(devices.count) device\(devices.count == 1 ? "" : "s"), and is not done after \(patience) s",
        "it goes on by itself; look at system.mutations, and run the command again to see whether it is done"),
      at: client.address.description)
  }

  /// Tells the servers; to say it twice does no harm. A device's hash is of one app.
  func beginForgetting(_ devices: [DeviceHash]) throws(StoreError) {
    let cluster = try checkedCluster()
    var notes = try ChangeNotes(client, node: ChangeNotes.forgetting)
    try notes.announce()
    let condition = "device IN (\(devices.map { "\($0.rawValue)" }.joined(separator: ", ")))"
    for table in WarehouseTable.all where table.holdsDevices {
      try client.run(
        "ALTER TABLE \(local(table.name, cluster))" + (cluster.map { " ON CLUSTER `\($0)`" } ?? "")
          + " DELETE WHERE " + condition)
    }
  }

  /// Whether all of it is gone.
  func endForgetting() throws(StoreError) -> Bool {
    guard try isDone(checkedCluster()) else { return false }
    var notes = try ChangeNotes(client, node: ChangeNotes.forgetting)
    try notes.close()
    return true
  }

  /// Whether no server that can be reached has something left to delete.
  private func isDone(_ cluster: String?) throws(StoreError) -> Bool {
    let condition = "WHERE database = '\(client.address.database)' AND NOT is_done"
    for host in client.eachHost where try host.left("system.mutations", condition) > 0 { return false }
    guard let cluster else { return true }
    return try client.left("cluster('\(cluster)', system, mutations)", condition) == 0
  }

}

extension WarehouseTable {
  /// Of its own, so that rows of a device can be deleted there.
  fileprivate var holdsDevices: Bool { engine != nil && columns.contains("device UInt64") }
}

extension WarehouseClient {
  fileprivate func left(_ table: String, _ condition: String) throws(StoreError) -> UInt64 {
    var rows = try select("SELECT count() FROM \(table) \(condition)")
    return try rows.number()
  }
}
