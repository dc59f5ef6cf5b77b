/// How far sorted stretches were merged into the shards, one after another: each in a transaction of its own, so that the
/// write-ahead log stays short and requests are not kept waiting.
struct Merging: Equatable {
  /// The last event of the last stretch that is merged.
  var through: Int64
  /// Shards below this are done.
  var shards: Int

  /// nil where no merge has begun, or it was finished by somebody who folded more.
  static func read(_ connection: borrowing Connection, after watermark: Int64) throws(StoreError) -> Merging? {
    let through = try connection.integer("SELECT value FROM meta WHERE key = 'merging'")
    guard through > watermark else { return nil }
    return Merging(through: through, shards: Int(try connection.integer("SELECT value FROM meta WHERE key = 'merged'")))
  }

  func write(_ connection: borrowing Connection) throws(StoreError) {
    try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('merging', ?1), ('merged', ?2)").run(
      .integer(through), .integer(Int64(shards)))
  }

  static func end(_ connection: borrowing Connection) throws(StoreError) {
    try connection.execute("DELETE FROM meta WHERE key IN ('merging', 'merged')")
  }

  /// Whether a shard holds the events of a stretch.
  func holds(_ stretch: SortedStretch, _ shard: Int) -> Bool { shard < shards && stretch.last <= through }
}
