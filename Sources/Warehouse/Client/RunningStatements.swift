import Locks

/// The statements that servers are answering now, by the names that they have there.
final class RunningStatements: Sendable {
  private struct State {
    var next = 0
    var names: Set<String> = []
  }
  private let state = Lock(State())
  /// Names are for all users of a server.
  private let prefix = "uptake-" + String(UInt64.random(in: 0 ... .max), radix: 16)

  var names: [String] { state.withLock { $0.names.sorted() } }

  func begin() -> String {
    state.withLock { state in
      state.next += 1
      let name = "\(prefix)-\(state.next)"
      state.names.insert(name)
      return name
    }
  }

  func end(_ name: String) { state.withLock { _ = $0.names.remove(name) } }
}
