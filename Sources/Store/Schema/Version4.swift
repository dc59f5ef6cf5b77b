/// The fourth version: events that wait to be merged into the shards, sorted by device.
extension Schema {
  static let version4: [StaticString] = [sortedEvents, "PRAGMA user_version = 4"]

  /// Copies of events after the watermark; `head` tells what they are about. Whoever takes events back drops both tables.
  private static let sortedEvents: StaticString = """
    CREATE TABLE sorted_stretch (
      first INTEGER PRIMARY KEY, last INTEGER NOT NULL, events INTEGER NOT NULL, head BLOB NOT NULL
    );
    CREATE TABLE sorted_event (
      first INTEGER NOT NULL, shard INTEGER NOT NULL, packed BLOB NOT NULL, UNIQUE (first, shard)
    );
    """
}
