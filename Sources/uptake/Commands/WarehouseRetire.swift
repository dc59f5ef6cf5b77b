internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Store
internal import Warehouse

private extension Option {
  static let gone = Option(
    "gone", help: "The warehouse of a file is gone: nothing waits to be forgotten there")
}

extension Command {
  static let warehouseRetire = Command(
    "retire", purpose: "Wait no longer for a node that was taken away, or for a warehouse that is gone",
    discussion: """
      With --db URL: a node that nobody will start again is named as silent no more. Its events stay and count; should it \
      ship again, it is a node as before. With --db FILE: the file is bound to that warehouse no more, so that retention does not \
      wait for one that is gone. Its events stay; shipped there again it is a new node and sends all that it holds, which \
      counts nothing twice. End its shipping before. Neither deletes an event.
      """,
    arguments: [.init("NODE", .optional, help: "Its number, as uptake warehouse status shows it")],
    options: [.database, .gone, .now],
    examples: [
      .init(
        "A node that was taken away",
        "uptake warehouse retire 9f3c2a71d04be865 --db clickhouse://uptake@127.0.0.1:8123/uptake"),
      .init("A warehouse that is gone", "uptake warehouse retire 9f3c2a71d04be865 --db uptake.db"),
    ],
    exits: [.databaseUnusable], seeAlso: ["warehouse status", "ship", "retain"]
  ) { invocation in
    let place = try invocation.databasePath()
    let isWarehouse = RemoteDatabases.isAddress(place)
    try isWarehouse ? invocation.retireNode() : invocation.retireWarehouse(of: place)
    return .done
  }
}

extension Invocation {
  /// Of a warehouse: it keeps what it has.
  fileprivate func retireNode() throws {
    let client = try warehouse(.database)
    let nodes = try WarehouseStatus.nodes(client)
    let node = try chosen(
      nodes, of: client.address.description,
      none: ["nothing was shipped to it yet: uptake serve --ship URL, or uptake ship --to URL, makes a file its node"],
      name: \.name)
    let since = instant - node.lastSent
    guard since > NodeSilence.longest else {
      throw Failure(
        "node_ships", "node \(node.name) shipped at \(node.lastSent.words): it is there",
        why: "what it ships next would make it a node again",
        hints: ["end its service, or its uptake ship, first; an hour after its last batch it can be retired"],
        exit: .failed)
    }
    try RetiredNodes.add(node.number, at: instant, client)
    try note(["node \(node.name) is waited for no more; its \(counted(Int(node.events), "event")) stay and count"])
  }

  /// Of a file: it keeps its events.
  fileprivate func retireWarehouse(of path: String) throws {
    let bindings = try ShippingBinding.all(path: path)
    let none = [
      "it is bound to no warehouse, so nothing waits for one: there is nothing to retire here",
      "a node that a warehouse names as silent is retired there: uptake warehouse retire NODE --db clickhouse://HOST/NAME",
    ]
    let binding = try chosen(bindings, of: path, none: none) { String($0.position.node, radix: 16) }
    let name = String(binding.position.node, radix: 16)
    guard binding.unforgotten == 0 || flag(.gone) else {
      throw Failure(
        "not_forgotten",
        "\(counted(binding.unforgotten, "device")) that \(path) has forgotten may be known where it is node \(name)",
        why: "retired, it would not be told",
        hints: ["have it told first: uptake ship --to URL; where the warehouse is gone: --gone"], exit: .failed)
    }
    try binding.end(path: path)
    try note(["\(path) is node \(name) no more, and waits for that warehouse with nothing"])
  }

  /// - Parameter none: what to do where there is none.
  private func chosen<Node>(
    _ nodes: [Node], of place: String, none: [String], name: (Node) -> String
  ) throws -> Node {
    let known = nodes.map(name)
    let hints = known.isEmpty ? none : ["it has \(known.joined(separator: ", "))"]
    guard let asked = arguments.first else {
      throw Failure("missing_argument", "retire needs NODE", place: place, hints: hints, exit: .usage)
    }
    guard let node = nodes.first(where: { name($0) == asked }) else {
      throw Failure("unknown_node", "there is no node \(quoted(asked))", place: place, hints: hints, exit: .failed)
    }
    return node
  }
}
