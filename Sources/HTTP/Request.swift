/// One request, whole: the handler sees it after the last byte of its body.
public struct Request: Sendable {
  /// As sent: `GET`, `POST`, or anything else that is a token.
  public let method: String
  public let target: Target
  /// The headers named in `Configuration.headers`; others are not kept.
  public let headers: Headers
  /// The array's storage has at least `bodySlack` bytes beyond `count`, so that a vectorised parser may read past the end.
  public internal(set) var body: [UInt8]
  /// The client's numeric address without a port, or `unix`.
  public let peer: String
  /// The same, for limits; nil for sockets in the file system.
  public let address: ClientAddress?

  /// Bytes of storage past the end of `body`; their content is undefined.
  public static let bodySlack = 64

  public var path: String { target.path }

  public init(
    method: String, target: Target, headers: Headers = Headers(), body: [UInt8] = [], peer: String = "unix",
    address: ClientAddress? = nil
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.body.reserveCapacity(body.count + Self.bodySlack)
    self.peer = peer
    self.address = address
  }
}

extension [UInt8] {
  /// Appends, growing in doublings and keeping `Request.bodySlack` bytes of storage past the end.
  mutating func appendKeepingSlack(_ bytes: UnsafeRawBufferPointer) {
    let needed = count + bytes.count + Request.bodySlack
    if capacity < needed { reserveCapacity(Swift.max(needed, 2 * capacity)) }
    append(contentsOf: bytes)
  }
}
