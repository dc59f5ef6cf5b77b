internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Store
internal import Warehouse

extension Command {
  static let warehouseStatus = Command(
    "status", purpose: "Show what the nodes have shipped, whether tallies are current, and how the servers are",
    options: [.database, .now] + Option.answer,
    examples: [.init("Which node is behind", "uptake warehouse status --db clickhouse://uptake@ch1/uptake,ch2")],
    exits: [.databaseUnusable], seeAlso: ["ship", "status"]
  ) { invocation in
    let client = try invocation.warehouse(.database)
    let nodes = try WarehouseStatus.nodes(client)
    let silent = NodeSilence.all(nodes, now: invocation.instant)
    let servers = WarehouseStatus.servers(client)
    let tallies = try WarehouseStatus.tallies(client)
    try invocation.show(presentation(nodes, silent, servers, tallies, client.address.description))
    return servers.contains { $0.problem != nil } ? .failed : .done
  }
}

private func presentation(
  _ nodes: [ShippingNode], _ silent: [NodeSilence], _ servers: [WarehouseStatus.Server],
  _ tallies: WarehouseStatus.Tallies, _ place: String
) -> Presentation {
  let columns: [Table.Column] = [
    .init("NODE", key: "node"), .init("BATCHES", key: "batches"), .init("EVENTS", key: "events"),
    .init("LAST BATCH", key: "lastBatch"), .init("STATE", key: "state"),
  ]
  let document: JSON = [
    "schema": "uptake.warehouse-status/1",
    "data": .array(nodes.map { node in node.document(isSilent: silent.contains { $0.node == node }) }),
    "tallies": tallies.document,
    "servers": .array(servers.map(\.document)),
  ]
  return Presentation(
    table: Table(columns, rows: nodes.map(\.cells)), document: document,
    notes: notes(nodes, silent, servers, place) + [tallies.words])
}

extension ShippingNode {
  fileprivate func document(isSilent: Bool) -> JSON {
    [
      "node": .string(name), "batches": .integer(Int(batches)), "events": .integer(Int(events)),
      "lastBatchAt": .string(lastSent.rfc3339), "stateAt": stateAt.map { .string($0.rfc3339) } ?? .null,
      "retiredAt": isRetired ? retiredAt.map { .string($0.rfc3339) } ?? .null : .null, "isSilent": .bool(isSilent),
    ]
  }

  fileprivate var cells: [Cell] {
    [
      .text(name), .count(Int(batches)), .count(Int(events)), .text(lastSent.rfc3339),
      stateAt.map { .text($0.rfc3339) } ?? .term("", words: "never"),
    ]
  }
}

extension WarehouseStatus.Server {
  fileprivate var document: JSON {
    [
      "place": .string(place), "version": version.map(JSON.string) ?? .null,
      "problem": problem.map(JSON.string) ?? .null,
    ]
  }
}

/// What to do about it.
private func notes(
  _ nodes: [ShippingNode], _ silent: [NodeSilence], _ servers: [WarehouseStatus.Server], _ place: String
) -> [String] {
  var notes = servers.map { server in
    server.problem.map { "\(server.place): \($0)" } ?? "\(server.place): ClickHouse \(server.version ?? "?"), well"
  }
  if nodes.isEmpty { notes.append("no whole batch has arrived yet: uptake ship --to …") }
  notes += nodes.compactMap { node in
    guard node.isRetired, let at = node.retiredAt else { return nil }
    return "node \(node.name) was retired at \(at.rfc3339): nobody waits for it"
  }
  return notes
    + silent.map { silence in
      let retire = ShellCommand("uptake", "warehouse", "retire").argument(silence.node.name).option("db", place)
      return """
        \(silence.words). See that its service runs and reaches the warehouse (ship_failed in its log); what waits there is \
        shipped then. Where it was taken away for good: \(retire)
        """
    }
}

extension WarehouseStatus.Tallies {
  fileprivate var document: JSON {
    let (state, since, nodes): (String, Timestamp?, [UInt64]) =
      switch self {
      case .current: ("current", nil, [])
      case .underWay(let nodes, let since): ("underWay", since, nodes)
      case .settling(let changedAt, _): ("settling", changedAt, [])
      case .outdated(let changedAt): ("outdated", changedAt, [])
      }
    return [
      "state": .string(state), "voidSince": since.map { .string($0.rfc3339) } ?? .null,
      "nodes": .array(nodes.map { .string(String($0, radix: 16)) }),
    ]
  }

  /// Since when they do not hold, why, and what to do.
  fileprivate var words: String {
    switch self {
    case .current: "tallies are current: default questions read no device"
    case .underWay(let nodes, let since):
      """
      tallies do not hold since \(since.rfc3339): \(nodes.map { $0 == 0 ? "uptake forget" : "node \(String($0, radix: 16))" }.joined(separator: ", ")) \
      has something under way. They are counted when all nodes rest; where none ever does, questions read devices: ask a node's \
      file for its own events
      """
    case .settling(let changedAt, let seconds):
      """
      tallies do not hold since \(changedAt.rfc3339): replicas may lack what came then. They can be counted in \(seconds) s if nothing \
      comes meanwhile: uptake serve --ship does it by itself, uptake warehouse refresh waits for it
      """
    case .outdated(let changedAt?):
      """
      tallies do not hold since \(changedAt.rfc3339): nobody has counted since. Nothing is under way: uptake serve --ship counts when it is \
      idle, uptake warehouse refresh at once
      """
    case .outdated(nil): "there are no tallies yet: uptake warehouse refresh counts them once nodes have shipped"
    }
  }
}
