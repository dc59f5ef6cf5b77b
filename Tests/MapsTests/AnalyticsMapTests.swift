import Ingest
import Lifecycle
import Testing

@testable import Maps

/// Exports of analytics: an update of the store by itself, one over the air by events of the app's own.
@Suite struct AnalyticsMapTests {
  private func traits(_ mapped: Mapped) -> [String: String] {
    DeviceTraits(mapped.contexts.first?.traits).values
  }

  /// The schema of `events_*`: developers.google.com/analytics/bigquery/event-schema (2024): event_name, event_timestamp in
  /// microseconds, user_pseudo_id, device, geo, app_info, platform, event_params as key and value. BigQuery writes INT64
  /// as text in JSON. `app_update` and its `previous_app_version`: support.google.com/firebase/answer/9234069.
  @Test func ga4() throws {
    let common = #"""
      "user_pseudo_id":"A1B2","platform":"IOS","app_info":{"id":"com.example.demo","version":"4.2.0","install_store":null},\#
      "device":{"category":"mobile","mobile_model_name":"iPhone15,2","mobile_marketing_name":"iPhone 14 Pro",\#
      "operating_system":"IOS","operating_system_version":"iOS 17.3.1"},"geo":{"country":"Germany"}
      """#
    func row(_ name: String, _ at: String, _ parameters: String = "") -> String {
      #"{"event_date":"20240304","event_name":"\#(name)","event_timestamp":"\#(at)","event_params":[\#(parameters)],"#
        + common
        + "}"
    }
    let text = #"{"key":"previous_app_version","value":{"string_value":"4.1.0"}}"#
    let release =
      #"{"key":"release","value":{"string_value":"v12"}},{"key":"trigger","value":{"string_value":"silentPush"}}"#
    let mapped = try Mapped(
      [
        row("session_start", "1709539200000000"), row("app_update", "1709539201500000", text),
        row("update_ready", "1709539202000000", release), row("screen_view", "1709539203000000"),
        row("session_start", "1709539203000000").replacing("IOS", with: "WEB"),
      ].joined(separator: "\n"), shipped: "ga4")
    #expect(
      mapped.events == [
        "check - at 2024-03-04T08:00:00Z", "applied store:4.2.0 from store:4.1.0 at 2024-03-04T08:00:01.500Z",
        "ready v12 silentPush at 2024-03-04T08:00:02Z",
      ])
    #expect(mapped.skipped == 2 && mapped.refusals == [] && mapped.devices == 1)
    #expect(traits(mapped) == ["deviceModel": "iPhone 14 Pro", "region": "Germany"])
    #expect(mapped.contexts.first?.platform == "ios" && mapped.contexts.first?.osVersion == "iOS 17.3.1")
  }

  /// segmentio/analytics-swift, Sources/Segment/Plugins/Platforms/iOS/iOSLifecycleEvents.swift at 6eb8192 ("Application
  /// Opened", "Application Updated" with previous_version); fields of messages: segment.com/docs/connections/spec/common.
  @Test func segment() throws {
    let context = #"""
      "context":{"app":{"namespace":"com.example.demo","version":"4.2.0","build":"7"},"device":{"id":"IDFV-1",\#
      "model":"iPhone15,2","type":"ios"},"library":{"name":"analytics-swift","version":"1.5.0"},"network":{"wifi":true},\#
      "os":{"name":"iOS","version":"17.3"}},"anonymousId":"anon","messageId":"m\#(0)"
      """#
    func row(_ event: String, _ properties: String, type: String = "track") -> String {
      #"{"type":"\#(type)","event":"\#(event)","properties":{\#(properties)},"originalTimestamp":"2024-03-04T08:00:00.123Z","#
        + #""receivedAt":"2024-03-04T08:00:05.000Z",\#(context.replacing("m0", with: event.filter { $0 != " " }))}"#
    }
    let mapped = try Mapped(
      [
        row("Application Opened", #""from_background":false,"version":"4.2.0","build":"7""#),
        row("Application Updated", #""previous_version":"4.1.0","previous_build":"6","version":"4.2.0","build":"7""#),
        row("Update Failed", #""release":"v12","reason":"hash","trigger":"bgRefresh""#), row("Order Completed", ""),
        row("Application Opened", "", type: "screen"),
      ].joined(separator: "\n"), shipped: "segment")
    #expect(
      mapped.events == [
        "check - at 2024-03-04T08:00:00.123Z",
        "applied store:4.2.0 from store:4.1.0 at 2024-03-04T08:00:00.123Z",
        "failed v12 bgRefresh because hash at 2024-03-04T08:00:00.123Z",
      ])
    #expect(mapped.skipped == 2 && mapped.refusals == [] && mapped.devices == 1)
    #expect(mapped.contexts.first?.network == "wifi" && mapped.contexts.first?.sdkVersion == "1.5.0")
  }

  /// segmentio/segment-docs, src/connections/spec/common.md at 02d62cb: the message that the spec gives as its example.
  @Test func segmentByItsSpec() throws {
    let mapped = try Mapped(
      #"""
      {"anonymousId":"507f191e810c19729de860ea","context":{"active":true,"app":{"name":"InitechGlobal","version":"545",\#
      "build":"3.0.1.545","namespace":"com.production.segment"},"device":{"id":"B5372DB0-C21E-11E4-8DFC-AA07A5B093DB",\#
      "manufacturer":"Apple","model":"iPhone7,2","name":"maguro","type":"ios","token":"ff15"},"ip":"8.8.8.8",\#
      "library":{"name":"analytics.js","version":"2.11.1"},"network":{"bluetooth":false,"carrier":"T-Mobile US",\#
      "cellular":true,"wifi":false},"os":{"name":"iPhone OS","version":"8.1.3"}},"event":"Application Opened",\#
      "messageId":"022bb90c-bbac-11e4-8dfc-aa07a5b093db","receivedAt":"2015-12-10T04:08:31.909Z",\#
      "sentAt":"2015-12-10T04:08:31.581Z","timestamp":"2015-12-10T04:08:31.905Z","type":"track","userId":"97980cfea0067","version":2}
      """#, shipped: "segment", app: nil)
    #expect(mapped.events == ["check - at 2015-12-10T04:08:31.905Z"] && mapped.refusals == [])
    let context = try #require(mapped.contexts.first)
    #expect((context.app, context.platform, context.osVersion) == ("com.production.segment", "ios", "8.1.3"))
    #expect(traits(mapped) == ["deviceModel": "iPhone7,2", "network": "cellular"])
  }

  /// posthog.com/docs/data-pipelines/batch-exports/s3 (uuid, event, distinct_id, properties, timestamp; properties may be a
  /// text); PostHog/posthog-ios, PostHog/AppLifeCycle/PostHogAppLifeCycleIntegration.swift at e8b4cdd and
  /// PostHog/PostHogContext.swift at 2a5e88e ($device_id, $app_version, $app_namespace, $os_name, $network_wifi).
  @Test(arguments: [
    "2024-03-04T08:00:00.5Z", "2024-03-04T08:00:00.500+00:00", "2024-03-04T03:00:00.5-05:00", "2024-03-04T08:00:00.5",
    "2024-03-04 08:00:00.500000",
  ])
  func posthog(_ time: String) throws {
    let properties = #"""
      {"version":"4.2.0","previous_version":"4.1.0","$device_id":"48DA","$app_version":"4.2.0","$app_namespace":"com.example.demo",\#
      "$os_name":"Android","$os_version":"14","$lib":"posthog-android","$lib_version":"3.0.0","$device_model":"Pixel 8",\#
      "$network_wifi":false,"$geoip_country_code":"AT"}
      """#
    let text = properties.replacing("\"", with: "\\\"")
    let mapped = try Mapped(
      #"""
      {"uuid":"u1","event":"Application Updated","distinct_id":"p","properties":\#(properties),"timestamp":"\#(time)"}
      {"uuid":"u2","event":"Application Opened","distinct_id":"p","properties":"\#(text)","timestamp":"\#(time)"}
      {"uuid":"u3","event":"$pageview","distinct_id":"p","properties":{},"timestamp":"\#(time)"}
      """#, shipped: "posthog")
    #expect(
      mapped.events == [
        "applied store:4.2.0 from store:4.1.0 at 2024-03-04T08:00:00.500Z",
        "check - from store:4.1.0 at 2024-03-04T08:00:00.500Z",
      ])
    #expect(mapped.skipped == 1 && mapped.refusals == [] && mapped.devices == 1)
    #expect(traits(mapped) == ["deviceModel": "Pixel 8", "region": "AT", "network": "cellular"])
    #expect(mapped.contexts.first?.platform == "android")
  }

  /// amplitude.com/docs/apis/analytics/export (fields; times are UTC with six digits); amplitude/Amplitude-Kotlin,
  /// core/src/main/java/com/amplitude/core/Constants.kt ("[Amplitude] Application Updated", "[Amplitude] Previous Version").
  @Test func amplitude() throws {
    let common = #"""
      "client_event_time":"2024-03-04 08:00:00.924000","event_time":"2024-03-04 08:00:04.137000","platform":"Android",\#
      "os_name":"android","os_version":"14","device_id":"D1","device_type":"OnePlus 6","version_name":"2.13.1",\#
      "library":"amplitude-android/2.9.2","country":"Bulgaria","app":240333,"user_properties":{}
      """#
    let mapped = try Mapped(
      #"""
      {"uuid":"u1","event_type":"[Amplitude] Application Opened","event_properties":{},\#(common)}
      {"uuid":"u2","event_type":"[Amplitude] Application Updated","event_properties":{"[Amplitude] Previous Version":"2.12.0","[Amplitude] Version":"2.13.1"},\#(common)}
      {"uuid":"u3","event_type":"Update Applied","event_properties":{"release":"v12"},\#(common)}
      {"uuid":"u4","event_type":"USER_OPENED_APP","event_properties":{},\#(common)}
      """#, shipped: "amplitude")
    #expect(
      mapped.events == [
        "check - at 2024-03-04T08:00:00.924Z",
        "applied store:2.13.1 from store:2.12.0 at 2024-03-04T08:00:00.924Z", "applied v12 at 2024-03-04T08:00:00.924Z",
      ])
    #expect(mapped.skipped == 1 && mapped.refusals == [] && mapped.contexts.first?.platform == "android")
    #expect(traits(mapped) == ["deviceModel": "OnePlus 6", "region": "Bulgaria"])
  }

  /// The order of the 131 columns: snowplow/snowplow-scala-analytics-sdk,
  /// src/main/scala/com.snowplowanalytics.snowplow.analytics.scalasdk/Event.scala at 12ea510; entities by Iglu Central:
  /// client_session 1-0-2, mobile_context 1-0-3, com.snowplowanalytics.mobile/application 1-0-0.
  @Test func snowplow() throws {
    let contexts = #"""
      {"schema":"iglu:com.snowplowanalytics.snowplow/contexts/jsonschema/1-0-0","data":[\#
      {"schema":"iglu:com.snowplowanalytics.snowplow/mobile_context/jsonschema/1-0-3","data":{"osType":"ios","osVersion":"17.3","deviceModel":"iPhone15,2","networkType":"wifi"}},\#
      {"schema":"iglu:com.snowplowanalytics.snowplow/client_session/jsonschema/1-0-2","data":{"userId":"U1","sessionIndex":3}},\#
      {"schema":"iglu:com.snowplowanalytics.mobile/application/jsonschema/1-0-0","data":{"version":"4.2.0","build":"7"}}]}
      """#
    func row(_ id: String, _ name: String, _ data: String) -> String {
      var cells = Array(repeating: "", count: 131)
      (cells[0], cells[1], cells[6], cells[18]) = ("com.example.demo", "mob", id, "DE")
      (cells[3], cells[124], cells[126]) = ("2024-03-04 08:00:09.000", "2024-03-04 08:00:00.250", name)
      cells[52] = contexts
      cells[58] =
        #"{"schema":"iglu:…/unstruct_event/jsonschema/1-0-0","data":{"schema":"iglu:a/\#(name)/jsonschema/1-0-0","data":\#(data)}}"#
      return cells.joined(separator: "\t")
    }
    let mapped = try Mapped(
      [
        row("e1", "application_foreground", "{}"),
        row("e2", "update_ready", #"{"release":"v12","trigger":"bgRefresh"}"#),
        row("e3", "screen_view", "{}"), "too\tshort",
      ].joined(separator: "\n"), shipped: "snowplow")
    #expect(
      mapped.events == [
        "check - at 2024-03-04T08:00:00.250Z", "ready v12 bgRefresh at 2024-03-04T08:00:00.250Z",
      ])
    #expect(
      mapped.skipped == 1 && mapped.refusals == ["4: the row has 2 values, the header 131"] && mapped.devices == 1)
    #expect(traits(mapped) == ["deviceModel": "iPhone15,2", "region": "DE", "network": "wifi"])
    #expect(mapped.contexts.first?.platform == "ios")
  }

  /// A release that is registered for all events says what an opening runs, and not what a new build from the store does.
  @Test func openingsRunWhatTheyName() throws {
    func row(_ event: String, _ release: String) -> String {
      #"{"type":"track","event":"\#(event)","messageId":"\#(event)","timestamp":"2024-03-04T08:00:00Z","anonymousId":"a","#
        + #""properties":{"version":"4.2.0"\#(release)},"context":{"app":{"namespace":"com.example.demo"}}}"#
    }
    let registered = #","release":"v12""#
    let rows = ["Application Installed", "Application Opened", "Application Updated"].map { row($0, registered) }
    let mapped = try Mapped((rows + [row("Update Ready", "")]).joined(separator: "\n"), shipped: "segment")
    let at = " at 2024-03-04T08:00:00Z"
    #expect(mapped.events == ["check store:4.2.0", "check v12", "applied store:4.2.0"].map { $0 + at })
    #expect(mapped.refusals.count == 1 && mapped.refusals.first?.contains("needs \"release\"") == true)
  }

  /// firebase.google.com/docs/cloud-messaging/understand-delivery, "BigQuery data export": the columns and the words of
  /// `event`. Its CSV is what `bq extract` writes of the same table.
  @Test(arguments: ["fcm", "fcm-csv"]) func firebaseMessaging(_ name: String) throws {
    let columns = [
      "event_timestamp", "project_number", "message_id", "instance_id", "message_type", "sdk_platform", "app_name",
      "event",
      "analytics_label",
    ]
    let rows = [
      [
        "2024-03-04 08:00:00.5 UTC", "1", "m1", "d1", "DATA_MESSAGE", "ANDROID", "com.example.demo", "MESSAGE_ACCEPTED",
        "2.0.1",
      ],
      [
        "2024-03-04 08:00:01 UTC", "1", "m1", "d1", "DATA_MESSAGE", "ANDROID", "com.example.demo", "MESSAGE_DELIVERED",
        "2.0.1",
      ],
      [
        "2024-03-04 08:00:01 UTC", "1", "m2", "d2", "DATA_MESSAGE", "IOS", "com.example.demo", "INVALID_REGISTRATION",
        "",
      ],
      ["2024-03-04 08:00:01 UTC", "1", "m3", "", "TOPIC", "", "", "MESSAGE_ACCEPTED", ""],
    ]
    let lines = rows.map { row in
      "{" + zip(columns, row).map { "\"\($0)\":" + ($1.isEmpty ? "null" : "\"\($1)\"") }.joined(separator: ",") + "}"
    }
    let table = ([columns] + rows).map { $0.joined(separator: ",") }
    let mapped = try Mapped((name == "fcm" ? lines : table).joined(separator: "\n"), shipped: name)
    #expect(
      mapped.events == [
        "pushSent 2.0.1 at 2024-03-04T08:00:00.500Z", "pushReceived 2.0.1 at 2024-03-04T08:00:01Z",
        "pushSent - because INVALID_REGISTRATION at 2024-03-04T08:00:01Z",
      ])
    #expect(mapped.skipped == 1 && mapped.refusals == [] && mapped.devices == 2)
    #expect(mapped.decoded.flatMap(\.batch.events).map(\.outcome) == [.accepted, nil, .rejected])
  }
}
