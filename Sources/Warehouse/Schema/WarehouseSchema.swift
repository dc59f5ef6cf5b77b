public import Store

/// Creates and checks the tables of a warehouse.
public struct WarehouseSchema: Sendable {
  let client: WarehouseClient

  public init(_ client: WarehouseClient) { self.client = client }

  /// Creates what is missing; what is there stays as it is.
  ///
  /// - Parameter cluster: the name under which the servers know each other; nil for a single server.
  public func create(cluster: String?) throws(StoreError) {
    let onCluster = cluster.map { " ON CLUSTER `\($0)`" } ?? ""
    try client.run("CREATE DATABASE IF NOT EXISTS `\(client.address.database)`" + onCluster)
    if try isThere() { try check() }
    for table in WarehouseTable.all { try client.run(create(table, cluster)) }
    for table in WarehouseTable.all { for view in views(table, cluster) { try client.run(view) } }
    for table in WarehouseTable.all { if let cluster { try client.run(distributed(table, cluster)) } }
    try check(orSet: cluster)
  }

  /// Refuses a warehouse that another version of this program made.
  public func check() throws(StoreError) { try check(values()) }

  /// The same; the cluster's name, nil of a single server.
  func checkedCluster() throws(StoreError) -> String? {
    let known = try values()
    try check(known)
    return known["cluster"].flatMap { $0.isEmpty ? nil : $0 }
  }

  private func check(orSet cluster: String?) throws(StoreError) {
    let known = try values()
    guard known["schema"] == nil else { return try check(known) }
    try set(["schema": WarehouseTable.version, "cluster": cluster ?? ""])
  }

  private func set(_ values: [String: String]) throws(StoreError) {
    var rows = RowWriter()
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      rows.add(key)
      rows.add(value)
    }
    try client.insert(into: "meta", rows.bytes)
  }

  private func check(_ values: [String: String]) throws(StoreError) {
    let place = client.address.description
    guard let found = values["schema"] else {
      throw StoreError(
        RemoteProblem(
          .unusable, "warehouse_missing", "\(place) has tables, but not all of a warehouse's",
          "finish it: \(command: "warehouse", "init", options: ["db": place])"), at: place)
    }
    guard found != WarehouseTable.version else { return }
    let isNewer = (Int(found) ?? 0) > (Int(WarehouseTable.version) ?? 0)
    throw StoreError(
      RemoteProblem(
        .unusable, isNewer ? "warehouse_newer" : "warehouse_older",
        "\(place) has schema \(found), this program knows schema \(WarehouseTable.version)",
        isNewer
          ? "upgrade uptake; a newer warehouse is never written by an older program"
          : "make a new database with `uptake warehouse init`, and ship to it from the nodes' files"), at: place)
  }

  func values() throws(StoreError) -> [String: String] {
    // Where two nodes were the first at the same moment, both see the same.
    var rows = try client.prompt.select("SELECT key, min(value) FROM \(client.table("meta")) GROUP BY key")
    var values: [String: String] = [:]
    while !rows.isAtEnd { values[try rows.text()] = try rows.text() }
    return values
  }

  /// What a node and a warehouse must agree on, such as the keys that devices are hashed with.
  func agree(_ key: String, _ value: String) throws(StoreError) -> Bool {
    try agreed(key, orSet: value) == value
  }

  /// Tells this warehouse from every other, whatever its address is.
  func identity() throws(StoreError) -> String {
    try agreed("warehouse", orSet: String(UInt64.random(in: 1 ... .max), radix: 16))
  }

  private func agreed(_ key: String, orSet value: String) throws(StoreError) -> String {
    let known = try values()
    try check(known)
    if let known = known[key] { return known }
    try set([key: value])
    return try values()[key] ?? value
  }

  private func isThere() throws(StoreError) -> Bool {
    var rows = try client.select(
      "SELECT count() FROM system.tables WHERE database = '\(client.address.database)' AND name = 'meta'")
    return try rows.number(UInt64.self) > 0
  }
}

// MARK: statements

extension WarehouseSchema {
  func local(_ name: String, _ cluster: String?) -> String {
    client.table(cluster == nil ? name : name + "_local")
  }

  private func create(_ table: WarehouseTable, _ cluster: String?) -> String {
    let head = "CREATE TABLE IF NOT EXISTS \(local(table.name, cluster))"
    let columns = (cluster.map { " ON CLUSTER `\($0)`" } ?? "") + " (\(table.columns)) ENGINE = "
    guard let engine = table.engine else { return head + columns + "Null" }
    let tail =
      (table.partition.isEmpty ? "" : " PARTITION BY \(table.partition)") + " ORDER BY (\(table.order))"
    return head + columns + (cluster == nil ? engine : replicated(engine, table)) + tail
  }

  /// `ReplacingMergeTree(version)` with the place of its replicas before the rest.
  private func replicated(_ engine: String, _ table: WarehouseTable) -> String {
    let path = "'/clickhouse/tables/{shard}/\(client.address.database)/\(table.name)', '{replica}'"
    let parts = engine.split(separator: "(", maxSplits: 1)
    return "Replicated\(parts[0])(\(path)" + (parts.count == 2 ? ", \(parts[1])" : ")")
  }

  private func views(_ table: WarehouseTable, _ cluster: String?) -> [String] {
    table.views.enumerated().map { index, select in
      let number = index == 0 ? "" : "_\(index)"
      let text = select.split(separator: "@inlet", omittingEmptySubsequences: false)
        .joined(separator: local("inlet", cluster))
      return "CREATE MATERIALIZED VIEW IF NOT EXISTS \(client.table("inlet_" + table.name + number))"
        + (cluster.map { " ON CLUSTER `\($0)`" } ?? "") + " TO \(local(table.name, cluster)) AS " + text
    }
  }

  private func distributed(_ table: WarehouseTable, _ cluster: String) -> String {
    """
    CREATE TABLE IF NOT EXISTS \(client.table(table.name)) ON CLUSTER `\(cluster)` (\(table.columns)) \
    ENGINE = Distributed('\(cluster)', '\(client.address.database)', '\(table.name)_local', \(table.sharding))
    """
  }
}
