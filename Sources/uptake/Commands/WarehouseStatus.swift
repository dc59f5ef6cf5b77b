internal import Answers
internal import Console
internal import Lifecycle
internal import Warehouse

extension Command {
  static let warehouseStatus = Command(
    "status", purpose: "Show what the nodes have shipped, and how the servers are",
    options: [.database, .now] + Option.answer,
    examples: [.init("Which node is behind", "uptake warehouse status --db clickhouse://uptake@ch1/uptake,ch2")],
    exits: [.databaseUnusable], seeAlso: ["ship", "status"]
  ) { invocation in
    let client = try invocation.warehouse(.database)
    let nodes = try WarehouseStatus.nodes(client)
    let servers = WarehouseStatus.servers(client)
    try invocation.show(presentation(nodes, servers, now: invocation.instant))
    return servers.contains { $0.problem != nil } ? .failed : .done
  }
}

private func presentation(
  _ nodes: [WarehouseStatus.Node], _ servers: [WarehouseStatus.Server], now: Timestamp
) -> Presentation {
  let columns: [Table.Column] = [
    .init("NODE", key: "node"), .init("BATCHES", key: "batches"), .init("EVENTS", key: "events"),
    .init("LAST BATCH", key: "lastBatch"), .init("STATE", key: "state"),
  ]
  let document: JSON = [
    "schema": "uptake.warehouse-status/1",
    "data": .array(
      nodes.map { node in
        [
          "node": .string(String(node.number, radix: 16)), "batches": .integer(Int(node.batches)),
          "events": .integer(Int(node.events)), "lastBatchAt": .string(node.lastSent.rfc3339),
          "stateAt": node.stateAt.map { .string($0.rfc3339) } ?? .null,
        ]
      }),
    "servers": .array(
      servers.map { server in
        [
          "place": .string(server.place), "version": server.version.map(JSON.string) ?? .null,
          "problem": server.problem.map(JSON.string) ?? .null,
        ]
      }),
  ]
  let rows = nodes.map { node -> [Cell] in
    [
      .text(String(node.number, radix: 16)), .count(Int(node.batches)), .count(Int(node.events)),
      .text(node.lastSent.rfc3339), .text(node.stateAt?.rfc3339 ?? "never"),
    ]
  }
  return Presentation(
    table: Table(columns, rows: rows), document: document, notes: notes(nodes, servers, now: now))
}

/// What to do about it.
private func notes(_ nodes: [WarehouseStatus.Node], _ servers: [WarehouseStatus.Server], now: Timestamp) -> [String] {
  var notes = servers.map { server in
    server.problem.map { "\(server.place): \($0)" } ?? "\(server.place): ClickHouse \(server.version ?? "?"), well"
  }
  if nodes.isEmpty { notes.append("no node has shipped yet: uptake ship --to …") }
  for node in nodes where now - node.lastSent > .hours(1) {
    notes.append(
      """
      node \(String(node.number, radix: 16)) sent nothing for over an hour: see whether it runs, and whether events come in
      """)
  }
  return notes
}
