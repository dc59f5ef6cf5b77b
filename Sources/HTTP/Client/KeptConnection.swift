/// A connection for one request after the other: opened when it is needed, and anew where it broke.
///
/// The answer to a request may be waited for later, so that one thread keeps many of these busy. Belongs to one thread.
public final class KeptConnection {
  private let client: HTTPClient
  private var open: OpenConnection?

  /// - Parameter client: its timeout is that of each request.
  public init(_ client: HTTPClient) { self.client = client }

  /// Sends a request and does not wait for the answer. All requests go to one host.
  public func send(_ request: OutboundRequest) throws(OutboundError) {
    let deadline = Clock.milliseconds() + client.timeout.milliseconds
    if open == nil { open = try OpenConnection(request.address, client) }
    open?.connection.deadline = deadline
    let bytes = request.head(userAgent: client.userAgent, closes: false) + request.body
    guard let problem = open?.connection.sendAll(bytes) else { return }
    close()
    throw problem
  }

  /// Waits for the answer to the request that was sent last; nil where there is none to be had.
  public func answer() -> OutboundAnswer? {
    guard var taken = open.take() else { return nil }
    taken.connection.deadline = max(taken.connection.deadline, Clock.milliseconds() + Self.readingTime)
    let answer = try? taken.reader.read(taken.connection, limit: client.maxAnswerBytes)
    if answer != nil, taken.reader.isReusable { open = consume taken }
    return answer
  }

  /// In milliseconds. An answer that lies there is taken, however long its thread was busy with others.
  private static let readingTime: Int64 = 1000

  public func close() { open = nil }
}
