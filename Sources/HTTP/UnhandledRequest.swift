/// Requests that are answered before a handler sees them.
enum UnhandledRequest: Equatable {
  case bodyTooLarge(limit: Int), headTooLarge(limit: Int), tooManyHeaders, badTarget, badMethod, badHeader, foldedHeader
  case lengthAndChunked, repeatedLength, missingHost, repeatedHost, unknownTransferCoding, chunkedBefore11
  case bodyTooSlow, tooManyBodies, tooManyConnections, draining

  var response: Response {
    switch self {
    case .bodyTooLarge(let limit): .error(413, code: "body_too_large", "the body is larger than \(limit) bytes")
    case .headTooLarge(let limit): .error(431, code: "head_too_large", "the headers are larger than \(limit) bytes")
    case .tooManyHeaders: .error(431, code: "head_too_large", "the headers and cookies are too many, or too large")
    case .badTarget: .error(400, code: "bad_target", "the path is not a valid percent-encoded UTF-8 path")
    case .badMethod: .error(400, code: "bad_method", "the method is not a token")
    case .badHeader: .error(400, code: "bad_header", "a header has a malformed name or a control character")
    case .foldedHeader:
      .error(400, code: "bad_header", "a header goes on in the next line, or has a NUL in it; write it in one line")
    case .lengthAndChunked:
      .error(400, code: "ambiguous_length", "a request has a Content-Length or a Transfer-Encoding, not both")
    case .repeatedLength: .error(400, code: "ambiguous_length", "Content-Length was sent more than once")
    case .missingHost: .error(400, code: "missing_host", "HTTP/1.1 asks for a Host header")
    case .repeatedHost: .error(400, code: "ambiguous_host", "Host was sent more than once")
    case .unknownTransferCoding:
      .error(501, code: "unknown_transfer_coding", "the only transfer coding here is chunked")
    case .chunkedBefore11: .error(400, code: "chunked_before_http_1_1", "HTTP/1.0 has no chunked bodies")
    case .bodyTooSlow: .error(408, code: "body_too_slow", "the request took too long to arrive")
    case .tooManyBodies:
      .error(
        503, code: "too_many_bodies", "bodies that are still coming in take all the memory that they may; try again"
      )
      .retry(after: 2)
    case .tooManyConnections:
      .error(429, code: "too_many_connections", "too many connections from this address").retry(after: 5)
    case .draining: .error(503, code: "shutting_down", "the server is shutting down").retry(after: 1)
    }
  }

  /// The whole answer as bytes, for connections that libmicrohttpd cannot answer at this point.
  var message: [UInt8] {
    let response = response
    var head =
      "HTTP/1.1 \(response.status) \(reason)\r\nConnection: close\r\nContent-Length: \(response.body.count)\r\n"
    for (name, value) in response.headers { head += "\(name): \(value)\r\n" }
    return Array((head + "\r\n").utf8) + response.body
  }

  private var reason: String {
    switch response.status {
    case 408: "Request Timeout"
    case 413: "Content Too Large"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 503: "Service Unavailable"
    default: "Refused"
    }
  }
}
