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
    let deadline = Clock.milliseconds() + timeout.milliseconds
    let connected = min(deadline, Clock.milliseconds() + (connectTimeout ?? timeout).milliseconds)
    var connection = try OutboundConnection(request.address, trustFile: trustFile, deadline: connected)
    connection.deadline = deadline
    let problem = connection.sendAll(request.head(userAgent: userAgent, closes: true) + request.body)
    do throws(OutboundError) {
      // A server may refuse, and answer, before it has read everything.
      var reader = AnswerReader()
      let answer = try reader.read(connection, limit: maxAnswerBytes)
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
