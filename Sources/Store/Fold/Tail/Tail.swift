import Lifecycle

/// Events after a watermark, read in one go: what a fold merges, and what a question adds.
struct Tail {
  /// By shard of their device, in the order of their numbers.
  var shards: [[FoldEvent]]
  let origins: Origins
  private(set) var sightings: Sightings
  /// How many events there are.
  private(set) var count = 0
  /// No event up to this number is missing; the watermark where there are none.
  let last: Int64

  /// `connection` is within one transaction, so that events and what their numbers stand for fit together.
  ///
  /// - Parameters:
  ///   - limit: looks at so many numbers after the watermark; of some of them the event may be gone.
  ///   - needsOrigins: also where there are no events.
  ///   - known: of all these events, where they were read before.
  init(
    _ connection: borrowing Connection, after watermark: Int64, limit: Int64 = .max, needsOrigins: Bool = false,
    known: Origins? = nil
  ) throws(StoreError) {
    let waiting = max(0, try EventSequence.newest(connection) - watermark)
    if let known {
      origins = known
    } else {
      origins = waiting > 0 || needsOrigins ? try Origins(connection) : try Origins(noneOf: connection)
    }
    sightings = try Sightings(connection)
    last = watermark + min(waiting, limit)
    shards = Array(repeating: [], count: Shards.count)
    guard last > watermark else { return }
    try read(connection, after: watermark)
  }

  private mutating func read(_ connection: borrowing Connection, after watermark: Int64) throws(StoreError) {
    // Hashes are even: a shard rarely grows beyond this.
    let expected = Int(last - watermark) / Shards.count
    if expected > 32 { for shard in shards.indices { shards[shard].reserveCapacity(expected + expected / 16) } }
    try FoldRows().each(connection, after: watermark, upTo: last) { event, received in
      count += 1
      guard let event, let origin = origins.origin(event.context) else { return }
      shards[Shards.shard(event.device)].append(event)
      sightings.add(event, received: received, origin)
    }
  }
}
