import Lifecycle
import Testing

@testable import Query
@testable import Report

@Suite struct HealthPanelTests {
  private static let midnight = Timestamp(seconds: 20_000 * 86_400)

  private static func day(_ ago: Int64, _ events: Int, timeless: Int = 0, late: Int = 0) -> DataHealth.Day {
    let timed = events - timeless
    return DataHealth.Day(
      day: midnight - .days(ago), events: events, timeless: timeless, late: late,
      lateShare: timed > 0 ? Double(late) / Double(timed) : nil, ahead: 0)
  }

  private static func health(_ days: [DataHealth.Day], _ warnings: [Warning] = []) -> DataHealth {
    DataHealth(
      days: days,
      lastReceived: days.first.map { .init(at: $0.day + .hours(3), isOnlyDay: false, isBeforeImports: false) },
      repeats: days.isEmpty ? nil : .init(count: 1234, of: 98_765), releases: 17, unregistered: 12, warnings: warnings)
  }

  /// A day on which nothing came is told apart from one of which something is not known.
  @Test func whatIsNotKnownIsNoZero() {
    let days = [Self.day(0, 1400, timeless: 400, late: 25), Self.day(1, 0), Self.day(2, 7, timeless: 7)]
    let table = Self.health(days).table(now: Self.midnight + .hours(5)).description
    #expect(table.contains("the newest not over; late is over 1h after they happened"))
    #expect(
      table.contains(
        "<th>2024-10-04<td><b data-v>1,400</b><td><b data-v>400</b><td><b data-v>25</b> <i>(<b data-v=0.025>2.5%</b>)</i><td><b data-v>0</b>"
      ))
    #expect(table.contains("<th>2024-10-03<td><b data-v>0</b><td>— <i>nothing came</i><td>— <i>nothing came</i>"))
    #expect(
      table.contains("<th>2024-10-02<td><b data-v>7</b><td><b data-v>7</b><td>— <i>not known</i><td>— <i>not known</i>")
    )
    #expect(!Self.health(days).table(now: Self.midnight + .days(1)).description.contains("not over"))
  }

  @Test func whereNothingIsKnownItSaysSo() {
    let health = Self.health([])
    #expect(health.trust.words.hasSuffix("but how events come in is not known."))
    #expect(
      health.table(now: Self.midnight).words == "Events by day: not known, as no event says when it was received.")
    #expect(health.facts.words.contains("Last receivednot known: no event at hand says when"))
    #expect(health.facts.words.contains("Come againnot known: no single events at hand"))
  }

  @Test func theDayOfAnEarlierPresentIsLeftOut() {
    var health = Self.health([Self.day(1, 7)])
    health.cutDay = Self.midnight
    #expect(
      health.table(now: Self.midnight + .hours(5)).description.contains(
        "; 2024-10-04 is left out, as all of 2024-10-04 is counted, and this page is of a part of it; late is"))
    health.days = []
    #expect(
      health.table(now: Self.midnight).words
        == "Events by day: not known, as all of 2024-10-04 is counted, and this page is of a part of it.")
  }

  @Test func receiptsSayHowMuchIsKept() {
    var health = Self.health([Self.day(0, 1)])
    #expect(health.facts.words.contains("Last received2024-10-04 03:00 UTC"))
    health.lastReceived?.isOnlyDay = true
    health.lastReceived?.isBeforeImports = true
    #expect(
      health.facts.words.contains(
        "at 2024-10-04 03:00 UTC at the latest; only the day is kept; what was stored since does not say when"))
  }

  /// What a warning says first; the rest of it, and other warnings, are in `data.json`.
  @Test func trustIsLoweredByWhatIsWarnedOf() {
    #expect(Self.health([Self.day(0, 1)]).trust.words.hasPrefix("These numbers can be trusted"))
    let warning = Warning(
      "silent_fleet", "no device was heard of since noon, at 12:00: who updated since counts as waiting")
    let trust = Self.health([Self.day(0, 1)], Array(repeating: warning, count: 5)).trust
    #expect(
      trust.words.hasPrefix("Trust these numbers less, because of this:No device was heard of since noon, at 12:00"))
    #expect(!trust.words.contains("waiting") && trust.words.hasSuffix("2 more in data.json"))
  }

  /// Of a large fleet, and with as long reasons as there is room for.
  @Test func isSmall() {
    let warnings = Array(repeating: Warning("long", String(repeating: "word ", count: 80)), count: 9)
    let days = (0..<Int64(DataHealth.mostDays)).map { Self.day($0, 1_234_567, timeless: 12_345, late: 123_456) }
    #expect(Self.bytes(Self.health(days)) < 2500)
    #expect(Self.bytes(Self.health(days, warnings)) < 2500)
  }

  private static func bytes(_ health: DataHealth) -> Int {
    [health.trust, health.table(now: midnight), health.facts].reduce(200) { $0 + $1.description.utf8.count }
  }
}
