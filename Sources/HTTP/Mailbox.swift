import Locks

/// What other threads bring to a worker: new connections and answers. One ring of the bell wakes it for many of them.
final class Mailbox: Sendable {
  struct Contents {
    var arrivals: [Arrival] = []
    var answered: [Reply] = []
    /// Takes new connections from now on.
    var renewed: Renewal?
    var isClosing = false
    var isEmpty: Bool { arrivals.isEmpty && answered.isEmpty && renewed == nil && !isClosing }
  }
  /// `@unchecked Sendable`: whoever made the daemon gives it away and the worker alone uses it.
  struct Renewal: @unchecked Sendable {
    let daemon: Daemon
  }
  struct Arrival: Sendable {
    let connection: Connection
    let address: SocketAddress
  }
  private struct State {
    var contents = Contents()
    var isAsleep = false
  }
  private let state = Lock(State())
  let bell: Doorbell

  init() throws(ListenError) { bell = try Doorbell() }

  func deliver(_ arrival: Arrival) { put { $0.arrivals.append(arrival) } }
  func deliver(_ reply: Reply) { put { $0.answered.append(reply) } }
  func deliver(_ renewal: Renewal) { put { $0.renewed = renewal } }
  func close() { put { $0.isClosing = true } }

  private func put(_ change: (inout Contents) -> Void) {
    let mustRing = state.withLock { state in
      change(&state.contents)
      defer { state.isAsleep = false }
      return state.isAsleep
    }
    if mustRing { bell.ring() }
  }

  /// Takes everything; `spare`'s storage is reused for what comes next.
  func take(into spare: inout Contents) {
    spare.arrivals.removeAll(keepingCapacity: true)
    spare.answered.removeAll(keepingCapacity: true)
    spare.renewed = nil
    state.withLock { state in
      spare.isClosing = state.contents.isClosing
      swap(&state.contents, &spare)
    }
  }

  /// False when something lies here already; otherwise the next delivery rings.
  func fallAsleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.contents.isEmpty
      return state.isAsleep
    }
  }

  func wakeUp() { state.withLock { $0.isAsleep = false } }
}
