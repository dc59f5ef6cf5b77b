import Lifecycle
import Testing

@testable import Ingest

@Suite struct NativeTests {
  @Test func readsEveryField() throws {
    let decoded = decode(
      """
      {"device":"d1","stage":"wakeFinished","app":"com.example.demo","trigger":"silentPush",
       "at":"2024-03-04T08:00:00.250Z","release":"2.0.0","channel":"beta","id":"e1","from":"1.0.0","platform":"ios",
       "osVersion":"17.4","appVersion":"5.1","sdkVersion":"3.2","network":"wifi","durationMs":1200,"bytes":4096,
       "outcome":"newData","reason":"why","push":"p1","emulator":false,"bucket":99,"arm":"holdout","appState":"active",
       "appIsStarting":true,"battery":0.5}
      """)
    #expect(decoded.rejections == [])
    let event = try #require(decoded.batch.events.first)
    #expect(event.at.rfc3339 == "2024-03-04T08:00:00.250Z")
    #expect(event.stage == .wakeFinished && event.trigger == .silentPush && event.outcome == .newData)
    #expect(event.duration == Milliseconds(rawValue: 1200) && event.bytes == 4096 && event.bucket == 99)
    let names = decoded.batch
    #expect(names.name(event.release) == "2.0.0" && names.name(event.from) == "1.0.0")
    #expect(names.name(event.reason) == "why")
    #expect(event.device == keys.device(app: "com.example.demo", id: "d1"))
    #expect(event.push == keys.push(app: "com.example.demo", id: "p1"))
    let context = Context(
      app: "com.example.demo", channel: "beta", platform: "ios", osVersion: "17.4", appVersion: "5.1",
      sdkVersion: "3.2", network: "wifi", arm: "holdout", emulator: false,
      traits: "network=wifi")
    #expect(decoded.batch.contexts == [context])
    #expect(decoded.ignoredFields == 1)
  }
}
