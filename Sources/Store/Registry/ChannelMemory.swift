public import Lifecycle
import Locks

/// The channel that each device last named, for clients that name it in questions and leave it out of reports.
///
/// Kept in memory; what is new goes to the database when `save` is called, many devices at once. A crash in between
/// forgets the channels of devices that asked in the last second: their next question names it again.
public final class ChannelMemory: Sendable {
  private struct State {
    var channels: DeviceMemory
    /// nil: its row is to go.
    var unsaved: [DeviceHash: String?] = [:]
    /// Of each word one copy.
    var words: Set<String> = []

    /// While nothing can be saved what is unsaved is bounded as well: a row that stays is the first to go after the next start.
    mutating func remove(_ device: DeviceHash, _ limit: Int) {
      if unsaved.count < limit { unsaved.updateValue(nil, forKey: device) } else { unsaved.removeValue(forKey: device) }
    }

    mutating func shared(_ word: String) -> String {
      words.count < 10_000 ? words.insert(word).memberAfterInsert : word
    }
  }
  private let registry: Registry
  private let state: Lock<State>
  private let limit: Int
  /// Held while what is new goes to the database: who forgets a device in between must wait, or its row would come back.
  private let saving = Lock(())

  /// Rows do not say the app: until the device is heard again it counts as one of this.
  private static let unknown = ""

  /// - Parameter limit: of all apps together, shared as in `DeviceMemory`: strangers may make some up.
  public init(_ registry: Registry, limit: Int = 2_000_000) throws(StoreError) {
    (self.registry, self.limit) = (registry, limit)
    var words: Set<String> = []
    let rows = try registry.rememberedChannels(limit: limit).map {
      (device: $0, word: words.insert($1).memberAfterInsert)
    }
    state = Lock(State(channels: DeviceMemory(rows, app: Self.unknown, limit: limit), words: words))
  }

  public func remember(_ channel: String, of device: DeviceHash, app: String) {
    state.withLock { state in
      let known = Self.channel(state.channels, device, app)
      state.channels.forget(device, app: Self.unknown)
      let gone = state.channels.remember(state.shared(channel), of: device, app: app)
      if known != channel { state.unsaved[device] = channel }
      for device in gone { state.remove(device, limit) }
    }
  }

  public func channel(of device: DeviceHash, app: String) -> String? {
    state.withLock { Self.channel($0.channels, device, app) }
  }

  private static func channel(_ channels: DeviceMemory, _ device: DeviceHash, _ app: String) -> String? {
    channels.word(of: device, app: app) ?? channels.word(of: device, app: unknown)
  }

  /// Must go before the device's rows do: what is unsaved would bring one back. Answers whether there was something.
  @discardableResult
  public func forget(_ device: DeviceHash, app: String) -> Bool {
    saving.withLock { _ in
      state.withLock { state in
        state.unsaved[device] = nil
        let wasUnknown = state.channels.forget(device, app: Self.unknown)
        return state.channels.forget(device, app: app) || wasUnknown
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
      guard !news.isEmpty else { return }
      do throws(StoreError) { try registry.remember(news) } catch {
        state.withLock { state in state.unsaved.merge(news) { newer, _ in newer } }
        throw error
      }
    }
  }
}

extension Registry {
  fileprivate func rememberedChannels(limit: Int) throws(StoreError) -> [(DeviceHash, String)] {
    try write { connection throws(StoreError) in
      try connection.prepare("SELECT device, channel FROM remembered_channel LIMIT ?").rows(.integer(Int64(limit))) {
        (DeviceHash(rawValue: UInt64(bitPattern: $0.integer(0))), $0.text(1))
      }
    }
  }

  /// - Parameter channels: nil where the row is to go.
  fileprivate func remember(_ channels: [DeviceHash: String?]) throws(StoreError) {
    try write { connection throws(StoreError) in
      let upsert = try connection.prepare("INSERT OR REPLACE INTO remembered_channel VALUES (?, ?)")
      let delete = try connection.prepare("DELETE FROM remembered_channel WHERE device = ?")
      for (device, channel) in channels {
        let key = Value.integer(Int64(bitPattern: device.rawValue))
        if let channel { try upsert.run(key, .text(channel)) } else { try delete.run(key) }
      }
    }
  }
}
