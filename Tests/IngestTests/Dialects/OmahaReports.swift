@testable import Ingest

/// Requests of Omaha's clients.
extension ForeignReportTests {
  static func omaha(_ source: String, _ app: String, _ content: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- as Flatcar sends it -->
    <request protocol="3.0" version="ue-1" installsource="\(source)" ismachine="1">
      <os platform="CoreOS" version="Chateau" sp="3033_x86_64"></os>
      <app appid="e96281a6" version="1.0.0" track="beta" machineid="m1" bootid="{x}" \(app)>\(content)</app>
    </request>
    """
  }

  static let omaha = [
    Row(
      name: "a timer asks", target: "/v1/update", body: omaha("scheduler", "", "<ping active=\"1\"/><updatecheck/>"),
      events: ["check 1.0.0 bgRefresh on beta"],
      says: #"<app appid="e96281a6" status="ok"><ping status="ok"/><updatecheck status="noupdate"/></app>"#),
    Row(
      name: "somebody asks", target: "/v1/update", body: omaha("ondemandupdate", "", "<updatecheck/>"),
      events: ["check 1.0.0 foreground on beta"]),
    Row(
      name: "an update under way", target: "/v1/update",
      body: omaha(
        "scheduler", "",
        #"<event eventtype="13" eventresult="1" nextversion="1.1.0"/><event eventtype="14" eventresult="1" nextversion='1.1.0'/>"#
          + #"<event eventtype="800" eventresult="1" nextversion="1.1.0"></event>"#),
      events: [
        "downloadStarted 1.1.0 bgRefresh on beta", "downloadCompleted 1.1.0 bgRefresh on beta",
        "ready 1.1.0 bgRefresh on beta",
      ], says: #"<event status="ok"/><event status="ok"/><event status="ok"/>"#),
    Row(
      name: "after the reboot", target: "/v1/update",
      body: omaha("scheduler", "", #"<event eventtype="3" eventresult="2" previousversion="0.9.0"/>"#),
      events: ["applied 1.0.0 bgRefresh from 0.9.0 on beta", "confirmed 1.0.0 bgRefresh on beta"]),
    // Update engines say so with every check: flatcar/nebraska, backend/pkg/api/events.go, takes no heed of an update that
    // is complete without a version before it, or with 0.0.0.0.
    Row(
      name: "after a reboot, from nobody knows what", target: "/v1/update",
      body: omaha("scheduler", "", #"<event eventtype="3" eventresult="2" previousversion="0.0.0.0"/>"#),
      says: #"<event status="ok"/>"#, dropped: ["no_previous_version": 1]),
    Row(
      name: "what comes with every check", target: "/v1/update",
      body: omaha("scheduler", "", #"<updatecheck/><event eventtype="3" eventresult="2"/>"#),
      events: ["check 1.0.0 bgRefresh on beta"], dropped: ["no_previous_version": 1]),
    Row(
      name: "a reboot into the same", target: "/v1/update",
      body: omaha("scheduler", "", #"<event eventtype="3" eventresult="2" previousversion="1.0.0"/>"#),
      dropped: ["no_release": 2]),
    // coreos/go-omaha, omaha/protocol.go: EventResultSuccess "waits for a reboot", EventResultSuccessReboot follows it.
    Row(
      name: "installed, waits for the reboot", target: "/v1/update",
      body: omaha("scheduler", "", #"<event eventtype="3" eventresult="1" nextversion="1.1.0" previousversion=""/>"#),
      events: ["ready 1.1.0 bgRefresh on beta"]),
    Row(
      name: "installed, and runs already", target: "/v1/update",
      body: omaha("scheduler", "", #"<event eventtype="3" eventresult="1" previousversion="0.9.0"/>"#),
      events: ["applied 1.0.0 bgRefresh from 0.9.0 on beta"]),
    Row(
      name: "an event of the future", target: "/v1/update",
      body: omaha("scheduler", "", #"<event eventtype="99" eventresult="1"/>"#), dropped: ["unknown_event": 1]),
    Row(
      name: "an error", target: "/v1/update",
      body: omaha("scheduler", "", #"<event eventtype="3" eventresult="0" errorcode="37" nextversion="1.1.0"/>"#),
      events: ["failed 1.1.0 bgRefresh because error 37 on beta"]),
    Row(
      name: "a download of nobody knows what", target: "/v1/update",
      body: omaha("scheduler", "", #"<event eventtype="13" eventresult="1"/>"#), dropped: ["no_release": 1]),
    Row(
      name: "an app's id that needs escaping", target: "/v1/update",
      body: omaha("x", "", "<updatecheck/>").replacing("e96281a6", with: "a&amp;b&#60;"),
      events: ["check 1.0.0 unknown on beta"], says: #"appid="a&amp;b&lt;""#),
    Row(name: "neither XML nor JSON", target: "/v1/update", body: "request", status: 400, says: "error-malformed"),
    Row(name: "cut short", target: "/v1/update", body: "<request><app>", status: 400, says: "error-malformed"),
    Row(
      name: "entities without end", target: "/v1/update",
      body: #"<!DOCTYPE x [<!ENTITY a "aaaa">]><request>&a;</request>"#, status: 400, says: "error-malformed"),
  ]
  /// chromium/chromium, docs/updater/protocol_3_1.md: the same names as in 3.0, lists under `app`, `event`.
  static func omaha31(_ app: String) -> String {
    """
    {"request":{"@os":"win","@updater":"updater","protocol":"3.1","requestid":"{r}","sessionid":"{s}","updaterversion":"120.0",
     "os":{"platform":"Windows","version":"10.0","arch":"x64"},
     "app":[{"appid":"{8A69}","version":"1.0.0","release_channel":"beta","machineid":"m1",\(app)}]}}
    """
  }

  /// docs/updater/protocol_4.md: `apps` and `events`; only the event of the session names the next version.
  static func omaha40(_ app: String) -> String {
    omaha31(app).replacing("\"3.1\"", with: "\"4.0\"").replacing("\"app\":", with: "\"apps\":")
  }

  static let omahaJSON = [
    Row(
      name: "3.1 asks in the foreground", target: "/v1/update",
      body: omaha31(#""installsource":"ondemand","ping":{"r":-2},"updatecheck":{}"#),
      events: ["check 1.0.0 foreground on beta"],
      says: #")]}'"# + "\n"
        + #"{"response":{"protocol":"3.1","server":"uptake","daystart":{"elapsed_days":0},"app":[{"appid":"{8A69}","#
        + #""status":"ok","ping":{"status":"ok"},"updatecheck":{"status":"noupdate"}}]}}"#),
    Row(
      name: "3.1 has an update installed", target: "/v1/update",
      body: omaha31(
        #""event":[{"eventtype":14,"eventresult":1,"downloaded":42,"download_time_ms":7,"nextversion":"1.1.0"},"#
          + #"{"eventtype":3,"eventresult":1,"nextversion":"1.1.0","previousversion":"1.0.0"}]"#),
      events: ["downloadCompleted 1.1.0 unknown on beta", "ready 1.1.0 unknown on beta"]),
    Row(
      name: "4.0 has an update installed", target: "/v1/update",
      body: omaha40(
        #""events":[{"eventtype":14,"eventresult":0},{"eventtype":14,"eventresult":1},{"eventtype":63,"eventresult":1},"#
          + #"{"eventtype":3,"eventresult":1,"nextversion":"1.1.0","previousversion":"1.0.0"}]"#),
      events: ["downloadCompleted 1.1.0 unknown on beta", "ready 1.1.0 unknown on beta"],
      says: #""apps":[{"appid":"{8A69}","status":"ok","events":[{"status":"ok"},{"status":"ok"},"#,
      dropped: ["unknown_event": 2]),
    Row(
      name: "4.0 has failed", target: "/v1/update",
      body: omaha40(#""events":[{"eventtype":3,"eventresult":0,"errorcode":12,"nextversion":"1.1.0"}]"#),
      events: ["failed 1.1.0 unknown because error 12 on beta"]),
    Row(
      name: "clients that are counted without a name", target: "/v1/update",
      body: omaha31(#""updatecheck":{}"#).replacing(#""machineid":"m1","#, with: ""), dropped: ["no_device": 1]),
    Row(
      name: "JSON of something else", target: "/v1/update", body: #"{"response":{}}"#, status: 400,
      says: "error-malformed"),
    Row(name: "JSON cut short", target: "/v1/update", body: #"{"request":{"#, status: 400, says: "error-malformed"),
  ]
}
