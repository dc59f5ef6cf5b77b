public import Lifecycle
import Locks

/// Devices that a file has forgotten and a warehouse has not: written down with the forgetting itself, for each warehouse that
/// the file is shipped to, and taken off once they are gone there.
enum UnforgottenDevices {
  static func key(_ warehouse: String) -> String { "forget " + warehouse }

  /// Within the transaction that forgets them.
  static func note(_ devices: Set<UInt64>, _ connection: borrowing Connection) throws(StoreError) {
    let select = try connection.prepare("SELECT substr(key, 6) FROM meta WHERE key LIKE 'ship %'")
    for warehouse in try select.rows(row: { $0.text(0) }) {
      try write(read(warehouse, connection).union(devices), warehouse, connection)
    }
  }

  static func read(_ warehouse: String, _ connection: borrowing Connection) throws(StoreError) -> Set<UInt64> {
    let select = try connection.prepare("SELECT value FROM meta WHERE key = ?")
    let words = try select.first(.text(key(warehouse))) { $0.text(0) } ?? ""
    return Set(words.split(separator: " ").compactMap { UInt64($0, radix: 16) })
  }

  static func write(
    _ devices: Set<UInt64>, _ warehouse: String, _ connection: borrowing Connection
  ) throws(StoreError) {
    guard !devices.isEmpty else {
      return try connection.prepare("DELETE FROM meta WHERE key = ?").run(.text(key(warehouse)))
    }
    try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(
      .text(key(warehouse)), .text(devices.sorted().map { String($0, radix: 16) }.joined(separator: " ")))
  }
}

/// Devices that came again after the file forgot them. A warehouse that is told later to forget them, loses what they said since.
enum ReturnedDevices {
  /// Numbers of their events, ascending.
  static func events(_ devices: Set<UInt64>, _ connection: borrowing Connection) throws(StoreError) -> [Int64] {
    devices.isEmpty ? [] : try DeviceTrace(devices, connection).events.map(\.sequence).sorted()
  }

  /// The first of those that a warehouse has still to forget.
  static func first(_ warehouse: String, _ connection: borrowing Connection) throws(StoreError) -> Int64? {
    try events(UnforgottenDevices.read(warehouse, connection), connection).first
  }
}

extension ShippingLog {
  /// What the warehouse still has to forget.
  public func unforgotten() throws(StoreError) -> [DeviceHash] {
    try connection.withLock { connection throws(StoreError) in
      try UnforgottenDevices.read(warehouse, connection).sorted().map(DeviceHash.init(rawValue:))
    }
  }

  /// What the file holds of devices, in the order of its numbers.
  public func events(of devices: [DeviceHash]) throws(StoreError) -> [ShippedEvent] {
    try connection.withLock { connection throws(StoreError) in
      let select = try connection.prepare(
        """
        SELECT take_row(?1, seq, at, received, device, context, release, stage, trigger, outcome, reason, duration, id_hash,
          push, bytes, from_release, bucket) FROM event WHERE seq = ?2
        """)
      var events: [ShippedEvent] = []
      for sequence in try ReturnedDevices.events(Set(devices.map(\.rawValue)), connection) {
        select.bind(2, sequence)
        try RowTaker.run(select) { events.append(ShippedEvent($0)) }
      }
      return events
    }
  }

  /// It has forgotten these, and has what came of them since.
  ///
  /// - Parameter generation: of the file before the warehouse was told; where rows were taken back since, they may have been
  ///   forgotten once more, and the warehouse is told again.
  public func forgot(_ devices: [DeviceHash], since generation: Int64) throws(StoreError) {
    try connection.withLock { connection throws(StoreError) in
      try connection.transaction { () throws(StoreError) in
        guard try Generation.read(connection) == generation else { return }
        let rest = try UnforgottenDevices.read(warehouse, connection).subtracting(devices.map(\.rawValue))
        try UnforgottenDevices.write(rest, warehouse, connection)
      }
    }
  }
}
