/// Devices that were forgotten, and when last: what was received up to then must not come back.
struct ForgottenDevices {
  private let until: [[UInt8]: Int64]
  private let keys: IdentityKeys

  /// - Parameter logs: deletion logs that may name more than the database.
  init(_ keys: IdentityKeys, _ connection: borrowing Connection, logs: [String] = []) throws(StoreError) {
    var entries = try connection.prepare("SELECT digest, at FROM forgotten").rows {
      DeletionLog.Entry(digest: $0.blob(0), at: $0.integer(1))
    }
    for log in logs { entries += try DeletionLog.read(log) }
    until = Dictionary(entries.map { ($0.digest, $0.at) }, uniquingKeysWith: max)
    self.keys = keys
  }

  /// Without what was forgotten. A device that went on sending is a new one.
  ///
  /// - Parameter undatedStays: what becomes of events of which nobody knows when they were received. They may be of
  ///   before, except in an archive of the database's own, which was written anew as the device was forgotten.
  func taken(from events: ArchivedEvents, undatedStays: Bool = false) -> ArchivedEvents {
    guard !until.isEmpty else { return events }
    var ends: [Int64: Int64] = [:]
    for device in Set(events.rows.map(\.device)) {
      ends[device] = until[DeletionLog.digest(UInt64(bitPattern: device), keys)]
    }
    guard !ends.isEmpty else { return events }
    return events.keeping { _, row in
      guard let end = ends[row.device] else { return true }
      return row.received == EventRow.none ? undatedStays : row.received > end
    }
  }
}
