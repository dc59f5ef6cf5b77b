import Foundation
import HTTP
import Testing

/// Talks to a server through `openssl s_client` and curl, with a certificate made on the spot.
struct TLSTests {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "http-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    _ = try run(
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
      "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", file("key"), "-out", file("cert"))
  }

  private func file(_ name: String) -> String { folder.appending(path: name).path }

  private func run(_ arguments: String...) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  private func serveTLS(_ configure: (inout Configuration) -> Void = { _ in }) throws -> HTTPServer {
    let tls = Configuration.TLS(
      certificate: try String(contentsOfFile: file("cert"), encoding: .utf8),
      key: try String(contentsOfFile: file("key"), encoding: .utf8))
    return try serve({
      $0.tls = tls
      $0.maxBodyBytes = 100_000
      configure(&$0)
    }) { request, responder in onAnotherThread { echo(request, responder) } }
  }

  private func curl(_ server: HTTPServer, _ arguments: String) throws -> String {
    try run("sh", "-c", "curl -s --max-time 10 --cacert \(file("cert")) \(arguments)")
  }

  @Test func answersThroughTLS() throws {
    let server = try serveTLS()
    let base = "https://localhost:\(server.port)"
    #expect(
      try curl(server, "\(base)/one -d x --next -s --cacert \(file("cert")) \(base)/two -d yz")
        == "POST /one xPOST /two yz")
    let chunked = try curl(server, "-H 'Transfer-Encoding: chunked' -d chunks \(base)/c")
    #expect(chunked == "POST /c chunks")
    try FileManager.default.removeItem(at: folder)
  }

  /// Our own client against our own server: only with the right name and a trusted certificate.
  @Test func theClientVerifiesWhomItTalksTo() throws {
    let server = try serveTLS()
    let body = [UInt8](repeating: 120, count: 50_000)
    func send(_ host: String, trust: String?) throws -> OutboundAnswer {
      let address = try #require(WebAddress("https://\(host):\(server.port)/x"))
      return try HTTPClient(userAgent: "test/1", trustFile: trust).send(OutboundRequest("POST", address, body: body))
    }
    let answer = try send("localhost", trust: file("cert"))
    #expect(answer.status == 200 && answer.body.count == body.count + 8)
    for (host, trust) in [("127.0.0.1", file("cert")), ("localhost", nil)] {
      let error = #expect(throws: OutboundError.self) { try send(host, trust: trust) }
      #expect(error?.kind == .untrusted, "\(host)")
    }
    let plain = try #require(WebAddress("https://127.0.0.1:\(try serve().port)"))
    #expect(throws: OutboundError.self) { try HTTPClient(userAgent: "test/1").send(OutboundRequest("GET", plain)) }
    try FileManager.default.removeItem(at: folder)
  }

  /// A look at one's own service, by its address; and one at a socket in the file system.
  @Test func theClientLooksAtItsOwnService() throws {
    let server = try serveTLS()
    var client = HTTPClient(userAgent: "test/1")
    client.verifies = false
    let address = try #require(WebAddress("https://127.0.0.1:\(server.port)/x"))
    #expect(try client.send(OutboundRequest("GET", address)).text == "GET /x ")
    let socket = file("socket")
    let local = try serve({ $0.address = .unix(path: socket) }) { echo($0, $1) }
    client.socketPath = socket
    let named = try #require(WebAddress("http://localhost/y"))
    #expect(try client.send(OutboundRequest("GET", named)).text == "GET /y ")
    local.close()
    client.socketPath = file("none")
    #expect(throws: OutboundError.self) { try client.send(OutboundRequest("GET", named)) }
    try FileManager.default.removeItem(at: folder)
  }

  @Test func aCertificateTellsItsEnd() throws {
    let text = try String(contentsOfFile: file("cert"), encoding: .utf8)
    let expiry = try #require(Configuration.TLS(certificate: text, key: "").expiry)
    #expect(abs(Double(expiry) - Date.now.timeIntervalSince1970 - 2 * 86_400) < 3600)
    #expect(Configuration.TLS(certificate: "nothing", key: "").expiry == nil)
    #expect(Configuration.TLS(certificate: text, key: "nothing").problem != nil)
    let key = try String(contentsOfFile: file("key"), encoding: .utf8)
    #expect(Configuration.TLS(certificate: text, key: key).problem == nil)
    try FileManager.default.removeItem(at: folder)
  }

  @Test func refusesLongBodiesThroughTLS() throws {
    let server = try serveTLS()
    let upload =
      "head -c 150000 /dev/zero | curl -s --max-time 10 --cacert \(file("cert")) -w '%{http_code}' -o /dev/null -H Expect: "
    let url = "https://localhost:\(server.port)/"
    #expect(try run("sh", "-c", upload + "--data-binary @- \(url)") == "413")
    #expect(try run("sh", "-c", upload + "-H 'Transfer-Encoding: chunked' --data-binary @- \(url)") == "413")
    try FileManager.default.removeItem(at: folder)
  }

  @Test func endsHandshakesThatDoNotHappen() throws {
    let server = try serveTLS { $0.headerTimeout = .milliseconds(300) }
    let silent = Client(port: server.port)
    let plain = Client(port: server.port)
    plain.send(get("/"))
    #expect(silent.isClosedByServer())
    #expect(plain.isClosedByServer())
    #expect(eventually { server.statistics.connections == 0 })
    try FileManager.default.removeItem(at: folder)
  }
}
