import Locks

/// Connections that are kept after their answer, for whichever thread makes the next request of the same host.
///
/// Only for requests that may be made twice: one that meets a connection which the server closed meanwhile is made again.
public final class ConnectionPool: Sendable {
  private let client: HTTPClient
  /// By host and port.
  private let idle = Lock<[String: [IdleConnection]]>([:])

  public init(_ client: HTTPClient) { self.client = client }

  /// Blocks until there is an answer or none can be had.
  ///
  /// - Parameter limit: the longest that it may take, where that is less than the client waits.
  public func send(
    _ request: OutboundRequest, within limit: Duration? = nil
  ) throws(OutboundError) -> OutboundAnswer {
    var client = client
    if let limit { client.timeout = min(client.timeout, limit) }
    if let kept = take(request.address) {
      do throws(OutboundError) { return try exchange(request, kept, client) } catch {
        guard error.kind == .broken else { throw error }
      }
    }
    return try exchange(request, IdleConnection(try OpenConnection(request.address, client)), client)
  }

  private func exchange(
    _ request: OutboundRequest, _ kept: IdleConnection, _ client: HTTPClient
  ) throws(OutboundError) -> OutboundAnswer {
    guard var open = kept.open.take() else { preconditionFailure("a connection that was lent twice") }
    let answer = try open.exchange(request, client, closes: false)
    if open.reader.isReusable { give(IdleConnection(open), request.address) }
    return answer
  }

  private func take(_ address: WebAddress) -> IdleConnection? {
    idle.withLock { $0[Self.key(address)]?.popLast() }
  }

  private func give(_ connection: IdleConnection, _ address: WebAddress) {
    idle.withLock { idle in
      // More are at work at once only now and then.
      if idle[Self.key(address), default: []].count < 16 { idle[Self.key(address), default: []].append(connection) }
    }
  }

  private static func key(_ address: WebAddress) -> String { (address.isSecure ? "s " : "p ") + address.authority }
}

/// Unchecked, since a connection is either in the list of a pool or with the one thread that took it from there under the
/// pool's lock, and is never used in the list.
private final class IdleConnection: @unchecked Sendable {
  var open: OpenConnection?

  init(_ open: consuming OpenConnection) { self.open = consume open }
}
