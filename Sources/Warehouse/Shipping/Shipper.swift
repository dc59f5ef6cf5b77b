import HTTP
public import Lifecycle
public import Store

/// Sends the events of a file to a warehouse, batch after batch; what is not acknowledged is sent again, unchanged.
public final class Shipper {
  private let log: ShippingLog
  private let client: WarehouseClient
  private let limit: Int
  private let ahead: PackingAhead
  private let clock: () -> Timestamp
  /// How many words were told since the start: after a restart all are told again, which changes nothing.
  private var toldWords = -1
  /// What the node told beside events, by kind; nil until it was looked up.
  private var toldBodies: [String: [UInt8]]?
  private var words: ShippedWords
  private var isAgreed = false
  /// What the servers are at work on, and the file's generation before they were told.
  private var toldToForget: (devices: [DeviceHash], since: Int64)?
  /// nil until the node has a number.
  private var notes: ChangeNotes?

  /// - Parameter limit: events of one batch.
  public init(
    path: String, _ client: WarehouseClient, limit: Int = 200_000, clock: @escaping () -> Timestamp
  ) throws(StoreError) {
    log = try ShippingLog(path: path, warehouse: try WarehouseSchema(client).identity())
    words = try log.words()
    ahead = PackingAhead(log)
    (self.client, self.limit, self.clock) = (client, limit, clock)
  }

  /// Sends the next batch, and what belongs to it; answers how many events, 0 where none wait.
  public func sendBatch() throws(StoreError) -> Int {
    try agree()
    guard let batch = try log.freeze(limit: limit) else {
      try closeNotes()
      return 0
    }
    try announce(batch.node)
    let packed = if let packed = try ahead.take(batch) { packed } else { try pack(batch) }
    try tellWords()
    // Where the batch is as long as they get another one may wait.
    if packed.events == limit { ahead.begin(after: batch, limit: limit, words) }
    try client.insert(into: "inlet", packed: packed.body, as: "Native")
    try client.insert(into: "batch", row(batch, packed.rows))
    try log.acknowledge(batch)
    return packed.events
  }

  private func pack(_ batch: ShippingLog.Batch) throws(StoreError) -> PackedBatch {
    let generation = try log.generation()
    let events = try log.events(batch)
    // Strings are stored before the events that name them.
    if !events.allSatisfy(words.know) { words = try log.words() }
    return PackedBatch(batch, events, words, generation: generation)
  }

  /// Tells what the file holds beside events, as far as it changed; once all events are sent. Answers how many publications
  /// the warehouse had otherwise.
  @discardableResult
  public func tellState() throws(StoreError) -> Int {
    try agree()
    let changes = try log.changedPublications()
    let snapshot = try Snapshot(path: log.path)
    words = try log.words()
    try tellWords()
    guard let node = try log.position()?.node else { return 0 }
    let bodies = NodeDocuments(snapshot.vocabulary, changes, try snapshot.impossibleAtNode(node)).bodies
    if toldBodies == nil { toldBodies = try told(node) }
    let told = toldBodies ?? [:]
    let changed = bodies.filter { told[$0.key] != $0.value }.sorted { $0.key < $1.key }
    guard !changed.isEmpty else {
      try closeNotes()
      return 0
    }
    try announce(node)
    var rows = RowWriter()
    for (kind, body) in changed {
      rows.add(node)
      rows.add(kind)
      rows.add(clock().rawValue)
      rows.add(body)
    }
    try client.insert(into: "state", rows.bytes)
    try closeNotes()
    toldBodies = told.merging(changed.map { ($0.key, $0.value) }) { $1 }
    return try NodeDocuments.changedPublications(told, bodies, client.address.description)
  }

  private func told(_ node: UInt64) throws(StoreError) -> [String: [UInt8]] {
    var rows = try client.select(
      "SELECT kind, argMax(body, version) FROM \(client.table("state")) WHERE node = \(node) GROUP BY kind")
    var bodies: [String: [UInt8]] = [:]
    while !rows.isAtEnd { bodies[try rows.text()] = Array(try rows.nested()) }
    return bodies
  }

  /// Has the warehouse forget what the file forgot, once all events are sent; answers how many devices it still knows.
  ///
  /// Does not wait for the servers: called again, it looks whether they are done.
  public func forgetDevices() throws(StoreError) -> Int {
    let generation = try log.generation()
    let devices = try log.unforgotten()
    guard !devices.isEmpty else { return 0 }
    let schema = WarehouseSchema(client)
    do throws(StoreError) {
      if toldToForget?.devices != devices || toldToForget?.since != generation {
        try schema.beginForgetting(devices)
        toldToForget = (devices, generation)
      }
      guard try schema.endForgetting() else { return devices.count }
    } catch { throw notForgotten(devices.count, error) }
    toldToForget = nil
    try settle(devices, since: generation)
    return try log.unforgotten().count
  }

  /// The same for these devices, at once, whatever else waits; returns when they are gone.
  public func forget(_ devices: [DeviceHash]) throws(StoreError) {
    let generation = try log.generation()
    try WarehouseSchema(client).forget(devices)
    try settle(devices, since: generation)
  }

  /// What came of the devices since the file forgot them went as well: it is sent again.
  private func settle(_ devices: [DeviceHash], since generation: Int64) throws(StoreError) {
    let returned = try log.events(of: devices)
    if !returned.isEmpty, let node = try log.position()?.node {
      try announce(node)
      words = try log.words()
      try tellWords()
      let block = NativeBlock(returned, words, node: node)
      try client.insert(into: "inlet", packed: gzip(block.bytes, .fast), as: "Native", isRepeat: true)
      try closeNotes()
    }
    try log.forgot(devices, since: generation)
  }

  private func notForgotten(_ count: Int, _ error: StoreError) -> StoreError {
    let place = client.address.description
    return StoreError(
      RemoteProblem(
        .failed, "warehouse_does_not_forget",
        "\(count) \(count == 1 ? "device" : "devices") that \(log.path) has forgotten \(count == 1 ? "is" : "are") still known to \(place): \(error.description)",
        """
        once a user who may alter tables asks for it, it is done: \
        \(command: "forget") DEVICE --app APP --warehouse URL; or let the user who ships alter tables
        """), at: place)
  }

  private func announce(_ node: UInt64) throws(StoreError) {
    if notes == nil { notes = try ChangeNotes(client, node: node) }
    try notes?.announce()
  }

  /// All that waited is there. What this program left open when it was ended last time is closed, too.
  private func closeNotes() throws(StoreError) {
    if notes == nil, let node = try log.position()?.node { notes = try ChangeNotes(client, node: node) }
    try notes?.close()
  }

  /// The greatest number up to which the warehouse has every event of the file.
  public func acknowledged() throws(StoreError) -> Int64 { try log.acknowledged() }

  /// Events that wait to be sent.
  public func waiting() throws(StoreError) -> Int64 { try log.waiting() }

  /// Hashes of other keys would make other devices of the same ones; events that are gone would be missing for ever.
  private func agree() throws(StoreError) {
    if isAgreed { return }
    let place = client.address.description
    guard try WarehouseSchema(client).agree("identity", log.identityDigest()) else {
      throw StoreError(
        RemoteProblem(
          .refused, "warehouse_of_others",
          "\(place) holds devices of files with other identity keys than \(log.path): the same device would be two",
          "all nodes of a warehouse begin as copies of one file: \(command: "backup"), then empty it; or use another database"
        ), at: place)
    }
    if let problem = try log.missed().problem(log.path, place) { throw StoreError(problem, at: place) }
    isAgreed = true
  }

  private func tellWords() throws(StoreError) {
    guard words.count != toldWords else { return }
    for (table, rows) in [
      ("word", WordRows.texts(words)), ("profile", WordRows.profiles(words)), ("release", WordRows.releases(words)),
    ] where rows.rows > 0 {
      try client.insert(into: table, rows.bytes)
    }
    toldWords = words.count
  }

  private func row(_ batch: ShippingLog.Batch, _ count: Int) -> [UInt8] {
    var row = RowWriter()
    row.add(batch.node)
    for number in [batch.counter, batch.after + 1, batch.last, Int64(count), clock().rawValue] { row.add(number) }
    return row.bytes
  }
}
