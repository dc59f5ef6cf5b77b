import Foundation
import Lifecycle
import Testing

@testable import Simulate

/// Every event obeys the ingest contract.
struct ContractTests {
  static let known: Set<String> = [
    "device", "stage", "app", "trigger", "at", "release", "channel", "id", "from", "platform", "osVersion",
    "appVersion",
    "sdkVersion", "network", "durationMs", "bytes", "outcome", "reason", "appState", "appIsStarting", "push",
    "emulator",
    "bucket", "arm",
  ]

  @Test func everyEventIsValid() throws {
    let recording = try Recording(try Scenario.small("demo", devices: 60))
    #expect(recording.lines.count > 5_000)
    #expect(recording.lines.flatMap(problems) == [])
  }

  /// What the contract would refuse, named by field.
  private func problems(_ line: Line) -> [String] {
    var problems: [String] = []
    func require(_ holds: Bool, _ field: String) { if !holds { problems.append("\(field) in \(line.fields)") } }
    require(Self.known.isSuperset(of: line.fields.keys), "an unknown field")
    require((1...128).contains(line.device.utf8.count), "device")
    require(line["app"] == "com.example.shop", "app")
    require((1...64).contains(line["id"]?.utf8.count ?? 0), "id")
    require(line.at.rawValue > 1_700_000_000_000, "at")
    let stage = Stage(rawValue: line.stage)
    require(stage != nil, "stage")
    require(stage?.releaseMeaning == .optional || line.release != nil, "release")
    require(line.trigger.map { Trigger(rawValue: $0) != nil } ?? true, "trigger")
    require(line["outcome"].map { Outcome(rawValue: $0) != nil } ?? true, "outcome")
    require(line["appState"].map { AppState(rawValue: $0) != nil } ?? true, "appState")
    require((line.fields["bucket"] as? Int).map { (0..<100).contains($0) } ?? true, "bucket")
    require((line.fields["durationMs"] as? Int).map { $0 >= 0 } ?? true, "durationMs")
    return problems
  }

  @Test func whatHappensIsAllThere() throws {
    let lines = try Recording(try Scenario.small("demo", devices: 150)).lines
    let stages = Set(lines.map(\.stage))
    #expect(stages == Set(Stage.allCases.map(\.rawValue)))
    #expect(Set(lines.compactMap(\.trigger)) == ["silentPush", "bgRefresh", "foreground", "location"])
    #expect(Set(lines.compactMap { $0["channel"] }) == ["beta"])
    #expect(Set(lines.compactMap { $0["arm"] }) == ["push", "holdout"])
  }

  /// A resend repeats the event to the byte under the same id; other events never share one.
  @Test func identitiesTellResendsFromEvents() throws {
    var scenario = try Scenario.small("quiet-week", devices: 200)
    scenario.transport.duplicates = 0.2
    let recording = try Recording(scenario)
    let lines = String(decoding: recording.bytes, as: UTF8.self).split(separator: "\n")
    let ids = recording.lines.compactMap { $0["id"] }
    #expect(Set(ids).count == Set(lines).count)
    #expect(Set(ids).count < ids.count)
  }

  @Test func hiddenBucketsAreNotSent() throws {
    var scenario = try Scenario.small("quiet-week", devices: 20)
    scenario.client.reportsBucket = false
    #expect(try Recording(scenario).lines.allSatisfy { $0.fields["bucket"] == nil })
  }

  @Test func timesOfTransportAreStampedOnRequest() throws {
    var stamped = 0
    let fleet = Fleet(try Scenario.small("quiet-week", devices: 5), seed: 1, stampsTransport: true)
    _ = fleet.run { request in
      let text = String(decoding: request.body, as: UTF8.self)
      stamped += text.split(separator: "\n").count {
        $0.hasSuffix(",\"received\":\(request.received.rawValue),\"sentAt\":\(request.sentAt.rawValue)}")
      }
    }
    #expect(stamped > 100)
  }

  @Test func publicationsAreBodiesForRegistration() throws {
    let scenario = try Scenario.small("bad-release")
    let json = try JSONSerialization.jsonObject(with: Data(Fleet.publications(of: scenario).utf8))
    let publications = try #require(json as? [[String: Any]])
    #expect(
      publications.compactMap { $0["release"] as? String } == [
        "2.0.0", "2.0.0", "2.1.0", "2.1.0", "2.2.0", "2.2.0", "2.2.1", "2.2.1",
      ])
    let halted = try #require(
      publications.first { $0["release"] as? String == "2.2.0" && $0["channel"] as? String == "production" })
    #expect((halted["rollout"] as? [[String: Any]])?.compactMap { $0["percent"] as? Double } == [10])
  }

  @Test(arguments: [0, 951_782_400_123, 1_751_241_599_999]) func timesAreWrittenAsRFC3339(milliseconds: Int64) throws {
    var bytes: [UInt8] = []
    let instant = Timestamp(rawValue: milliseconds)
    Wire(World(Scenario(), seed: 0), stampsTransport: false).append(at: instant, asText: true, to: &bytes)
    let text = String(decoding: bytes.dropFirst(7).dropLast(), as: UTF8.self)
    #expect(try Timestamp(rfc3339: text) == instant)
  }
}
