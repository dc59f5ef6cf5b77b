public import Lifecycle
import Locks

/// The channel that each device last named, for clients that name it in questions and leave it out of reports.
///
/// Kept in memory; what is new goes to the database when `save` is called, many devices at once. A crash in between
/// forgets the channels of devices that asked in the last second: their next question names it again.
public final class ChannelMemory: Sendable {
  private struct State {
    var channels: [DeviceHash: String] = [:]
    var unsaved: [DeviceHash: String] = [:]
  }
  private let registry: Registry
  private let state: Lock<State>
  /// Held while what is new goes to the database: who forgets a device in between must wait, or its row would come back.
  private let saving = Lock(())

  /// More devices than this are not remembered: strangers may make some up.
  private static let limit = 2_000_000

  public init(_ registry: Registry) throws(StoreError) {
    self.registry = registry
    state = Lock(State(channels: try registry.rememberedChannels(limit: Self.limit)))
  }

  public func remember(_ channel: String, of device: DeviceHash) {
    state.withLock { state in
      guard state.channels[device] != channel else { return }
      guard state.channels[device] != nil || state.channels.count < Self.limit else { return }
      state.channels[device] = channel
      state.unsaved[device] = channel
    }
  }

  public func channel(of device: DeviceHash) -> String? { state.withLock { $0.channels[device] } }

  /// Must go before the device's rows do: what is unsaved would bring one back. Answers whether there was something.
  @discardableResult
  public func forget(_ device: DeviceHash) -> Bool {
    saving.withLock { _ in
      state.withLock { state in
        state.unsaved[device] = nil
        return state.channels.removeValue(forKey: device) != nil
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
  fileprivate func rememberedChannels(limit: Int) throws(StoreError) -> [DeviceHash: String] {
    let rows = try write { connection throws(StoreError) in
      try connection.prepare("SELECT device, channel FROM remembered_channel LIMIT ?").rows(.integer(Int64(limit))) {
        (DeviceHash(rawValue: UInt64(bitPattern: $0.integer(0))), $0.text(1))
      }
    }
    return Dictionary(rows) { $1 }
  }

  fileprivate func remember(_ channels: [DeviceHash: String]) throws(StoreError) {
    try write { connection throws(StoreError) in
      let upsert = try connection.prepare("INSERT OR REPLACE INTO remembered_channel VALUES (?, ?)")
      for (device, channel) in channels {
        try upsert.run(.integer(Int64(bitPattern: device.rawValue)), .text(channel))
      }
    }
  }
}
