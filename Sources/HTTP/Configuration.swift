/// How a server listens and what it refuses. Times are real time, sizes bytes.
public struct Configuration: Sendable {
  public var address: ListenAddress
  public var threads = 2
  public var maxBodyBytes = 8 << 20
  /// Request line and headers together.
  public var maxHeaderBytes = 16 << 10
  /// From the connection (or, later on it, from the request line) to the empty line after the headers.
  public var headerTimeout: Duration = .seconds(10)
  /// From the headers to the last byte of the body, in all: a body that drips is cut as well.
  public var bodyTimeout: Duration = .seconds(30)
  /// From one answer to the next request line on the same connection.
  public var idleTimeout: Duration = .seconds(60)
  /// From the answer to its last byte handed to the client's socket.
  public var sendTimeout: Duration = .seconds(60)
  /// At the same time. Never more than the limit of open files allows after 256 are set aside, or half of them.
  public var maxConnections: Int?
  /// At the same time from one IPv4 address or one IPv6 /64; nil: no limit. Sockets in the file system have none.
  public var maxConnectionsPerAddress: Int?
  public var tls: TLS?
  /// The request headers a handler can see, any case.
  public var headers = ["accept", "authorization", "content-encoding", "content-type", "if-none-match", "user-agent"]
  /// Decides about a request when its headers are there and its body is not; nil: `maxBodyBytes` for all.
  public var admit: (@Sendable (Request) -> Admission)?
  /// Called on a server thread after each request, answered or not; it must not block.
  public var observe: (@Sendable (Observation) -> Void)?

  /// Called on a server thread that has nothing to do for now; it must not block.
  public var pause: (@Sendable () -> Void)?

  public init(address: ListenAddress) { self.address = address }

  /// What libmicrohttpd has for a request's head, its records of headers, and the head of the answer.
  var connectionMemory: Int { max(16 << 10, maxHeaderBytes + (4 << 10)) }

  public struct TLS: Sendable {
    /// The contents of PEM files: the certificate with its chain, and its key.
    public var certificate: String
    public var key: String

    public init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }
}

/// What becomes of a request whose headers are there and whose body is not.
public struct Admission: Sendable {
  public enum Decision: Sendable {
    /// Read the body, up to that many bytes; `tooLarge` answers one that announces more.
    case body(limit: Int, tooLarge: (@Sendable () -> Response)?)
    /// Answer at once, without reading a body.
    case refuse(Response)
  }
  public let decision: Decision
  /// Takes the whole request; nil: the server's own handler. What was found out about the request need not be found again.
  public var handler: Handler?
  /// What the observation of this request is called.
  public var label: String?
  /// What the body is counted to while it comes in; nil: it is not counted.
  public var allowance: BodyAllowance?

  public static func body(
    limit: Int, tooLarge: (@Sendable () -> Response)? = nil, handler: Handler? = nil, allowance: BodyAllowance? = nil
  ) -> Admission {
    Admission(decision: .body(limit: limit, tooLarge: tooLarge), handler: handler, allowance: allowance)
  }

  public static func refuse(_ response: Response) -> Admission { Admission(decision: .refuse(response)) }
}

/// What became of one request, for metrics and access logs.
public struct Observation: Sendable {
  public let method: String
  /// As sent, with its query; escape it before it reaches a log.
  public let target: String
  public let peer: String
  /// As its admission says; nil where it was not asked for admission.
  public let label: String?
  /// Nil when the connection ended before an answer, or libmicrohttpd itself refused the request as malformed.
  public let status: Int?
  /// From the request line to the last byte of the answer.
  public let duration: Duration
  public let requestBytes: Int
  public let responseBytes: Int
}

/// Counts since the start, and of this moment.
public struct Statistics: Equatable, Sendable {
  public var connections = 0
  /// Requests whose request line is there and whose answer is not yet sent.
  public var inFlight = 0
  public var accepted = 0
  /// Connections turned away because their address has too many.
  public var turnedAway = 0
  /// Connections ended because a deadline passed.
  public var timedOut = 0

  public init() {}
}
