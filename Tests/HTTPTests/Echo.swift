import Glibc
import HTTP

/// Answers each request with what the server understood of it.
@Sendable func echo(_ request: Request, _ responder: Responder) {
  responder.respond(.text("\(request.method) \(request.path) \(String(decoding: request.body, as: UTF8.self))"))
}

func serve(handler: @escaping Handler = echo) throws -> HTTPServer { try serve({ _ in }, handler: handler) }

func serve(_ configure: (inout Configuration) -> Void, handler: @escaping Handler = echo) throws -> HTTPServer {
  var configuration = Configuration(address: try ListenAddress("127.0.0.1:0"))
  configure(&configuration)
  return try HTTPServer(configuration, handler: handler)
}

func get(_ path: String, _ headers: String...) -> String {
  "GET \(path) HTTP/1.1\r\nHost: a\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n"
}

func post(_ path: String, _ body: String, _ headers: String...) -> String {
  "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n"
    + headers.map { $0 + "\r\n" }.joined() + "\r\n" + body
}

/// Waits for what another thread does; false after a minute.
func eventually(_ condition: () -> Bool) -> Bool {
  for _ in 0..<30_000 {
    if condition() { return true }
    usleep(2000)
  }
  return false
}

/// Runs `body` on a thread of its own.
func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { context in
      context.map { Unmanaged<Box>.fromOpaque($0).takeRetainedValue().body() }
      return nil
    }, Unmanaged.passRetained(Box(body)).toOpaque())
  pthread_detach(thread)
}
