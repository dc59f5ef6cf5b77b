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
    Row(
      name: "after the reboot, from nobody knows what", target: "/v1/update",
      body: omaha("scheduler", "", #"<event eventtype="3" eventresult="2" previousversion="0.0.0.0"/>"#),
      events: ["applied 1.0.0 bgRefresh on beta", "confirmed 1.0.0 bgRefresh on beta"]),
    Row(
      name: "a reboot into the same", target: "/v1/update",
      body: omaha("scheduler", "", #"<event eventtype="3" eventresult="2" previousversion="1.0.0"/>"#),
      dropped: ["no_release": 2]),
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
    Row(name: "no XML", target: "/v1/update", body: "request", status: 400, says: "error-malformed"),
    Row(name: "cut short", target: "/v1/update", body: "<request><app>", status: 400, says: "error-malformed"),
    Row(
      name: "entities without end", target: "/v1/update",
      body: #"<!DOCTYPE x [<!ENTITY a "aaaa">]><request>&a;</request>"#, status: 400, says: "error-malformed"),
  ]
}
