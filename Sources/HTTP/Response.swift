internal import Lifecycle

/// What a handler answers. Content-Length, Date and Connection are added on the way out.
public struct Response: Sendable {
  public var status: Int
  public var headers: [(name: String, value: String)]
  /// Not sent for HEAD, 204 and 304; Content-Length still tells its size for HEAD.
  public var body: [UInt8]
  /// The same bytes where everybody gets them: however many read slowly, they are in memory once.
  public var constant: ConstantBody?

  public init(status: Int = 200, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  public static func json(_ body: [UInt8], status: Int = 200) -> Response {
    Response(status: status, headers: [("Content-Type", "application/json")], body: body)
  }

  public static func json(_ body: String, status: Int = 200) -> Response { json(Array(body.utf8), status: status) }

  public static func text(_ body: String, status: Int = 200) -> Response {
    Response(status: status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: Array(body.utf8))
  }

  /// The one error shape: `{"error":{"code":…,"message":…}}`.
  public static func error(_ status: Int, code: String, _ message: String) -> Response {
    var body = Array(#"{"error":{"code":"#.utf8)
    body.append(jsonString: code)
    body += #","message":"#.utf8
    body.append(jsonString: message)
    body += "}}".utf8
    return json(body, status: status)
  }

  func has(_ name: String) -> Bool {
    headers.contains { header in
      header.name.utf8.count == name.utf8.count && header.name.lowercased() == name.lowercased()
    }
  }

  /// A copy with one more header.
  public func with(_ name: String, _ value: String) -> Response {
    var copy = self
    copy.headers.append((name, value))
    return copy
  }

  /// A copy that says after how many seconds it is worth to ask again.
  public func retry(after seconds: Int) -> Response { with("Retry-After", "\(seconds)") }
}

/// Bytes that are sent to many, and stay at their address as long as the program runs.
///
/// Unchecked: nothing changes or frees them.
public final class ConstantBody: @unchecked Sendable {
  let start: UnsafeMutableRawPointer
  public let bytes: [UInt8]

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    start = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 1)
    UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyBytes(from: bytes)
  }
}

extension Response {
  /// - Parameter constant: kept by whoever asks for it as long as the program runs.
  public static func json(_ constant: ConstantBody) -> Response {
    var response = json(constant.bytes)
    response.constant = constant
    return response
  }
}
