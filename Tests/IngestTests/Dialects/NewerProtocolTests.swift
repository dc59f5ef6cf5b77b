import Lifecycle
import Testing

@testable import Ingest

/// Capgo's native notifications. Cap-go/capgo, supabase/functions/_backend/utils/nativeNotifications.ts (July 2026):
/// `NativeNotificationEventInput`, `NativeNotificationEvent`, `getNotificationDeliveryEventId`.
@Suite struct CapgoNotificationTests {
  private static func told(_ event: String, _ more: String = "") throws -> Asked {
    let body = """
      {"appId":"com.example.app","event":"\(event)","campaignId":"fix-2","notificationId":"n1","nativeInstallId":"AB-1",
       "platform":"ios","eventId":"\(event):com.example.app:fix-2:n1:0123456789012345678901234567890123456789",
       "occurredAt":"2024-03-04T09:00:00Z"\(more)}
      """
    return try #require(ask("POST", "/notifications/events", body))
  }

  @Test(arguments: [
    ("provider_accepted", "", "pushSent - unknown accepted"),
    ("failed", #","error":"Unregistered""#, "pushSent - unknown because Unregistered rejected"),
    ("received", "", "pushReceived - silentPush"), ("opened", "", "pushReceived - foreground"),
    ("background_started", "", "wakeStarted - silentPush"), ("background_finished", "", "wakeFinished - silentPush"),
    ("background_finished", #","error":"timeout""#, "wakeFinished - silentPush because timeout failed"),
  ]) func eventsOfAPushAreItsWay(_ row: (event: String, more: String, told: String)) throws {
    let asked = try Self.told(row.event, row.more)
    #expect(asked.events == [row.told + " at 2024-03-04T09:00:00Z"])
    #expect(asked.text == #"{"status":"ok"}"# && asked.heard?.credential == "com.example.app")
    #expect(asked.decoded.batch.events.map(\.push) == [keys.push(app: "com.example.app", id: "fix-2")])
  }

  @Test func aResendIsOneEventAndOtherThingsAreCounted() throws {
    let (one, other) = (try Self.told("received"), try Self.told("received"))
    #expect(one.decoded.batch.events.map(\.identity) == other.decoded.batch.events.map(\.identity))
    #expect(try Self.told("badge_set").heard?.dropped == ["event_badge_set": 1])
    #expect(try Self.told("teleported").heard?.dropped == ["event_other": 1])
    #expect(
      try #require(ask("POST", "/notifications/events", #"{"event":"opened"}"#)).heard?.dropped == ["no_device": 1])
    #expect(try #require(ask("POST", "/notifications/events", "{}")).reply.status == 400)
  }
}

/// gronxb/hot-updater, packages/react-native/src/DefaultResolver.ts: a check up to 0.36.3; `fetchReleaseCatalog` and
/// `resolveArtifact` on the branch of 1.0 (95d0fa42). Neither names an installation.
@Suite struct HotUpdaterQuestionTests {
  @Test(arguments: [
    ("/app-version/ios/1.0.0/production/m/b1", 200, "null"),
    ("/release-catalogs/app-version/default/ios/cHJvZHVjdGlvbg/1.0.0", 503, "error"),
    ("/release-catalogs/fingerprint/default/android/YmV0YQ/f0", 503, "error"), ("/artifacts/b2/from/b1", 503, "error"),
  ]) func noUpdateServerIsNoUpdate(_ row: (path: String, status: Int, says: String)) throws {
    let asked = try #require(ask("GET", row.path))
    #expect(asked.reply.status == row.status && asked.text.contains(row.says))
    #expect(asked.events == [] && asked.heard?.dropped == ["no_device": 1])
  }
}

/// release-health/react-native-release-health, packages/core/src/types.ts `ReleaseHealthEvent`, engine.ts,
/// packages/sink-http/src/index.ts (commit 5756c110): any 2xx acknowledges a batch, anything else is sent again.
@Suite struct ReleaseHealthTests {
  private static func told(
    _ events: [String], device: [String: String] = ["x-uptake-device": "d1", "x-uptake-app": "a"]
  ) throws -> Asked {
    let stamped = events.map { #"{"sessionId":"s1","timestamp":1709542800000,\#($0)}"# }.joined(separator: ",")
    return try #require(ask("POST", "/release-health", #"{"events":[\#(stamped)]}"#, headers: device))
  }

  @Test func itsEventsAreStages() throws {
    let asked = try Self.told([
      #""type":"session_start","updateId":null,"nativeVersion":"4.2","buildNumber":"7","platform":"ios","sdkVersion":"1.0""#,
      #""type":"session_start","updateId":"u1","nativeVersion":"4.2","buildNumber":"7","platform":"ios","sdkVersion":"1.0""#,
      #""type":"update_downloaded","updateId":"u2""#,
      #""type":"update_apply_success","updateId":"u2","msToHealthy":900"#,
      #""type":"healthy","updateId":"u2","msToHealthy":900"#, #""type":"healthy","updateId":null,"msToHealthy":900"#,
      #""type":"update_apply_failed","updateId":"u3","reason":"no space""#,
      #""type":"update_apply_failed","updateId":"u4","reason":"crash-loop""#,
      #""type":"crash","updateId":"u4","fatal":true,"jsMessage":"boom""#,
      #""type":"rollback_recommended","updateId":"u4","reason":"crash-loop""#,
      #""type":"rollback_executed","updateId":"u4","success":true"#,
      #""type":"rollback_executed","updateId":"u5","success":false"#, #""type":"from the future""#,
    ])
    let at = " at 2024-03-04T09:00:00Z"
    #expect(
      asked.events
        == [
          "check store:4.2 unknown", "check u1 unknown", "downloadCompleted u2 unknown", "ready u2 unknown",
          "applied u2 unknown", "confirmed u2 unknown", "confirmed u2 unknown", "check - unknown",
          "failed u3 unknown because no space", "crashed u4 unknown because crash-loop",
          "crashed u4 unknown because boom",
          "rolledBack u4 unknown",
        ].map { $0 + at })
    #expect(
      asked.heard?.dropped == ["type_rollback_recommended": 1, "type_rollback_executed": 1, "type_other": 1])
    #expect(asked.reply.status == 200)
  }

  @Test func whoNamesNoDeviceIsToldHow() throws {
    let asked = try Self.told([#""type":"healthy","updateId":"u2""#], device: [:])
    #expect(asked.reply.status == 400 && asked.text.contains("X-Uptake-Device"))
    #expect(try #require(ask("POST", "/release-health?device=d1", #"{"events":[]}"#)).reply.status == 200)
    #expect(try #require(ask("POST", "/release-health?device=d1", "{}")).reply.status == 400)
  }
}

/// Spans are taken, counted and not kept; the exporter is told so.
@Suite struct TraceTests {
  @Test func spansAreAPartialSuccess() throws {
    let body = #"{"resourceSpans":[{"scopeSpans":[{"spans":[{},{}]},{"spans":[{}]}]}]}"#
    let asked = try #require(ask("POST", "/v1/traces", body, headers: OTLPTests.json))
    #expect(asked.reply.status == 200 && asked.heard?.dropped == ["spans": 3])
    #expect(asked.text.hasPrefix(#"{"partialSuccess":{"rejectedSpans":"3","errorMessage":"spans are not kept here"#))
    let span = Protobuf.field(2, [0x0A, 0x00] as [UInt8])
    let message = Protobuf.field(1, Protobuf.field(2, span + span))
    let protobuf = try #require(ask("POST", "/v1/traces", message, headers: ["content-type": "application/x-protobuf"]))
    #expect(protobuf.heard?.dropped == ["spans": 2] && protobuf.reply.body.starts(with: [0x0A]))
    #expect(try #require(ask("POST", "/v1/traces", "{}", headers: OTLPTests.json)).text == "{}")
    #expect(try #require(ask("POST", "/v1/traces", "x", headers: [:])).reply.status == 415)
  }
}
