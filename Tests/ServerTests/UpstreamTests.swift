import Console
import HTTP
import Ingest
import Synchronization
import Testing

@testable import Server

/// Questions are passed on to a real server on this machine.
struct UpstreamTests {
  private let codepush: Dialect

  init() throws {
    codepush = try #require(Dialect.routes.first { $0.dialect.isCheck && $0.dialect.name == "codepush" }).dialect
  }

  private func server(_ handler: @escaping Handler) throws -> HTTPServer {
    var configuration = HTTP.Configuration(address: try ListenAddress("127.0.0.1:0"))
    configuration.headers += ["x-codepush-sdk-version", "x-uptake-key"]
    return try HTTPServer(configuration, handler: handler)
  }

  private func upstream(port: UInt16) throws -> Upstream {
    try #require(try Upstream(["codepush=http://127.0.0.1:\(port)/base"], version: "1"))
  }

  private func request(_ target: String) throws -> HTTP.Request {
    HTTP.Request(
      method: "GET", target: try #require(Target(target)),
      headers: Headers([("x-codepush-sdk-version", "3.0"), ("x-uptake-key", "secret"), ("accept", "text/plain")]))
  }

  private func ask(_ upstream: Upstream, _ target: String = "/v0.1/public/codepush/update_check") throws -> String {
    let answer = Mutex<String?>(nil)
    upstream.ask(codepush, try request(target), body: []) { result in
      let words =
        switch result {
        case .success(let answer): answer.text
        case .failure(let problem): problem.reason
        }
      answer.withLock { $0 = words }
    }
    _ = eventually { answer.withLock { $0 != nil } }
    return answer.withLock { $0 } ?? "nothing"
  }

  /// Nothing of a query ends the request line, or makes two of it.
  @Test func passesOnNoSpacesInAQuery() throws {
    let seen = Mutex<[String]>([])
    let server = try server { request, responder in
      seen.withLock { $0.append(request.target.rawQuery) }
      responder.respond(.json("{}"))
    }
    defer { server.close() }
    let words = try ask(
      upstream(port: server.port), "/v0.1/public/codepush/update_check?a= HTTP/1.1 \tx\u{7f}\u{e9}&b=1+2")
    #expect(words == "{}")
    #expect(seen.withLock { $0 } == ["a=%20HTTP/1.1%20%09x%7F%C3%A9&b=1+2"])
  }

  /// The path, the query and the client's own headers go on; what is said to this service alone does not.
  @Test func passesOnWhatIsForTheUpdateServer() throws {
    let seen = Mutex<[String]>([])
    let server = try server { request, responder in
      let headers = ["x-codepush-sdk-version", "x-uptake-key", "accept"].map { request.headers[$0] ?? "-" }
      seen.withLock { $0.append("\(request.path)?\(request.target.rawQuery) \(headers.joined(separator: "|"))") }
      responder.respond(.json("{}"))
    }
    defer { server.close() }
    let words = try ask(upstream(port: server.port), "/v0.1/public/codepush/update_check?app_version=1%2B0&x=%C3%A9")
    #expect(words == "{}")
    #expect(
      seen.withLock { $0 } == [
        "/base/v0.1/public/codepush/update_check?app_version=1%2B0&x=%C3%A9 3.0|-|text/plain"
      ])
  }

  @Test(arguments: [(404, "upstream_status"), (500, "upstream_status"), (204, "upstream_status")])
  func saysWhyThereIsNoAnswer(_ status: Int, _ reason: String) throws {
    let server = try server { _, responder in responder.respond(Response(status: status)) }
    defer { server.close() }
    #expect(try ask(upstream(port: server.port)) == reason)
  }

  /// A server that refuses is up; one that fails again and again is left alone.
  @Test func onlyFailuresOpenTheBreaker() throws {
    let (status, asked) = (Atomic404(), Atomic404())
    status.value = 404
    let server = try server { _, responder in
      asked.value += 1
      responder.respond(Response(status: status.value))
    }
    defer { server.close() }
    let upstream = try upstream(port: server.port)
    for _ in 0..<8 { #expect(try ask(upstream) == "upstream_status") }
    #expect(upstream.resting.map(\.isResting) == [false])
    status.value = 503
    for _ in 0..<Breaker.failuresInARow { #expect(try ask(upstream) == "upstream_status") }
    #expect(upstream.resting.map(\.isResting) == [true])
    let before = asked.value
    #expect(try ask(upstream) == "upstream_resting" && asked.value == before)
  }

  private final class Atomic404: Sendable {
    private let number = Mutex(0)
    var value: Int {
      get { number.withLock { $0 } }
      set { number.withLock { $0 = newValue } }
    }
  }

  @Test func aServerThatIsNotThereIsUnreachable() throws {
    let server = try server { _, responder in responder.respond(.text("")) }
    let port = server.port
    server.close()
    #expect(try ask(upstream(port: port)) == "upstream_unreachable")
  }

  @Test func readsItsWords() throws {
    #expect(try Upstream([], version: "1") == nil)
    let all = try #require(try Upstream(["http://127.0.0.1:1"], version: "1"))
    #expect(all.has(codepush) && all.resting.count > 1)
    let sentry = try #require(Dialect.routes.first { $0.dialect.name == "sentry" }).dialect
    #expect(!all.has(sentry), "it asks for no updates")
    for word in ["nonsense", "ftp://x", "sentry=http://x", "codepush=", "=http://x"] {
      let failure = #expect(throws: Failure.self) { _ = try Upstream([word], version: "1") }
      #expect(failure?.code == "bad_upstream" && failure?.what.contains(word) == true)
    }
    let failure = #expect(throws: Failure.self) { _ = try Upstream(["capgo=https://me:secret@x"], version: "1") }
    #expect(failure?.what == #""capgo=https://me@x" is no update server"#)
  }
}
