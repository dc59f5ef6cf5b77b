public import Lifecycle
import Locks

/// A word that each device named last, for clients that leave it out the next time.
///
/// Kept in memory; what is new goes to the database when `save` is called, many devices at once. A crash in between
/// forgets what devices named in the last second.
public final class RememberedWords: Sendable {
  /// Where the words lie.
  public enum Table: Sendable, CaseIterable { case channels, releases }

  fileprivate struct State {
    var words: DeviceMemory
    /// nil: its row is to go.
    var unsaved: [DeviceHash: String?] = [:]
    /// Of each word one copy.
    var copies: Set<String> = []
    let limit: Int
  }
  private let registry: Registry
  private let table: Table
  private let state: Lock<State>
  /// Held while what is new goes to the database: who forgets a device in between must wait, or its row would come back.
  private let saving = Lock(())

  /// - Parameter limit: of all apps together, shared as in `DeviceMemory`: strangers may make some up.
  public init(_ registry: Registry, _ table: Table, limit: Int = 2_000_000) throws(StoreError) {
    (self.registry, self.table) = (registry, table)
    var copies: Set<String> = []
    let rows = try registry.words(in: table, limit: limit).map {
      (device: $0, word: copies.insert($1).memberAfterInsert)
    }
    state = Lock(
      State(words: DeviceMemory(rows, app: State.unknown, limit: limit), copies: copies, limit: limit))
  }

  /// - Parameter word: nil where there is none any more.
  public func remember(_ word: String?, of device: DeviceHash, app: String) {
    state.withLock { state in
      guard let word else { return state.drop(device, app) }
      state.remember(word, device, app)
    }
  }

  public func word(of device: DeviceHash, app: String) -> String? { state.withLock { $0.word(device, app) } }

  /// Must go before the device's rows do: what is unsaved would bring one back. Answers whether there was something.
  @discardableResult
  public func forget(_ device: DeviceHash, app: String) -> Bool {
    saving.withLock { _ in
      state.withLock { state in
        state.unsaved[device] = nil
        return state.forget(device, app)
      }
    }
  }

  /// Writes what is new. Where that fails it stays for the next time.
  public func save() throws(StoreError) {
    try saving.withLock { _ throws(StoreError) in
      let news = state.withLock { state in
        defer { state.unsaved = [:] }
        return state.unsaved
      }
      // In the order of the table: devices of one page are written at once.
      var left = news.sorted { $0.key.rawValue < $1.key.rawValue }[...]
      while !left.isEmpty {
        let some = left.prefix(Self.atOnce)
        do throws(StoreError) { try registry.write(some, to: table) } catch {
          state.withLock { state in state.unsaved.merge(left.map { ($0.key, $0.value) }) { newer, _ in newer } }
          throw error
        }
        left = left.dropFirst(Self.atOnce)
      }
    }
  }

  /// Nearly each row lies in a page of its own, and requests wait for their commit meanwhile.
  private static let atOnce = 64
}

extension RememberedWords.State {
  /// Rows do not say the app: until the device is heard again it counts as one of this.
  static let unknown = ""

  func word(_ device: DeviceHash, _ app: String) -> String? {
    words.word(of: device, app: app) ?? words.word(of: device, app: Self.unknown)
  }

  mutating func remember(_ word: String, _ device: DeviceHash, _ app: String) {
    let known = self.word(device, app)
    words.forget(device, app: Self.unknown)
    let gone = words.remember(shared(word), of: device, app: app)
    if known != word { unsaved[device] = word }
    for device in gone { removeRow(device) }
  }

  mutating func drop(_ device: DeviceHash, _ app: String) {
    if forget(device, app) { removeRow(device) }
  }

  mutating func forget(_ device: DeviceHash, _ app: String) -> Bool {
    let wasUnknown = words.forget(device, app: Self.unknown)
    return words.forget(device, app: app) || wasUnknown
  }

  /// While nothing can be saved what is unsaved is bounded as well: a row that stays is the first to go after the next start.
  private mutating func removeRow(_ device: DeviceHash) {
    if unsaved.count < limit { unsaved.updateValue(nil, forKey: device) } else { unsaved.removeValue(forKey: device) }
  }

  private mutating func shared(_ word: String) -> String {
    copies.count < 10_000 ? copies.insert(word).memberAfterInsert : word
  }
}

extension RememberedWords.Table {
  var name: StaticString {
    switch self {
    case .channels: "remembered_channel"
    case .releases: "remembered_release"
    }
  }
}

extension Registry {
  /// Rows beyond the limit go: nobody would remove them later.
  fileprivate func words(
    in table: RememberedWords.Table, limit: Int
  ) throws(StoreError) -> [(DeviceHash, String)] {
    try write { connection throws(StoreError) in
      let all = table.name
      try connection.prepare(
        joining: "DELETE FROM ", all, " WHERE device IN (SELECT device FROM ", all,
        " ORDER BY device LIMIT -1 OFFSET ?)"
      ).run(.integer(Int64(limit)))
      return try connection.prepare(joining: "SELECT * FROM ", all).rows {
        (DeviceHash(rawValue: UInt64(bitPattern: $0.integer(0))), $0.text(1))
      }
    }
  }

  fileprivate func write(
    _ news: ArraySlice<(key: DeviceHash, value: String?)>, to table: RememberedWords.Table
  ) throws(StoreError) {
    try write { connection throws(StoreError) in
      let upsert = try connection.prepare(joining: "INSERT OR REPLACE INTO ", table.name, " VALUES (?, ?)")
      let delete = try connection.prepare(joining: "DELETE FROM ", table.name, " WHERE device = ?")
      for (device, word) in news {
        let key = Value.integer(Int64(bitPattern: device.rawValue))
        if let word { try upsert.run(key, .text(word)) } else { try delete.run(key) }
      }
    }
  }
}
