public import Lifecycle

/// The last time that a key brought more new devices than it may.
public struct DeviceBurst: Equatable, Sendable {
  public var at: Timestamp
  public var key: Int64
  /// Requests that were refused for it, since the service began.
  public var refused: Int

  public init(at: Timestamp, key: Int64, refused: Int) { (self.at, self.key, self.refused) = (at, key, refused) }
}

extension Registry {
  /// For `uptake doctor`, which does not ask the service.
  public func note(_ burst: DeviceBurst) throws(StoreError) {
    try write { connection throws(StoreError) in
      try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('device_burst', ?)")
        .run(.text("\(burst.at.rawValue) \(burst.key) \(burst.refused)"))
    }
  }
}

extension DeviceBurst {
  static func last(_ connection: borrowing Connection) throws(StoreError) -> DeviceBurst? {
    let text = try connection.prepare("SELECT value FROM meta WHERE key = 'device_burst'").first { $0.text(0) }
    let numbers = text?.split(separator: " ").compactMap { Int64($0) } ?? []
    guard numbers.count == 3 else { return nil }
    return DeviceBurst(at: Timestamp(stored: numbers[0]), key: numbers[1], refused: Int(numbers[2]))
  }
}

extension ContentChecks {
  /// A week is long enough to be looked at, and then it is of the past.
  private static let memorable = Milliseconds.days(7)

  static func newDevices(_ connection: borrowing Connection, now: Timestamp) throws(StoreError) -> Word {
    guard let burst = try DeviceBurst.last(connection), now - burst.at < memorable else {
      return .ok("no key brought more than it may within a week")
    }
    return .warn(
      "key \(burst.key) brought more new devices than it may, last at \(burst.at.rfc3339); \(counted(Int(burst.refused), one: "request was", many: "requests were")) refused, to be sent again",
      fix: """
        if they are real, let it bring more: \(command: "serve", options: ["new-devices-per-key": "N", "db": connection.path]); if they are made up, \
        give the app another key and then: \(command: "key", "revoke", argument: "\(burst.key)", options: ["db": connection.path])
        """)
  }
}
