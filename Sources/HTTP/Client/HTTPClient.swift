/// Makes requests of other programs, one connection each: bounded in time and size, certificates verified, redirects
/// refused. `KeptConnection` makes many over one.
public struct HTTPClient: Sendable {
  /// From looking up the name to the last byte of the answer.
  public var timeout: Duration
  /// The longest that a connection may take to be made, where that is less; nil: as long as the whole.
  public var connectTimeout: Duration?
  /// The most bytes of an answer's body that are kept.
  public var maxAnswerBytes: Int
  public var userAgent: String
  /// A file of certificates (PEM) to trust instead of the system's.
  public var trustFile: String?
  /// False for a look at one's own service, of which only the address is known: whoever answers is believed.
  public var verifies = true
  /// A socket in the file system to connect to, in place of the address' host and port.
  public var socketPath: String?

  public init(
    userAgent: String, timeout: Duration = .seconds(30), connectTimeout: Duration? = nil,
    maxAnswerBytes: Int = 1 << 20, trustFile: String? = nil
  ) {
    self.userAgent = userAgent
    self.timeout = timeout
    self.connectTimeout = connectTimeout
    self.maxAnswerBytes = maxAnswerBytes
    self.trustFile = trustFile
  }

  /// Blocks until there is an answer or none can be had.
  public func send(_ request: OutboundRequest) throws(OutboundError) -> OutboundAnswer {
    var open = try OpenConnection(request.address, self)
    return try open.exchange(request, self, closes: true)
  }
}

/// A connection with what was read from it and belongs to a later answer.
struct OpenConnection: ~Copyable {
  var connection: OutboundConnection
  var reader = AnswerReader()

  init(_ address: WebAddress, _ client: HTTPClient) throws(OutboundError) {
    let patience = min(client.timeout, client.connectTimeout ?? client.timeout)
    connection = try OutboundConnection(
      address, client, deadline: Clock.milliseconds() + patience.milliseconds)
  }

  mutating func exchange(
    _ request: OutboundRequest, _ client: HTTPClient, closes: Bool
  ) throws(OutboundError) -> OutboundAnswer {
    connection.deadline = Clock.milliseconds() + client.timeout.milliseconds
    let problem = connection.sendAll(request.head(userAgent: client.userAgent, closes: closes) + request.body)
    do throws(OutboundError) {
      // A server may refuse, and answer, before it has read everything.
      let answer = try reader.read(connection, limit: client.maxAnswerBytes)
      guard !(300..<400).contains(answer.status) || answer.status == 304 else {
        throw OutboundError(.redirected, request.address, answer["location"] ?? "nowhere")
      }
      return answer
    } catch {
      if let problem { throw problem }
      var error = error
      error.isInDoubt = error.kind == .timedOut || error.kind == .broken
      throw error
    }
  }
}
