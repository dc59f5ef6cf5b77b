import Lifecycle
import Testing

@testable import Ingest

/// What @sentry/react-native says of Expo's updates by itself.
///
/// getsentry/sentry-react-native 8.23.0 (by default since 8.5.0), packages/core/src/js/integrations: `STATE_TRANSITIONS` in
/// expoupdateslistener.ts, category `expo.updates`; `getExpoUpdatesContext` in expocontext.ts, on every event.
@Suite struct SentryExpoTests {
  private static func crumb(_ message: String, _ data: String = "", second: Int = 0) -> String {
    #"{"timestamp":\#(1_709_542_800 + second),"category":"expo.updates","message":"\#(message)","level":"info"\#(data)}"#
  }

  private static func event(_ crumbs: [String], _ updates: String) -> String {
    let context =
      #"{"is_enabled":true,"is_embedded_launch":false,"is_emergency_launch":false,"channel":"beta",\#(updates)}"#
    return """
      {"event_id":"9ec79c33ec9942ab8353589fcb2e04dc","timestamp":1709542860,"release":"com.example.app@4.2.0+120",\
      "user":{"id":"install-7"},"contexts":{"os":{"name":"iOS","version":"17.4"},"ota_updates":\(context)},\
      "breadcrumbs":[\(crumbs.joined(separator: ","))]}
      """
  }

  private static func asked(_ crumbs: [String], _ updates: String = #""update_id":"u1""#) throws -> Asked {
    try #require(ask("POST", SentryTests.envelope, SentryTests.wrapped(event(crumbs, updates))))
  }

  private let running = "check u1 unknown at 2024-03-04T09:01:00Z on beta"

  @Test func theEightMessagesAreStages() throws {
    let found = #","data":{"updateId":"u2"}"#
    let asked = try Self.asked([
      Self.crumb("Checking for update"), Self.crumb("Update available", found, second: 1),
      Self.crumb("Downloading update", second: 2),
      Self.crumb("Update download failed", #","data":{"error":"offline"}"#, second: 3),
      Self.crumb("Downloading update", second: 4), Self.crumb("Update downloaded", found, second: 5),
      Self.crumb("Update check failed", #","data":{"error":"no host"}"#, second: 6),
      Self.crumb("Rollback directive received", #","data":{"commitTime":"2024-03-04T08:00:00Z"}"#, second: 7),
      Self.crumb("Restarting for update", second: 8),
    ])
    func time(_ second: Int) -> String { "at 2024-03-04T09:00:0\(second)Z on beta" }
    #expect(
      asked.events == [
        "check u1 unknown \(time(0))", "available u2 unknown \(time(1))", "downloadStarted u2 unknown \(time(2))",
        "failed u2 unknown because offline \(time(3))", "downloadStarted u2 unknown \(time(4))",
        "downloadCompleted u2 unknown \(time(5))", "ready u2 unknown \(time(5))",
        "failed - unknown because no host \(time(6))", "rolledBack u1 unknown because rollback_directive \(time(7))",
        "check u1 unknown \(time(8))", running,
      ])
    #expect(asked.heard?.dropped == [:])
  }

  @Test func everyEventIsACheckOfWhatRuns() throws {
    let asked = try Self.asked([])
    #expect(asked.events == [running])
    #expect(asked.heard?.dropped == [:])
    #expect(asked.context?.platform == "ios" && asked.context?.appVersion == "4.2.0")
  }

  /// getsentry/sentry-react-native 8.23.0, packages/core/src/js/integrations: `setupErrorUtilsGlobalHandler` in
  /// reactnativeerrorhandlers.ts (a rejection that nobody handled is `handled`), `setExpoUpdatesNativeContext` in expocontext.ts, for
  /// crashes that are told at the next start.
  @Test(arguments: [
    (#""fatal""#, "false", #""update_id":"u1""#, "crashed u1 unknown because TypeError: boom "),
    (#""fatal""#, "false", #""is_embedded_launch":true"#, "crashed store:4.2.0 unknown because TypeError: boom "),
    (#""error""#, "false", #""update_id":"u1""#, ""), (#""fatal""#, "true", #""update_id":"u1""#, ""),
    (#""fatal""#, "false", #""is_enabled":false"#, ""),
  ]) func whatEndsTheAppIsACrashOfWhatRuns(_ row: (level: String, handled: String, updates: String, event: String))
    throws
  {
    let failure = """
      "level":\(row.level),"exception":{"values":[{"type":"Error","value":"cause"},{"type":"TypeError","value":"boom\\nat a.js",\
      "mechanism":{"type":"onerror","handled":\(row.handled)}}]},"user"
      """
    let body = Self.event([], row.updates).replacing(#""user""#, with: failure)
    let asked = try #require(ask("POST", "/api/42/store/", body))
    let crashes = asked.events.filter { $0.hasPrefix("crashed") }
    #expect(crashes == (row.event.isEmpty ? [] : [row.event + "at 2024-03-04T09:01:00Z on beta"]))
    let again = try #require(ask("POST", "/api/42/store/", body))
    #expect(again.decoded.batch.events.map(\.identity) == asked.decoded.batch.events.map(\.identity))
  }

  /// A transaction a second is no sign of life a second.
  @Test func checksOfAnHourAreOne() throws {
    func identities(_ time: String) throws -> [UInt64] {
      let body = Self.event([], #""update_id":"u1""#).replacing("1709542860", with: time)
      return try #require(ask("POST", "/api/42/store/", body)).decoded.batch.events.map(\.identity)
    }
    #expect(try identities("1709542860") == identities("1709542861.5"))
    #expect(try identities("1709542860") != identities("1709546460"))
  }

  @Test(arguments: [
    (#""update_id":"e1","is_embedded_launch":true,"runtime_version":"1.0""#, "check store:1.0"),
    (#""update_id":"e1","is_embedded_launch":true"#, "check store:4.2.0"),
    (#""is_embedded_launch":true,"is_emergency_launch":true,"runtime_version":"1.0""#, "check store:1.0"),
  ]) func theBuildFromTheStoreIsNoUpdate(_ row: (updates: String, event: String)) throws {
    #expect(try Self.asked([], row.updates).events == [row.event + " unknown at 2024-03-04T09:01:00Z on beta"])
  }

  @Test func withoutAnUpdateNothingIsKnownToRun() throws {
    let asked = try Self.asked([], #""is_enabled":false"#)
    #expect(asked.events == [] && asked.heard?.dropped == ["event_without_breadcrumbs": 1])
  }

  @Test func aDownloadOfNobodyKnowsWhatIsCounted() throws {
    let asked = try Self.asked([Self.crumb("Downloading update"), Self.crumb("Something new")])
    #expect(asked.events == [running])
    #expect(asked.heard?.dropped == ["no_release": 1, "other_breadcrumb": 1])
  }

  @Test func nobodyIsNoDevice() throws {
    let body = Self.event([Self.crumb("Checking for update")], #""update_id":"u1""#)
      .replacing(#""user":{"id":"install-7"},"#, with: "")
    let asked = try #require(ask("POST", "/api/42/store/", body))
    #expect(asked.events == [] && asked.heard?.dropped == ["no_device": 2])
  }
}

/// What expo-observe sends: expo/expo, packages/expo-observe/android/src/main/java/expo/modules/observe/OpenTelemetry.kt and
/// ios/OpenTelemetry.swift (SDK 56): `expo.updates.download_time`, `expo.app.updates.id`, `expo.app.updates.channel`.
@Suite struct ExpoObserveTests {
  private static func metrics(_ metric: String, _ resource: String, _ attributes: String = "") -> String {
    func pair(_ name: String, _ value: String) -> String { #"{"key":"\#(name)","value":{"stringValue":"\#(value)"}}"# }
    let base = [
      pair("service.name", "com.example.app"), pair("service.version", "4.2"), pair("expo.eas_client.id", "E1"),
    ]
    return """
      {"resourceMetrics":[{"resource":{"attributes":[\((base + [resource]).joined(separator: ","))]},"scopeMetrics":[{"metrics":[
       {"name":"\(metric)","unit":"s","gauge":{"dataPoints":[{"timeUnixNano":1709542800250000000,"asDouble":2.5,
       "attributes":[\(attributes)]}]}}]}]}]}
      """
  }

  private static let resource =
    #"{"key":"expo.app.updates.id","value":{"stringValue":"U1"}},"#
    + #"{"key":"expo.app.updates.channel","value":{"stringValue":"beta"}}"#

  @Test func itsNamesOfUpdatesAreUnderstood() throws {
    let update = #"{"key":"expo.update_id","value":{"stringValue":"U2"}}"#
    let body = Self.metrics("expo.updates.download_time", Self.resource, update)
    let asked = try #require(ask("POST", "/v1/metrics", body, headers: OTLPTests.json))
    #expect(
      asked.events == [
        "check u1 unknown at 2024-03-04T09:00:00.250Z on beta",
        "downloadCompleted u2 unknown at 2024-03-04T09:00:00.250Z on beta",
      ])
    #expect(asked.decoded.batch.events.last?.duration?.rawValue == 2500)
  }

  @Test func otherMetricsAreSignsOfLife() throws {
    let asked = try #require(
      ask("POST", "/v1/metrics", Self.metrics("expo.app_startup.tti", Self.resource), headers: OTLPTests.json))
    #expect(asked.events == ["check u1 unknown at 2024-03-04T09:00:00.250Z on beta"])
  }

  /// expo/expo, packages/expo-app-metrics/android/…/jserrors/ErrorReport.kt `makeExceptionLogRecord` and
  /// …/crashreporting/CrashReport.kt `toLogRecord`; packages/expo-observe/ios/Event.swift `from(session:metrics:logs:)`: the
  /// resource is the one of the session in which it happened, also where the next start tells of it.
  @Test(arguments: [
    ("true", "TypeError", "undefined is not a function\\nat a.js", " because TypeError: undefined is not a function"),
    ("true", "SIGSEGV", "", " because SIGSEGV"), ("true", "SIGKILL", "", "-"), ("true", "", "", ""),
    ("false", "TypeError", "caught", "-"),
  ])
  func aFatalErrorIsACrashOfWhatRan(_ row: (fatal: String, type: String, message: String, crash: String)) throws {
    func value(_ text: String) -> String { text.isEmpty ? "{}" : #"{"stringValue":"\#(text)"}"# }
    let identity =
      #"{"key":"expo.eas_client.id","value":{"stringValue":"E1"}},{"key":"service.name","value":{"stringValue":"a"}}"#
    let body = """
      {"resourceLogs":[{"resource":{"attributes":[\(identity),\(Self.resource)]},"scopeLogs":[{"logRecords":[
       {"timeUnixNano":1709542800250000000,"severityNumber":21,"body":{"stringValue":""},"attributes":[
       {"key":"event.name","value":{"stringValue":"exception"}},
       {"key":"expo.error.is_fatal","value":{"boolValue":\(row.fatal)}},
       {"key":"expo.crash.signal_number","value":{"intValue":"\(row.type == "SIGKILL" ? 9 : 11)"}},
       {"key":"exception.type","value":\(value(row.type))},{"key":"exception.message","value":\(value(row.message))}]}]}]}]}
      """
    let asked = try #require(ask("POST", "/v1/logs", body, headers: OTLPTests.json))
    let at = "at 2024-03-04T09:00:00.250Z on beta"
    let isCrash = row.crash != "-"
    #expect(asked.events == ["check u1 unknown " + at] + (isCrash ? ["crashed u1 unknown\(row.crash) " + at] : []))
    #expect(asked.heard?.dropped == (isCrash ? [:] : ["other_record": 1]))
  }
}
