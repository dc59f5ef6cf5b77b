import Locks

/// All open connections of a server, for limits and deadlines.
final class Roster: Sendable {
  private struct State {
    var connections: [Int32: Connection] = [:]
    var crowds: [UInt64: Int] = [:]
    var count = 0
  }
  private let state = Lock(State())

  var count: Int { state.withLock { $0.count } }

  /// Counts a client before its connection is opened; false when its address has `limit` already.
  func admit(_ crowd: UInt64?, limit: Int?) -> Bool {
    state.withLock { state in
      if let crowd, let limit {
        guard state.crowds[crowd, default: 0] < limit else { return false }
        state.crowds[crowd, default: 0] += 1
      }
      state.count += 1
      return true
    }
  }

  func opened(_ connection: Connection) {
    state.withLock { $0.connections[connection.descriptor] = connection }
  }

  /// Before the descriptor is closed: afterwards its number may belong to somebody else.
  func closed(_ connection: Connection) {
    state.withLock { state in
      state.connections[connection.descriptor] = nil
      state.count -= 1
      guard let crowd = connection.crowd, let others = state.crowds[crowd] else { return }
      state.crowds[crowd] = others > 1 ? others - 1 : nil
    }
  }

  /// Ends the connections that are late (and, while draining, the idle ones); returns how many were late.
  func sweep(now: Int64, draining: Bool) -> Int {
    state.withLock { state in
      state.connections.values.reduce(0) { $0 + ($1.end(now: now, draining: draining) ? 1 : 0) }
    }
  }
}

extension Connection {
  fileprivate func end(now: Int64, draining: Bool) -> Bool {
    let isQuiet = draining && deadline.stage == .idle && !hasUnreadBytes
    guard let stage = deadline.cut(now: now, idleToo: isQuiet) else { return false }
    if stage == .body, isPlain { sendDirectly(.bodyTooSlow) }
    hangUp()
    return !isQuiet
  }
}
