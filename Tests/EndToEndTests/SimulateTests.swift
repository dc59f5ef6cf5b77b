import Foundation
import Testing

/// A simulated fleet, through the built program, to files and to a running service.
@Suite struct SimulateTests {
  private static let fleet = ["simulate", "--scenario", "critical-fix-with-push", "--devices", "12", "--days", "8"]

  /// Everything that a file would hold is stored once by the service, and not one event is refused.
  @Test func sendsWhatItWouldWrite() throws {
    let service = try RunningService()
    let events = service.directory + "/events.ndjson"
    let sent = try Binary.start(Binary.path, Self.fleet + ["--to", "http://127.0.0.1:\(service.port)"])
    #expect(sent.status == 0, "\(sent.errors)")
    #expect(try Binary.start(Binary.path, Self.fleet + ["--out", events]).status == 0)
    let lines = try String(contentsOfFile: events, encoding: .utf8).split(separator: "\n")
    let ids = try lines.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return try #require(object?["id"] as? String)
    }
    #expect(ids.count > 500)
    let stored = try Binary.run("import", events, "--db", service.directory + "/other.db", "--json")
    #expect(stored.status == 0, "\(stored.output)")
    let again = try Binary.run("import", events, "--db", service.directory + "/other.db", "--json")
    #expect(again.output.contains(#""accepted":0"#))
    let metrics = try service.ask("GET", "/metrics").body
    let accepted = metrics.split(separator: "\n").filter { $0.contains(#"outcome="accepted""#) }
    let counts = accepted.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(counts.reduce(0, +) == Set(ids).count)
    #expect(metrics.contains("uptake_ingest_received_events_total \(ids.count)\n"))
    service.stop()
    service.removeFiles()
  }

  @Test func saysWhenNobodyListens() throws {
    let result = try Binary.run("simulate", "--devices", "1", "--to", "ftp://127.0.0.1")
    #expect(result.status == 2)
    #expect(result.errors.contains("hint: write it like http://127.0.0.1:8787"))
  }

  @Test(arguments: ["0001-01-01", "1999-12-31", "52000w"]) func saysWhenNobodyCanMeanTheTime(_ end: String) throws {
    let result = try Binary.run("simulate", "--devices", "1", "--until", end)
    #expect(result.status == 2 && result.errors.contains("between the years 2000 and 9999"), "\(result.errors)")
  }

  @Test func standardOutputIsTheSameFile() throws {
    let first = try Binary.start(Binary.path, Self.fleet)
    #expect(first.status == 0)
    #expect(first.output.hasPrefix(#"{"device":""#))
    #expect(try Binary.start(Binary.path, Self.fleet).output == first.output)
  }
}
