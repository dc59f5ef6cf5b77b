/// One request and its answer on a connection, touched by the worker's thread alone.
final class Exchange {
  enum Phase {
    /// The request line is there.
    case head
    case body
    /// Reads what is left of a refused body, so that the client comes to read the answer.
    case discarding(Response, budget: Int)
    case handling(Reply)
    case answered
  }
  let connection: Connection
  let rawTarget: String
  /// As libmicrohttpd tells it, of which `rawTarget` is what UTF-8 makes.
  var targetBytes = 0
  let started = Clock.nanoseconds()
  var phase = Phase.head
  var request: Request?
  var bodyLimit = 0
  var handler: Handler?
  var label: String?
  var allowance: BodyAllowance?
  /// Whether the body is counted there now.
  var isHeld = false
  var method = ""
  var status: Int?
  var requestBytes = 0
  var responseBytes = 0

  init(connection: Connection, rawTarget: String) {
    self.connection = connection
    self.rawTarget = rawTarget
  }

  var observation: Observation {
    Observation(
      method: method, target: rawTarget, peer: connection.peer, label: label, status: status,
      duration: .nanoseconds(Clock.nanoseconds() - started), requestBytes: requestBytes, responseBytes: responseBytes)
  }

  /// Counts the body as it grows; false where there is no room for it.
  func hold(_ bytes: Int) -> Bool {
    guard let allowance, bytes > BodyBudget.free else { return true }
    isHeld = allowance.budget.grow(connection, to: bytes, of: allowance.holder)
    return isHeld
  }

  /// Its memory is no longer that of a body that comes in.
  func release() {
    guard isHeld else { return }
    isHeld = false
    allowance?.budget.release(connection)
  }
}
