import Foundation
import Testing

/// `GET /v1/pulse`: what tells a screen that it is time to ask.
@Suite struct PulseTests {
  private func pulse(_ service: RunningService, _ query: String = "") throws -> (version: String, rate: Double) {
    let reply = try service.ask("GET", "/v1/pulse" + query)
    #expect(reply.status == 200, "\(reply.body)")
    let object = try JSONSerialization.jsonObject(with: Data(reply.body.utf8)) as? [String: Any]
    #expect(object?["schema"] as? String == "uptake.pulse/1")
    return (object?["version"] as? String ?? "", object?["eventsPerSecond"] as? Double ?? -1)
  }

  private func send(_ service: RunningService, _ devices: Range<Int>, app: String = "a") throws {
    let events = devices.map { #"{"app":"\#(app)","device":"d\#($0)","stage":"check"}"# }
    #expect(try service.ask("[" + events.joined(separator: ",") + "]").status == 200)
  }

  @Test func anotherVersionAfterWhateverChangesAnAnswer() throws {
    let service = try RunningService()
    defer { service.removeFiles() }
    try send(service, 0..<1)
    let first = try pulse(service).version
    #expect(try pulse(service).version == first)
    try send(service, 1..<2)
    let second = try pulse(service).version
    #expect(second != first)
    func publish(_ day: Int) throws {
      let body = #"{"app":"a","channel":"production","publishedAt":"2025-03-0\#(day)T00:00:00Z"}"#
      #expect(try service.ask("PUT", "/v1/releases/2.0.0", Array(body.utf8)).status == 200)
    }
    try publish(1)
    let third = try pulse(service).version
    #expect(third != second)
    // A correction counts, too.
    try publish(2)
    #expect(try pulse(service).version != third)
  }

  /// More than one of the pieces in which they are counted, and each app for itself.
  @Test func countsTheEventsOfTenSeconds() throws {
    let service = try RunningService()
    defer { service.removeFiles() }
    try send(service, 0..<250)
    try send(service, 0..<30, app: "b")
    #expect(try pulse(service).rate == 28)
    #expect(try pulse(service, "?app=a").rate == 25)
    #expect(try pulse(service, "?app=b").rate == 3)
    #expect(try pulse(service, "?app=c").rate == 0)
    #expect(try service.ask("GET", "/v1/pulse?channel=x").status == 400)
  }
}
