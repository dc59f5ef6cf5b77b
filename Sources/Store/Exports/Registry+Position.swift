public import Lifecycle

/// How far a receiver of single events has got.
extension Registry {
  /// The last event that the receiver answered for; 0 where there is none.
  public func exportPosition(_ target: String) throws(StoreError) -> Int64 {
    try write { connection throws(StoreError) in
      try connection.prepare("SELECT position FROM export_target WHERE target = ?").first(.text(target)) {
        $0.integer(0)
      } ?? 0
    }
  }

  /// - Parameter now: when the receiver took what is before the position; nil where it refused it.
  public func setExportPosition(_ target: String, _ position: Int64, now: Timestamp?) throws(StoreError) {
    try write { connection throws(StoreError) in
      try connection.prepare(
        """
        INSERT INTO export_target (target, position, sent_at) VALUES (?1, ?2, ?3)
        ON CONFLICT (target) DO UPDATE SET position = max(position, ?2), sent_at = coalesce(?3, sent_at)
        """
      ).run(.text(target), .integer(position), .optional(now?.rawValue))
    }
  }
}
