import Foundation
import HTTP
import Ingest
import Lifecycle
import Store
import Testing

@testable import Server

/// The service as strangers meet it: over a socket, with what no client would send.
struct SocketTests {
  private let served: ServedDatabase
  private let server: HTTPServer
  private let address: WebAddress

  init() throws {
    served = try ServedDatabase()
    server = try served.service.listen(HTTP.Configuration(address: try ListenAddress("127.0.0.1:0")))
    address = try #require(WebAddress("http://127.0.0.1:\(server.port)"))
  }

  private func ask(
    _ method: String, _ path: String, _ body: String = "", headers: [(name: String, value: String)] = []
  ) throws -> OutboundAnswer {
    try HTTPClient(userAgent: "t").send(
      OutboundRequest(method, address.appending(path), headers: headers, body: Array(body.utf8)))
  }

  @Test func strangeRequestsLeaveNoTraceInLabels() throws {
    defer { server.close() }
    #expect(try ask("BREW", "/v1/events").status == 405)
    #expect(try ask("BREW\u{22}", "/healthz").status == 400)
    #expect(try ask("GET", "/no/such/place?x=\(UUID())").status == 404)
    #expect(try ask("GET", "/v1/events/%2e%2e/metrics").status == 400)
    #expect(try ask("POST", "/v1/events/%zz").status == 400)
    let text = try ask("GET", "/metrics").text
    let labels = text.split(separator: "\n").filter { $0.hasPrefix("uptake_http_requests_total{") }
    #expect(labels.count >= 4)
    let known = Set(routes.map(\.name) + ["other"])
    for label in labels {
      let parts = label.split(separator: "\"").map(String.init)
      #expect(known.contains(parts[1]) && ["GET", "POST", "other"].contains(parts[3]), "\(label)")
    }
  }

  /// More than is permitted is refused before it is read, and the rest of the service goes on.
  @Test func aBodyThatIsTooLargeIsRefused() throws {
    defer { server.close() }
    let large = String(repeating: " ", count: (1 << 16) + 1)
    let answer = try ask("POST", "/v1/events", large)
    #expect(answer.status == 413 && answer.text.contains("body_too_large"))
    #expect(try ask("PUT", "/v1/releases/1", large).status == 413)
    #expect(try ask("GET", "/v1/releases", "x").status == 413, "it takes none")
    #expect(try ask("POST", "/updateCheck", large).status == 405)
    #expect(try ask("POST", "/v1/events", #"{"device":"d","stage":"check","app":"a"}"#).status == 200)
  }

  /// The page is what Prometheus reads: each line is a comment, or a name with a number.
  @Test func metricsAreLinesOfNumbers() throws {
    defer { server.close() }
    _ = try ask(
      "POST", "/v1/events", #"[{"device":"d","stage":"check","app":"a\u001b\n"},{"device":"d","stage":"no","app":"a"}]"#
    )
    let page = try ask("GET", "/metrics")
    #expect(page["content-type"] == "text/plain; version=0.0.4; charset=utf-8" && page.text.hasSuffix("\n"))
    var (helped, typed) = (Set<Substring>(), Set<Substring>())
    for line in page.text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if line.hasPrefix("# HELP ") {
        #expect(helped.insert(words[2]).inserted, "\(line)")
      } else if line.hasPrefix("# TYPE ") {
        #expect(typed.insert(words[2]).inserted && helped.contains(words[2]), "\(line)")
      } else {
        let match = line.wholeMatch(of: /([a-z_]+)(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? (-?[0-9.e+-]+)/)
        let name = try #require(match?.1, "\(line)")
        #expect(typed.contains { name == $0 || name.hasPrefix($0 + "_") }, "\(line)")
      }
    }
    #expect(helped == typed && page.text.contains(#"uptake_ingest_rejected_events_total{reason="unknown_stage"} 1"#))
  }

  /// One device's name is nobody else's business: neither metrics nor the log show what was sent.
  @Test func whoSentItIsNotTold() throws {
    defer { server.close() }
    let secret = "device-\(UUID())"
    _ = try ask("POST", "/v1/events", #"{"device":"\#(secret)","stage":"check","app":"a"}"#)
    _ = try ask("GET", "/v1/devices/\(secret)/breadcrumbs?app=a")
    _ = try ask("DELETE", "/v1/devices/\(secret)?app=a")
    _ = try ask("DELETE", "/v1/devices/\(secret)?app=a")
    #expect(try !ask("GET", "/metrics").text.contains(secret) && !served.log.text.contains(secret))
    #expect(served.log.text.contains("device_forgotten"))
  }
}
