internal import Console
internal import Lifecycle
internal import Locks
internal import Store

/// In which hour each key was last accepted. The housekeeping tells the database what is new: once an hour and key, all keys in
/// one transaction.
final class KeyUseNotes: Sendable {
  private struct State {
    var hours: [Int64: Timestamp] = [:]
    var unsaved: [Int64: Timestamp] = [:]
    /// Whether the database knows since when uses are noted.
    var isBegun = false
  }
  private let registry: Registry
  private let began: Timestamp
  private let state = Lock(State())

  init(_ registry: Registry, began: Timestamp) { (self.registry, self.began) = (registry, began) }

  func note(_ key: Int64, at now: Timestamp) {
    let hour = now.hourOfUse
    state.withLock { state in
      guard state.hours[key] != hour else { return }
      state.hours[key] = hour
      state.unsaved[key] = hour
    }
  }

  /// Where that fails it stays for the next time.
  func save() throws(StoreError) {
    let news = state.withLock { state -> [Int64: Timestamp]? in
      defer { state.unsaved = [:] }
      return state.isBegun && state.unsaved.isEmpty ? nil : state.unsaved
    }
    guard let news else { return }
    do throws(StoreError) { try registry.note(news, since: began) } catch {
      state.withLock { $0.unsaved.merge(news) { newer, _ in newer } }
      throw error
    }
    state.withLock { $0.isBegun = true }
  }
}

extension Service {
  func saveKeyUses() {
    do { try keyUses.save() } catch {
      journal.writeSparingly(.error, "key_uses_not_saved", ["reason": .string(error.description)])
    }
  }
}
