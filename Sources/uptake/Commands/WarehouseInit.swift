internal import Answers
internal import Console
internal import Warehouse

private extension Option {
  static let cluster = Option(
    "cluster", .text, value: "NAME", help: "The cluster, as the servers' configuration (remote_servers) names it")
}

extension Command {
  static let warehouseInit = Command(
    "init", purpose: "Create the tables of a warehouse, or what of them is missing",
    discussion: """
      On one server the tables lie there. On a cluster each server has its share of them, replicas hold the same, and \
      tables over all of them spread the devices; that needs ZooKeeper or Keeper. What is there already stays as it is.
      """,
    options: [.database, .cluster],
    examples: [
      .init("On one server", "uptake warehouse init --db clickhouse://uptake@127.0.0.1:8123/uptake"),
      .init(
        "On a cluster of two shards with two replicas each",
        "uptake warehouse init --cluster main --db clickhouse://uptake@ch1/uptake,ch2,ch3,ch4"),
    ],
    exits: [.databaseUnusable], seeAlso: ["ship", "warehouse status"]
  ) { invocation in
    let client = try invocation.warehouse(.database)
    try WarehouseSchema(client).create(cluster: invocation.text(.cluster))
    try invocation.note(["\(client.address.description) is ready: uptake ship --to \(client.address.description)"])
    return .done
  }
}
