@testable import HTTP
import Ingest
import Testing

@testable import Server

/// Of many channels `/metrics` is large, and Prometheus takes it packed.
struct PackedMetricsTests {
  private func value(_ name: String, _ response: Response) -> String? {
    response.headers.first { $0.name == name }?.value
  }

  @Test func whoTakesItPackedGetsTheSameText() throws {
    let served = try ServedDatabase()
    let packed = served.ask("GET", "/metrics", headers: [("accept-encoding", "gzip")])
    let plain = served.ask("GET", "/metrics")
    #expect(value("Content-Encoding", packed) == "gzip" && value("Content-Encoding", plain) == nil)
    #expect(value("Vary", packed) == "Accept-Encoding" && value("Content-Type", packed) == value("Content-Type", plain))
    let text = try inflate(packed.body.span.bytes, .gzip, limit: 1 << 20)
    let whole = String(decoding: text.prefix(plain.body.count), as: UTF8.self)
    #expect(whole.hasPrefix("# HELP uptake_build_info ") && packed.body.count * 3 < plain.body.count)
  }

  @Test(arguments: ["identity", "gzip;q=0", ""]) func whoDoesNotGetsText(_ accepts: String) throws {
    let response = try ServedDatabase().ask("GET", "/metrics", headers: [("accept-encoding", accepts)])
    #expect(value("Content-Encoding", response) == nil && response.text.contains("\nuptake_build_info{"))
  }
}
