import Lifecycle
import Testing

@testable import Ingest

/// Every word that a client may use instead of another.
@Suite struct WordTests {
  @Test(arguments: [
    ("wake_started", Stage.wakeStarted), ("wake-started", .wakeStarted), ("download_started", .downloadStarted),
    ("download-completed", .downloadCompleted), ("rolled_back", .rolledBack), ("rolled-back", .rolledBack),
    ("push_sent", .pushSent), ("push_received", .pushReceived), ("wake_finished", .wakeFinished),
    ("update-available", .available), ("download-progress", .downloadStarted),
    ("download-complete", .downloadCompleted), ("update-ready", .ready), ("update-applied", .applied),
    ("update-dismissed", .dismissed), ("rollback", .rolledBack), ("error", .failed), ("installed", .ready),
    ("DOWNLOAD_PROD_STARTED", .downloadStarted), ("DOWNLOAD_PROD_COMPLETED", .downloadCompleted),
    ("DOWNLOAD_PROD_FAILED", .failed), ("INSTALLED_PROD", .ready), ("ROLLBACK_PROD", .rolledBack),
    ("STABILIZE_PROD", .confirmed), ("CORRUPTION_PROD", .failed), ("SYNC_ERROR", .failed),
    ("VERSION_CHANGED", .applied), ("CRASH_DETECTED", .crashed),
  ])
  func stage(_ word: String, _ stage: Stage) {
    #expect(decode(#"{"device":"d","stage":"\#(word)","release":"r"}"#).batch.events.map(\.stage) == [stage])
  }

  @Test(arguments: Stage.allCases) func stageByItsName(_ stage: Stage) {
    #expect(decode(#"{"device":"d","stage":"\#(stage.rawValue)","release":"r"}"#).batch.events.map(\.stage) == [stage])
  }

  @Test(arguments: [
    ("DOWNLOAD_PROD_FAILED", "download"), ("CORRUPTION_PROD", "corruption"), ("SYNC_ERROR", "sync"), ("error", nil),
  ])
  func impliedReason(_ word: String, _ reason: String?) throws {
    let batch = decode(#"{"device":"d","stage":"\#(word)"}"#).batch
    #expect(batch.name(try #require(batch.events.first).reason) == reason)
    let told = decode(#"{"device":"d","stage":"\#(word)","reason":"disk full"}"#).batch
    #expect(told.name(try #require(told.events.first).reason) == "disk full")
  }

  @Test(arguments: [
    (#""type":"silentPush""#, #""trigger":"silentPush""#), (#""trigger":"silent_push""#, #""trigger":"silentPush""#),
    (#""trigger":"bg-refresh""#, #""trigger":"bgRefresh""#), (#""ts":1709539200123"#, #""at":1709539200123"#),
    (#""at":"2024-03-04T08:00:00.123Z""#, #""at":1709539200123"#),
    (#""at":"2024-03-04T10:00:00.1239+02:00""#, #""at":1709539200123"#),
    (#""at":1709539200123.0"#, #""at":1709539200123"#),
    (#""at":1.709539200123e12"#, #""at":1709539200123"#), (#""result":"newData""#, #""outcome":"newData""#),
    (#""outcome":"new_data""#, #""outcome":"newData""#), (#""outcome":"no-data""#, #""outcome":"noData""#),
    (#""os_version":"17""#, #""osVersion":"17""#), (#""os-version":"17""#, #""osVersion":"17""#),
    (#""app_version":"5""#, #""appVersion":"5""#), (#""sdk_version":"3""#, #""sdkVersion":"3""#),
    (#""duration_ms":5"#, #""durationMs":5"#), (#""duration-ms":5.0"#, #""durationMs":5"#),
    (#""app_state":"not_running""#, #""appState":"notRunning""#),
    (#""app_is_starting":true"#, #""appIsStarting":true"#),
    // A field's own name wins over another word for it; of one name said twice, the last.
    (#""trigger":"location","type":"x""#, #""trigger":"location""#),
    (#""type":"x","trigger":"location""#, #""trigger":"location""#),
    (#""channel":"a","channel":"b""#, #""channel":"b""#), (#""channel":"b","channel":null"#, #""x":0"#),
    (#""platform":"""#, #""x":0"#), (#""pl\u0061tform":"i\u006fs""#, #""platform":"ios""#),
    (#""reason":"\u00e9\ud83d\ude00\"\\\/""#, #""reason":"é😀\"\\/""#),
  ])
  func sameAs(_ members: String, _ canonical: String) {
    let stage = members.contains("app") ? "pushReceived" : "check"
    let (left, right) = (
      decode(#"{"device":"d","stage":"\#(stage)",\#(members)}"#),
      decode(#"{"device":"d","stage":"\#(stage)",\#(canonical)}"#)
    )
    #expect(left.rejections == [] && left.batch.events.count == 1)
    #expect(left.batch.events == right.batch.events && left.batch.contexts == right.batch.contexts)
    #expect(left.batch.names == right.batch.names)
  }

  @Test(arguments: [
    ("apns", "accepted", Outcome.accepted), ("fcm", "rejected", .rejected),
  ])
  func gateway(_ field: String, _ answer: String, _ outcome: Outcome) throws {
    let event = try #require(
      decode(#"{"id":"p1","device":"d","stage":"push_sent","\#(field)":"\#(answer)"}"#).batch.events.first)
    #expect(event.outcome == outcome)
    #expect(event.push == keys.push(app: "com.example.demo", id: "p1"))
  }

  /// Whoever sends pushes can only mean that the gateway did not take it; of a wake-up it is how its work ended.
  @Test(arguments: [
    (Stage.pushSent, "failed", Outcome.rejected), (.pushSent, "rejected", .rejected),
    (.pushSent, "accepted", .accepted), (.wakeFinished, "failed", .failed), (.wakeFinished, "expired", .expired),
    (.pushReceived, "failed", .failed), (.ready, "accepted", .accepted),
  ])
  func outcomeOfAStage(_ stage: Stage, _ word: String, _ outcome: Outcome) {
    let body = #"{"device":"d","stage":"\#(stage.rawValue)","release":"r","push":"p","outcome":"\#(word)"}"#
    #expect(decode(body).batch.events.map(\.outcome) == [outcome])
  }

  @Test(arguments: [
    (#""appState":"background""#, Trigger.silentPush), (#""appState":"inactive","appIsStarting":true"#, .foreground),
    (#""appState":"active","trigger":"silentPush""#, .foreground), (#""appIsStarting":true"#, .unknown),
    (#""trigger":"silentPush""#, .silentPush),
  ])
  func arrivalOrTap(_ members: String, _ trigger: Trigger) {
    #expect(decode(#"{"device":"d","stage":"pushReceived",\#(members)}"#).batch.events.map(\.trigger) == [trigger])
  }

  @Test func unknownIsNeverGuessed() {
    let batch = decode(#"{"device":"d","stage":"check"}"#).batch
    #expect(batch.events.map(\.trigger) == [.unknown] && batch.contexts.map(\.channel) == ["production"])
  }

  @Test func cutsALongReasonAtACharacter() throws {
    let reason = String(repeating: "é", count: 200)
    let batch = decode(#"{"device":"d","stage":"failed","reason":"x\#(reason)"}"#).batch
    #expect(batch.name(try #require(batch.events.first).reason) == "x" + String(repeating: "é", count: 127))
  }

  @Test(arguments: Field.allCases) func takesTextsUpToTheirLimit(_ field: Field) {
    guard field.kind == .text, field != .app else { return }
    let longest = String(repeating: "x", count: field.limit)
    let body = #"{"device":"d","stage":"check","\#(field)":"\#(longest)"}"#
    #expect(decode(body).rejections == [])
  }
}
