import Glibc
import HTTP
import Testing

/// Where a server listens, and why it cannot.
struct ListenTests {
  static func message(_ address: String, tls: Configuration.TLS? = nil) -> String? {
    do throws(ListenError) {
      var configuration = Configuration(address: try ListenAddress(address))
      configuration.tls = tls
      _ = try HTTPServer(configuration, handler: echo)
      return nil
    } catch { return error.description }
  }

  @Test(arguments: [
    (
      "127.0.0.1", "cannot listen on 127.0.0.1: there is no port; write 127.0.0.1:8787, [::1]:8787, unix:/path or fd:3"
    ),
    (
      "127.0.0.1:x",
      "cannot listen on 127.0.0.1:x: 'x' is not a port from 0 to 65535; write 127.0.0.1:8787, [::1]:8787, unix:/path or fd:3"
    ),
    (
      "example:80",
      "cannot listen on example:80: 'example' is not a numeric IPv4 address; write 127.0.0.1:8787, [::1]:8787, unix:/path or fd:3"
    ),
    (
      "192.0.2.1:0",
      "cannot listen on 192.0.2.1:0: this machine does not have that address; use an address of this machine, or 0.0.0.0 for all of them"
    ),
    (
      "fd:9999",
      "cannot listen on fd:9999: it is not a listening stream socket; the service manager must pass a socket that listens"
    ),
  ])
  func explains(_ address: String, _ expected: String) { #expect(Self.message(address) == expected) }

  @Test func explainsAPortInUse() throws {
    let server = try serve()
    let expected =
      "cannot listen on 127.0.0.1:\(server.port): the address is in use; is another server running there? "
      + "Stop it or choose another port"
    #expect(Self.message("127.0.0.1:\(server.port)") == expected)
  }

  @Test func explainsABadCertificate() {
    let message = Self.message("127.0.0.1:0", tls: .init(certificate: "x", key: "y"))
    #expect(message?.hasPrefix("cannot listen on 127.0.0.1:0: the certificate or its key was not accepted (") == true)
  }

  @Test func listensOnIPv6() throws {
    let server = try HTTPServer(Configuration(address: ListenAddress("[::1]:0"))) { request, responder in
      responder.respond(.text(request.peer))
    }
    #expect(Client(ipv6Port: server.port).ask(get("/"))?.body == "::1")
  }

  @Test func listensOnASocketFileAndReplacesAnAbandonedOne() throws {
    let path = "/tmp/http-tests-\(getpid()).sock"
    let configuration = Configuration(address: try ListenAddress("unix:\(path)"))
    let server = try HTTPServer(configuration, handler: echo)
    #expect(Client(path: path).ask(get("/file"))?.body == "GET /file ")
    #expect(Self.message("unix:\(path)")?.contains("the address is in use") == true)
    #expect(server.port == 0)
    var status = stat()
    try #require(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o660)
    let abandoned = path + "2"
    close(try listenAndForget(abandoned))
    #expect(Self.message("unix:\(abandoned)") == nil)
    server.close()
  }

  /// A socket file whose listener is gone once the descriptor is closed.
  private func listenAndForget(_ path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(descriptor, 1) == 0)
    return descriptor
  }

  @Test func takesOverAListeningSocket() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    try #require(listen(descriptor, 16) == 0)
    let server = try HTTPServer(Configuration(address: .inherited(descriptor: descriptor)), handler: echo)
    #expect(server.port != 0)
    #expect(Client(port: server.port).ask(get("/fd"))?.body == "GET /fd ")
  }
}
