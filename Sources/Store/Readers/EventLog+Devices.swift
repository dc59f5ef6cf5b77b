public import Lifecycle

extension EventLog {
  /// Every device that events are of, folded or not, many at once and some more than once. Reads on until `body` answers false.
  public func eachDevice(_ body: ([DeviceHash]) -> Bool) throws(StoreError) {
    let connection = try Connection(path: path, mode: .read)
    try connection.snapshot { () throws(StoreError) in
      // The index finds the rows: the table is read page by page otherwise, with all pieces of columns.
      let shards = try connection.prepare(
        "SELECT packed FROM device WHERE rowid IN (SELECT rowid FROM device WHERE part = 0)")
      while try shards.step() {
        var devices: [DeviceHash] = []
        shards.row.withBlob(0) { bytes in
          PackedColumn.unpack(bytes, into: &devices) { DeviceHash(rawValue: JourneyShard.hash($0)) }
        }
        guard body(devices) else { return }
      }
      try eachWaitingDevice(connection, body)
    }
  }

  private func eachWaitingDevice(
    _ connection: borrowing Connection, _ body: ([DeviceHash]) -> Bool
  ) throws(StoreError) {
    let tail = try connection.prepare("SELECT device FROM event WHERE seq > ?")
    tail.bind(1, try Watermark.read(connection))
    var devices: [DeviceHash] = []
    while try tail.step() {
      devices.append(DeviceHash(rawValue: UInt64(bitPattern: tail.integer(0))))
      guard devices.count == 10_000 else { continue }
      guard body(devices) else { return }
      devices.removeAll(keepingCapacity: true)
    }
    _ = body(devices)
  }
}
