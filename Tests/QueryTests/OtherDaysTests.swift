import Lifecycle
import Testing

@testable import Query

@Suite struct OtherDaysTests {
  static let rows: [(own: String, before: String, hours: ClosedRange<Int64>, isOther: Bool)] = [
    // Of the first 24 hours after nine on a Friday nine are of a Saturday.
    ("2026-11-27T09:00:00Z", "2026-11-23T09:00:00Z", 0...24, true),
    ("2026-11-23T09:00:00Z", "2026-11-27T09:00:00Z", 0...24, true),
    ("2026-11-27T09:00:00Z", "2026-11-23T09:00:00Z", 0...12, false),
    ("2026-11-24T09:00:00Z", "2026-11-23T09:00:00Z", 0...72, false),
    ("2026-11-28T09:00:00Z", "2026-11-29T09:00:00Z", 0...12, false),
    // A week has one weekend, and what lies behind both is no difference.
    ("2026-11-27T09:00:00Z", "2026-11-23T09:00:00Z", 0...168, false),
    ("2026-11-27T09:00:00Z", "2026-11-23T09:00:00Z", 72...96, false),
    // At other hours of one day the hours are told.
    ("2026-11-27T20:00:00Z", "2026-11-20T02:00:00Z", 0...24, false),
  ]

  @Test(arguments: rows)
  func daysAreThoseOfAWeekend(_ row: (own: String, before: String, hours: ClosedRange<Int64>, isOther: Bool)) {
    let seconds = row.hours.lowerBound * 3600...row.hours.upperBound * 3600
    #expect((OtherDays(instant(row.own), instant(row.before), seconds) != nil) == row.isOther)
  }

  @Test func theyAreNamed() {
    let days = OtherDays(instant("2026-11-27T09:00:00Z"), instant("2026-11-23T09:00:00Z"), 0...86_400)
    #expect(days?.words("r10") == "published on a Friday, r10 on a Monday")
  }
}
