public import Lifecycle
import Locks

/// Devices that a file has forgotten and a warehouse has not: written down with the forgetting itself, for each warehouse that
/// the file is shipped to, and taken off once they are gone there.
enum UnforgottenDevices {
  private static func key(_ warehouse: String) -> String { "forget " + warehouse }

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

extension ShippingLog {
  /// What the warehouse still has to forget.
  public func unforgotten() throws(StoreError) -> [DeviceHash] {
    try connection.withLock { connection throws(StoreError) in
      try UnforgottenDevices.read(warehouse, connection).sorted().map(DeviceHash.init(rawValue:))
    }
  }

  /// It has forgotten these.
  public func forgot(_ devices: [DeviceHash]) throws(StoreError) {
    try connection.withLock { connection throws(StoreError) in
      try connection.transaction { () throws(StoreError) in
        let rest = try UnforgottenDevices.read(warehouse, connection).subtracting(devices.map(\.rawValue))
        try UnforgottenDevices.write(rest, warehouse, connection)
      }
    }
  }
}
