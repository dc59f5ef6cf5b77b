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
    for line in recording.lines { expectValid(line) }
  }

  private func expectValid(_ line: Line) {
    #expect(Self.known.isSuperset(of: line.fields.keys))
    #expect((1...128).contains(line.device.utf8.count))
    #expect(line["app"] == "com.example.shop")
    #expect((1...64).contains(line["id"]?.utf8.count ?? 0))
    #expect(line.at.rawValue > 1_700_000_000_000)
    guard let stage = Stage(rawValue: line.stage) else { Issue.record("unknown stage \(line.stage)"); return }
    if stage.releaseMeaning != .optional { #expect(line.release != nil) }
    if let trigger = line.trigger { #expect(Trigger(rawValue: trigger) != nil) }
    if let outcome = line["outcome"] { #expect(Outcome(rawValue: outcome) != nil) }
    if let state = line["appState"] { #expect(AppState(rawValue: state) != nil) }
    if let bucket = line.fields["bucket"] as? Int { #expect((0..<100).contains(bucket)) }
    if let duration = line.fields["durationMs"] as? Int { #expect(duration >= 0) }
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
