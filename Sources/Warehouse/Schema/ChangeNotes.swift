import Lifecycle
import Store

/// Says in the warehouse that something is about to change, and when it has: what was counted in between holds for nothing.
///
/// Each note of a node replaces its last one. The newest notes of all nodes, taken together, are the state of the
/// warehouse: it differs after every change, also where a file was restored from a backup or runs twice, since each note has
/// a token of its own.
struct ChangeNotes {
  private let client: WarehouseClient
  private let node: UInt64
  private var version: Int64
  /// Whether the newest note says that something is under way.
  private(set) var isOpen: Bool
  private var saidAt = ContinuousClock.now

  /// Who deletes devices is no node.
  static let forgetting: UInt64 = 0

  init(_ client: WarehouseClient, node: UInt64) throws(StoreError) {
    let notes = try WarehouseState(client).notes[node] ?? []
    (self.client, self.node, version) = (client, node, notes.first?.version ?? 0)
    isOpen = notes.contains { !$0.isOver }
  }

  /// Before the first row goes.
  mutating func announce() throws(StoreError) {
    guard !isOpen || ContinuousClock.now - saidAt > Self.repeated else { return }
    try say(isOver: false)
  }

  /// Once the last row is acknowledged.
  mutating func close() throws(StoreError) { if isOpen { try say(isOver: true) } }

  private mutating func say(isOver: Bool) throws(StoreError) {
    version += 1
    let token = UInt64.random(in: 0 ... .max)
    try client.insert(
      into: "change", values: "\(node), \(version), \(token), \(isOver ? 1 : 0), toUnixTimestamp(now())")
    (isOpen, saidAt) = (!isOver, .now)
  }

  /// Long before a node is given up that says nothing any more.
  private static let repeated = Duration.seconds(600)
}

/// The newest notes of all nodes.
struct WarehouseState {
  struct Note: Hashable {
    var version: Int64
    var token: UInt64
    var isOver: Bool
    var at: Timestamp
    /// In seconds, by the clock of a server.
    var age: Int64
  }
  /// Several of a node where two said something at once.
  private(set) var notes: [UInt64: [Note]] = [:]

  init(_ client: WarehouseClient) throws(StoreError) {
    var rows = try client.select(
      """
      SELECT node, version, token, isOver, toInt64(at), toInt64(toUnixTimestamp(now())) - at
      FROM \(client.table("change"))
      """)
    while !rows.isAtEnd {
      let node = try rows.number(UInt64.self)
      let note = Note(
        version: try rows.number(), token: try rows.number(), isOver: try rows.number(UInt8.self) != 0,
        at: Timestamp(seconds: try rows.number()), age: try rows.number())
      let newest = notes[node]?.first?.version ?? .min
      if note.version == newest { notes[node]?.append(note) }
      if note.version > newest { notes[node] = [note] }
    }
  }

  /// When each node was last about to ship something, or had.
  var heard: [UInt64: Timestamp] {
    notes.filter { $0.key != ChangeNotes.forgetting }.compactMapValues { $0.map(\.at).max() }
  }

  /// Stands for all of them.
  var number: Int64 {
    let words = notes.flatMap { node, notes in notes.map { "\(node) \($0.version) \($0.token) \($0.isOver)" } }
    return Int64(bitPattern: WordHash.of(words.sorted().joined(separator: ",")))
  }

  /// Whether nothing is on its way, and all replicas that questions may ask have what came last.
  func isSettled(hasReplicas: Bool) -> Bool {
    notes.values.joined().allSatisfy { note in
      note.age >= (hasReplicas ? Self.behind : 0) && !note.isUnderWay
    }
  }

  /// Twice as long as a replica may be behind that is asked; in seconds.
  static let behind: Int64 = 20
  /// A request that is older than that arrives no more.
  fileprivate static let abandoned: Int64 = 3600
}

extension WarehouseState.Note {
  /// Rows that it announced may still come.
  var isUnderWay: Bool { !isOver && age < WarehouseState.abandoned }
}
