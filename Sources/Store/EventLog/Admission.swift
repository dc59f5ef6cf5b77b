import Lifecycle

/// Which events are new, and which ones were here before.
struct Admission: ~Copyable {
  private var window: DuplicateWindow
  /// Identities admitted by the transaction that runs, taken back if it fails.
  private var pending: [UInt64] = []
  /// Which events of the batch at hand were not here before.
  private(set) var isNew: [Bool] = []

  /// - Parameter window: how many of the newest events a resend is compared with.
  init(window: Int) { self.window = DuplicateWindow(capacity: window) }

  /// - Parameter isRetained: also what retention took out.
  mutating func know(
    _ connection: borrowing Connection, after sequence: Int64, isRetained: Bool = false
  ) throws(StoreError) {
    if isRetained { try Removed.identities(connection, after: sequence) { _ = window.admit($0) } }
    let rows = try connection.prepare("SELECT id_hash FROM event WHERE seq > ?1 ORDER BY seq")
    rows.bind(1, sequence)
    while try rows.step() { _ = window.admit(UInt64(bitPattern: rows.integer(0))) }
  }

  /// What is admitted from here on can be undone.
  mutating func begin() { pending.removeAll(keepingCapacity: true) }

  mutating func undo() { for identity in pending { window.forget(identity) } }

  /// A loop of its own: the window's memory is far away, and is fetched some look-ups ahead.
  mutating func admit(_ batch: EventBatch) -> Admitted {
    isNew.removeAll(keepingCapacity: true)
    let (before, count, step) = (pending.count, batch.events.count, DuplicateWindow.fetchedAtOnce)
    for start in stride(from: 0, to: count, by: step) {
      let events = batch.events[start..<min(start + step, count)]
      window.fetch(events.lazy.map(\.identity))
      for event in events {
        let isNew = window.admit(event.identity)
        self.isNew.append(isNew)
        if isNew { pending.append(event.identity) }
      }
    }
    let accepted = pending.count - before
    let duplicate = count - accepted
    return Admitted(accepted: accepted, duplicate: duplicate, clashing: duplicate > 0 ? clashing(batch) : 0)
  }

  /// Events that are not new, with the id of another device's.
  private func clashing(_ batch: EventBatch) -> Int {
    var devices: [UInt64: DeviceHash] = [:]
    return batch.events.indices.reduce(0) { count, index in
      let event = batch.events[index]
      let first = devices[event.identity, default: event.device]
      devices[event.identity] = first
      return first != event.device && !isNew[index] ? count + 1 : count
    }
  }
}
