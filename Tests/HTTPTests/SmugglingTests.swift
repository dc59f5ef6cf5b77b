import HTTP
import Testing

/// Requests on which two programs could disagree about where they end: refused, and the connection with them.
struct SmugglingTests {
  struct Row: Sendable, CustomStringConvertible {
    let description: String
    let head: String
    let body: String
    let status: Int
  }

  static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
  static let chunks = "0\r\n\r\n" + smuggled
  static let rows = [
    Row("length and chunked", "Content-Length: 5\r\nTransfer-Encoding: chunked", chunks, 400),
    Row("chunked and length", "Transfer-Encoding: chunked\r\nContent-Length: 5", chunks, 400),
    Row("two lengths", "Content-Length: 5\r\nContent-Length: 6", "hello!", 400),
    Row("the same length twice", "Content-Length: 5\r\nContent-Length: 5", "hello", 400),
    Row("a list of lengths", "Content-Length: 5, 5", "hello", 400),
    Row("a signed length", "Content-Length: +5", "hello", 400),
    Row("a negative length", "Content-Length: -1", "hello", 400),
    Row("a hexadecimal length", "Content-Length: 0x5", "hello", 400),
    Row("an empty length", "Content-Length:", "hello", 400),
    Row("a length beyond 64 bits", "Content-Length: 99999999999999999999", "hello", 413),
    Row("a folded length", "Content-Length:\r\n 35", smuggled, 400),
    Row("a length that goes on", "Content-Length: 3\r\n 5", smuggled, 400),
    Row("a folded coding", "Transfer-Encoding:\r\n chunked", chunks, 400),
    Row("a folded line between others", "X: a\r\n\tb\r\nContent-Length: 0", smuggled, 400),
    Row("a folded line that is empty", "X:\n \nContent-Length: 0", smuggled, 400),
    Row("a length behind a NUL", "Content-Length: 0\u{0}35", smuggled, 400),
    Row("a NUL in the last header", "Content-Length: 0\r\nX: a\u{0}b", smuggled, 400),
    Row("space before the colon", "Content-Length : 5", "hello", 400),
    Row("a tab in a name", "Content\tLength: 5", "hello", 400),
    Row("two codings", "Transfer-Encoding: gzip, chunked", chunks, 501),
    Row("chunked twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", chunks, 501),
    Row("a coding that hides", "Transfer-Encoding: xchunked", chunks, 501),
    Row("a coding with a control character", "Transfer-Encoding: \u{b}chunked", chunks, 400),
    Row("two hosts", "Host: b\r\nContent-Length: 0", "", 400),
    Row("no colon", "Content-Length 5", "hello", 400),
    Row("a chunk size that is not a number", "Transfer-Encoding: chunked", "zz\r\nhello\r\n0\r\n\r\n", 400),
    Row("a chunk size with a sign", "Transfer-Encoding: chunked", "+5\r\nhello\r\n0\r\n\r\n", 400),
    Row("a chunk size with a prefix", "Transfer-Encoding: chunked", "0x5\r\nhello\r\n0\r\n\r\n", 400),
    Row("a chunk size beyond 64 bits", "Transfer-Encoding: chunked", "fffffffffffffffff\r\nhello", 413),
    Row("a chunk longer than its size", "Transfer-Encoding: chunked", "3\r\nhello\r\n0\r\n\r\n", 400),
  ]

  @Test(arguments: rows) func refuses(_ row: Row) throws {
    let server = try serve()
    let client = Client(port: server.port)
    client.send("POST /s HTTP/1.1\r\nHost: a\r\n\(row.head)\r\n\r\n\(row.body)")
    #expect(client.receive()?.status == row.status)
    #expect(client.isClosedByServer())
  }

  @Test(arguments: [
    ("GET /\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
    ("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET nopath HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /?a b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /a\u{0}b HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET  /a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /?a\tb HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
  ])
  func refusesRequestLine(_ text: String, _ status: Int) throws {
    let server = try serve()
    let client = Client(port: server.port)
    #expect(client.ask(text)?.status == status)
    #expect(client.isClosedByServer())
  }

  /// Refused by us, and not by libmicrohttpd, which answers in HTML and sends the head of its answer twice.
  @Test func asksForAHost() throws {
    let server = try serve()
    let answer = Client(port: server.port).ask("GET / HTTP/1.1\r\nX: a\r\n\r\n")
    #expect(answer?.body == #"{"error":{"code":"missing_host","message":"HTTP/1.1 asks for a Host header"}}"#)
  }

  /// However a head arrives and whatever its lines look like, nothing of it is taken for hidden.
  @Test(arguments: [1, 3, 7, 1000]) func takesWholeHeadsInPieces(_ size: Int) throws {
    let server = try serve()
    let client = Client(port: server.port)
    let values = ["", " ", "\t v", "v ", " long value\t"]
    let lines = (0..<30).map { "X-\($0):\(values[$0 % values.count])" }
    for end in ["\r\n", "\n", "\r\n"] {
      let head = ["POST /p HTTP/1.1", "Host:a", "Empty:", "Content-Length: 2"] + lines + ["", "hi"]
      let bytes = Array(head.joined(separator: end).utf8)
      for start in stride(from: 0, to: bytes.count, by: size) {
        client.send(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(client.receive()?.body == "POST /p hi")
    }
  }
}

extension SmugglingTests.Row {
  init(_ description: String, _ head: String, _ body: String, _ status: Int) {
    self.init(description: description, head: head, body: body, status: status)
  }
}
