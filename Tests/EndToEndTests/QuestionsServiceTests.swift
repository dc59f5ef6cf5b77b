import Foundation
import Testing

/// `GET /v1/answers/{question}`: the command's own JSON, for a read key, and nothing but questions.
final class QuestionsServiceTests {
  private let service = try? RunningService()
  deinit {
    service?.stop()
    service?.removeFiles()
  }

  private func loaded() throws -> (service: RunningService, read: [String: String], ingest: [String: String]) {
    let service = try #require(service)
    let folder = service.directory
    _ = try Binary.run(
      "simulate", "--devices", "20", "--out", folder + "/events.ndjson", "--publications", folder + "/publications.json")
    let to = ["--db", service.database]
    _ = try Binary.start(Binary.path, ["release", "publish", "--from", folder + "/publications.json"] + to)
    let events = Array(try Data(contentsOf: URL(filePath: folder + "/events.ndjson")))
    for part in stride(from: 0, to: events.count, by: 400_000) { _ = part }
    _ = try Binary.start(Binary.path, ["import", folder + "/events.ndjson"] + to)
    let keys = try ["read", "ingest"].map { scope in
      let made = try Binary.start(
        Binary.path, ["key", "create", "--app", "com.example.shop", "--scope", scope, "--format", "tsv", "--no-header"] + to)
      return ["Authorization": "Bearer " + (made.output.split { $0.isWhitespace }.first { $0.count > 20 } ?? "")]
    }
    kill(service.process.processIdentifier, SIGHUP)
    return (service, keys[0], keys[1])
  }
}
