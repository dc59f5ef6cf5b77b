import HTTP
import Lifecycle
import Query
import Report
import Store
import Testing

@testable import Server

/// What is news once it was told, and how it is written.
struct ExportNewsTests {
  private let fixture: ExportFixture
  private let noon = ExportFixture.noon

  init() throws { fixture = try ExportFixture() }

  /// How a rollback is registered, and how a wrong time is mended: the release was published at another time.
  @Test func aReleaseThatIsPublishedAnewIsToldAnew() throws {
    let order = try fixture.order(to: "http://127.0.0.1:1")
    let exporter = try fixture.ready(order).exporter
    let answer = fixture.served.ask(
      "PUT", "/v1/releases/0.0", #"{"app":"a","publishedAt":"2025-03-02T23:00:00Z"}"#)
    #expect(answer.status == 200, "\(answer.text)")
    func notice() throws -> Int {
      try exporter.remember(exporter.news(order.choice.rollouts(path: fixture.served.path, now: noon)))
    }
    #expect(try notice() > 0)
    let told = try fixture.unsent(order).filter { $0.kind == "published" && $0.release == "0.0" }.compactMap(\.decoded)
    #expect(told.map(\.at.rfc3339) == ["2025-03-02T00:00:00Z", "2025-03-02T23:00:00Z"])
    #expect(told.last?.text == "0.0 was published on production. Told before as of 2025-03-02 00:00 UTC.")
    #expect(try notice() == 0)
  }

  @Test func stepsOfAllPlatformsAreTold() throws {
    func publish(_ platform: String, _ rollout: [(hour: Int64, percent: Int)]) {
      let steps = rollout.map { #"{"at":\#((noon - .hours(24 - $0.hour)).rawValue),"percent":\#($0.percent)}"# }
      let answer = fixture.served.ask(
        "PUT", "/v1/releases/3.0",
        #"{"app":"a","platform":"\#(platform)","publishedAt":\#((noon - .hours(22)).rawValue),"rollout":[\#(steps.joined(separator: ","))]}"#
      )
      #expect(answer.status == 200, "\(answer.text)")
    }
    publish("ios", [(2, 20), (4, 50), (6, 100), (8, 0)])
    publish("android", [(2, 20), (6, 30)])
    let order = try fixture.order(to: "http://127.0.0.1:1")
    let rollouts = try order.choice.rollouts(path: fixture.served.path, now: noon)
    let rollout = try #require(rollouts.first { $0.release == "3.0" })
    #expect(
      rollout.story.map(\.text) == [
        "3.0 was published on production to 20% of devices.",
        "3.0 goes to 50% of devices on production for ios.",
        "3.0 goes to 30% of devices on production for android, goes to 100% of devices on production for ios.",
        "3.0 was halted on production for ios.",
      ])
    #expect(rollout.story.map(\.kind) == [.published, .step, .step, .step])
    let reading = try #require(rollout.facts([.figures], since: noon - .hours(1), told: RolloutTold()).first)
    #expect(reading.percent == nil)
    #expect(reading.stage == .rollingOut)
    #expect(reading.rolloutByPlatform == "android 30%, ios halted")
  }

  /// As where the newest is halted, and another one comes in its place.
  @Test func aReleaseThatIsReplacedLaterIsToldAnew() throws {
    let order = try fixture.order(to: "http://127.0.0.1:1")
    let exporter = try fixture.ready(order).exporter
    let answer = fixture.served.ask(
      "PUT", "/v1/releases/2.0", #"{"app":"a","publishedAt":"2025-03-02T23:00:00Z"}"#)
    #expect(answer.status == 200, "\(answer.text)")
    func notice() throws -> Int {
      try exporter.remember(exporter.news(order.choice.rollouts(path: fixture.served.path, now: noon)))
    }
    #expect(try notice() > 0)
    let told = try fixture.unsent(order).filter { $0.kind == "superseded" && $0.release == "1.0" }
    #expect(told.map(\.at.rfc3339) == ["2025-03-02T00:02:00Z", "2025-03-02T23:00:00Z"])
    #expect(try notice() == 0)
  }

  /// It takes texts for HTML.
  @Test func grafanaShowsNamesAsTheyAre() throws {
    let order = try fixture.order(to: "http://h")
    _ = try fixture.ready(order)
    var fact = try #require(try fixture.unsent(order).first?.decoded)
    (fact.title, fact.text) = ("<2.0> & more", "<a href=x>")
    let parcel = try #require(ExportTarget.grafana.parcel(fact, to: order.destination, sentAt: noon))
    let body = String(decoding: parcel.body, as: UTF8.self)
    #expect(body.contains(#""text":"&lt;2.0&gt; &amp; more\n&lt;a href=x&gt;""#), "\(body)")
  }

  /// What has to be seen at three in the morning is behind the name.
  @Test func aLongNameDoesNotHideTheVerdict() throws {
    let order = try fixture.order("datadog", to: "http://h")
    _ = try fixture.ready(order)
    var fact = try #require(try fixture.unsent(order).compactMap(\.decoded).first { $0.kind == .verdict })
    fact.release = String(repeating: "x", count: 200)
    (fact.title, fact.verdict) = ("\(fact.release) on production: Stop: failing", "Stop: failing")
    let cut = "x… on production: Stop: failing\""
    for target in [ExportTarget.datadog, .slack, .teams] {
      let parcel = try #require(target.parcel(fact, to: order.destination, sentAt: noon))
      #expect(String(decoding: parcel.body, as: UTF8.self).contains(cut), "\(target.name)")
    }
    let datadog = try #require(ExportTarget.datadog.parcel(fact, to: order.destination, sentAt: noon))
    #expect(String(decoding: datadog.body, as: UTF8.self).contains("\"verdict:Stop: failing\""))
  }
}
