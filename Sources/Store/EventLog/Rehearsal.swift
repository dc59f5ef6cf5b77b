public import Lifecycle

/// What would become of events if they were appended to a file now. Writes nothing.
public final class Rehearsal {
  private let path: String?
  private var admission: Admission
  /// Ends of archives that were put back.
  private var archives: Set<[UInt8]> = []
  /// Those of the file; where there is none, others do as well.
  public let identityKeys: IdentityKeys

  /// - Parameters:
  ///   - path: nil, and where there is no file yet: one without events.
  ///   - window: as of an `EventLog`.
  public init(path: String?, window: Int = 16_777_216) throws(StoreError) {
    var admission = Admission(window: window)
    var keys: IdentityKeys?
    if let path, RemoteDatabases.isAddress(path) { throw StoreError(.noFile, path: path) }
    if let path, DurableFile.exists(path) {
      let connection = try Connection(path: path, mode: .read)
      // An older file is upgraded before events go into it: that keeps both.
      let version = try Schema.check(connection)
      if version > 0 {
        keys = try IdentityKeys.load(connection)
        let oldest = try EventSequence.newest(connection) - Int64(window)
        try admission.know(connection, after: oldest, isRetained: version > 1)
      }
    }
    self.path = path
    self.admission = admission
    identityKeys =
      keys ?? IdentityKeys(device: Array(repeating: 0, count: 16), event: Array(repeating: 0, count: 16))
  }

  public func append(_ batches: [EventBatch]) -> [Admitted] {
    admission.begin()
    return batches.map { admission.admit($0) }
  }

  /// As `EventLog.putBack`; the same archive again finds its events there. Of archives that hold the same events each is taken alone.
  public func putBack(archive: String) throws(StoreError) -> PutBack {
    let events = try Archive.load(archive, identityKeys)
    // An archive has the keys of a file.
    guard let path else { return PutBack(accepted: events.rows.count) }
    let connection = try Connection(path: path, mode: .read)
    try Schema.requireCurrent(connection)
    let done = try connection.snapshot { () throws(StoreError) in try events.rehearsed(identityKeys, connection) }
    guard let digest = events.origin?.digest, !archives.insert(digest).inserted else { return done }
    return PutBack(duplicate: done.accepted + done.duplicate, forgotten: done.forgotten)
  }
}
