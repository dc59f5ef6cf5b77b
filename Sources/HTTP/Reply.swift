import Locks

/// Where the answer of one request waits for its worker.
final class Reply: Sendable {
  enum State {
    case handling, suspended
    case answered(Response)
    case sent
  }
  private let state = Lock(State.handling)
  private let mailbox: Mailbox
  /// The libmicrohttpd connection, as a number: only the worker's thread makes a pointer of it.
  let connection: Int

  init(to mailbox: Mailbox, connection: Int) {
    self.mailbox = mailbox
    self.connection = connection
  }

  /// From any thread.
  func answer(_ response: Response) {
    let mustTell = state.withLock { state in
      switch state {
      case .handling:
        state = .answered(response)
        return false
      case .suspended:
        state = .answered(response)
        return true
      case .answered, .sent: return false
      }
    }
    if mustTell { mailbox.deliver(self) }
  }

  /// The answer if it is there; else the reply counts as suspended and its answer will come by mail.
  func takeOrSuspend() -> Response? {
    state.withLock { state in
      switch state {
      case .answered(let response):
        state = .sent
        return response
      case .handling, .suspended:
        state = .suspended
        return nil
      case .sent: return nil
      }
    }
  }

  /// Puts an answer in place of one that will not come in time; false when the real one is on its way.
  func replace(with response: Response) -> Bool {
    state.withLock { state in
      guard case .suspended = state else { return false }
      state = .answered(response)
      return true
    }
  }
}
