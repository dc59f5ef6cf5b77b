@testable import HTTP
import Ingest
import Testing

@testable import Server

/// Whoever can reach the service can make up methods, paths and words; none of them may become a time series.
struct MetricLabelTests {
  private func observe(_ served: ServedDatabase, _ method: String, _ target: String, label: String? = nil) {
    served.service.observe(
      Observation(
        method: method, target: target, peer: "", label: label, status: 404, duration: .zero, requestBytes: 0,
        responseBytes: 0))
  }

  @Test func madeUpMethodsAndPathsAreOneSeries() throws {
    let served = try ServedDatabase()
    for number in 0..<1000 {
      observe(served, "M\(number)", "/\(number)")
      observe(served, "M\(number)", "/v1/answers/\(number)", label: "/v1/answers/{question}")
      observe(served, "GET", "/v1/devices/\(number)/breadcrumbs")
    }
    #expect(
      served.service.metrics.requests.snapshot.count == 3, "\(served.service.metrics.requests.snapshot.prefix(5))")
  }

  @Test(arguments: ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
  func methodsThatPeopleUseAreNamed(_ method: String) throws {
    let served = try ServedDatabase()
    observe(served, method, "/healthz")
    #expect(served.service.metrics.requests.snapshot.map(\.labels) == [["/healthz", method, "404"]])
  }

  @Test(arguments: ["", "get", "GET ", "CONNECT\u{7}", "PROPFIND"]) func othersAreOther(_ method: String) throws {
    let served = try ServedDatabase()
    observe(served, method, "/healthz")
    #expect(served.service.metrics.requests.snapshot.map(\.labels) == [["/healthz", "other", "404"]])
  }

  /// Prometheus reads line by line: a label that ends one makes the whole page unreadable.
  @Test(arguments: [
    ("a\nb", #"a\nb"#), ("a\r\nb", #"a\\r\nb"#), ("\"", #"\""#), ("\"\u{301}", "\\\"\u{301}"),
    ("\\\u{301}", "\\\\\u{301}"),
    ("\n\u{301}", "\\n\u{301}"), ("Größe", "Größe"), ("\t\u{1B}[2J", #"\\t\\u{1b}[2J"#),
    ("\u{202E}gnp", #"\\u{202e}gnp"#), ("a\u{200D}b", "a\u{200D}b"),
  ]) func aLabelStaysWithinItsQuotes(_ label: String, _ written: String) {
    var text = MetricsText()
    text.gauge("x", "y", 1, [("l", label)])
    let last = text.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().last ?? ""
    #expect(Array(text.text.utf8) == Array("# HELP x y\n# TYPE x gauge\nx{l=\"\(written)\"} 1\n".utf8), "\(last)")
  }
}
