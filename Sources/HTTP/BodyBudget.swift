internal import Locks

/// What bodies that are still coming in may take of memory together.
///
/// Where more comes than there is room for, a body gives way: the largest one of the holder who has the most. So whoever
/// sends little is served, however much others hold. A body's first bytes are free, as many as a connection costs anyway.
/// O(1) while there is room, O(bodies) for each that gives way. A body's storage grows in doublings and may be twice of
/// what is counted here.
public final class BodyBudget: Sendable {
  fileprivate struct Body {
    var connection: Connection
    var holder: UInt64
    var bytes: Int
  }
  fileprivate struct State {
    var bodies: [ObjectIdentifier: Body] = [:]
    var held = 0
    var gaveWay = 0
  }
  static let free = 16 << 10
  private let limit: Int
  private let state = Lock(State())

  public init(limit: Int) { self.limit = limit }

  /// Bytes held now.
  public var held: Int { state.withLock { $0.held } }
  /// Bodies since the start.
  public var gaveWay: Int { state.withLock { $0.gaveWay } }

  /// Counts a body that has grown; false where it is the one to give way. Others that must are ended here.
  func grow(_ connection: Connection, to bytes: Int, of holder: UInt64) -> Bool {
    let own = ObjectIdentifier(connection)
    return state.withLock { state in
      state.held += bytes - (state.bodies[own]?.bytes ?? 0)
      state.bodies[own] = Body(connection: connection, holder: holder, bytes: bytes)
      while state.held > limit, let last = state.largest {
        state.gaveWay += 1
        let body = state.remove(last)
        if last == own { return false }
        // Within the lock: before its worker closes the descriptor, it takes the body out of here.
        body?.connection.giveWay()
      }
      return true
    }
  }

  /// The body is whole, or given up.
  func release(_ connection: Connection) { state.withLock { _ = $0.remove(ObjectIdentifier(connection)) } }
}

extension BodyBudget.State {
  /// The largest body of the holder who has the most.
  fileprivate var largest: ObjectIdentifier? {
    var sums: [UInt64: Int] = [:]
    for body in bodies.values { sums[body.holder, default: 0] += body.bytes }
    let most = sums.max { $0.value < $1.value }?.key
    return bodies.filter { $0.value.holder == most }.max { $0.value.bytes < $1.value.bytes }?.key
  }

  fileprivate mutating func remove(_ body: ObjectIdentifier) -> BodyBudget.Body? {
    let removed = bodies.removeValue(forKey: body)
    held -= removed?.bytes ?? 0
    return removed
  }
}

extension Connection {
  fileprivate func giveWay() {
    if isPlain { sendDirectly(.tooManyBodies) }
    hangUp()
  }
}

/// Whose memory a request's body is counted as.
public struct BodyAllowance: Sendable {
  public var budget: BodyBudget
  /// Bodies of one holder are weighed together.
  public var holder: UInt64

  public init(budget: BodyBudget, holder: UInt64) { (self.budget, self.holder) = (budget, holder) }
}
