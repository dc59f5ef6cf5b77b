import Lifecycle
import Testing

@testable import Query
@testable import Store

/// Where the data end for an analysis.
@Suite struct CutOffTests {
  private static let app = "com.example.demo"
  private static let midnight = Timestamp(seconds: 19_800 * 86_400)

  /// - Parameter arrivals: day after the first, delay in seconds, events.
  private func cutOff(_ arrivals: [(day: Int64, seconds: Int64, events: Int64)], hours: Int64) -> CutOff {
    var vocabulary = Vocabulary()
    vocabulary.lags = arrivals.map {
      ArrivalLag(app: Self.app, day: 19_800 + $0.day, seconds: $0.seconds, events: $0.events)
    }
    return CutOff(vocabulary, app: Self.app, now: Self.midnight + .hours(hours))
  }

  @Test func isThe99thPercentileBehind() {
    let found = cutOff([(0, 0, 970), (0, 600, 20), (0, 28_800, 10)], hours: 30)
    #expect(found.lag == .seconds(600) && found.at == Self.midnight + .hours(30) - .seconds(600))
  }

  /// A day on which devices come back from a flight takes nothing away that was complete before.
  @Test func neverGoesBack() {
    let arrivals: [(day: Int64, seconds: Int64, events: Int64)] = [
      (0, 60, 2000), (1, 60, 1000), (1, 36_000, 400), (3, 60, 90_000),
    ]
    let found = (0..<120).map { cutOff(arrivals, hours: $0) }
    for (one, next) in zip(found, found.dropFirst()) { #expect(one.at <= next.at) }
    for (hour, one) in found.enumerated() { #expect(one.at == Self.midnight + .hours(Int64(hour)) - one.lag) }
    #expect(found[50].lag == .seconds(7260), "nothing new is complete until the ten hours are over")
    #expect(found[70].lag == .hours(10))
    #expect(found[119].lag == .seconds(60))
  }

  /// One phone of a young fleet was off line overnight: the night is not counted, and it is said why.
  @Test func saysWhereFewSetIt() {
    let young = cutOff([(0, 60, 196), (0, 39_600, 4)], hours: 20)
    #expect(young.lag == .hours(11) && young.few == CutOff.Few(late: 4, of: 200))
    let message = cutOffWarnings(young).map(\.message).joined()
    #expect(message.hasPrefix("the cutoff lies 11.0h back, at 2024-03-18 09:00 UTC, and what happened since is not"))
    #expect(message.contains("4 of the app's first 200 events came over ten minutes late"))
    #expect(cutOff([(0, 60, 1960), (0, 39_600, 40)], hours: 20).few == nil, "enough to go by")
    #expect(cutOff([(0, 60, 196), (0, 3000, 4)], hours: 20).few == CutOff.Few(late: 4, of: 200))
    #expect(cutOff([(0, 60, 196), (0, 540, 4)], hours: 20).few == nil, "not for so short a time")
    #expect(cutOff([(0, 39_600, 200)], hours: 20).few == nil, "loaded afterwards")
  }

  /// One device that sends three days at once, again and again, hides three days of all.
  @Test func saysWhereManyComeDaysLate() {
    let threeDays = Sightings.rounded(3 * 86_400)
    let late = cutOff([(0, 60, 227_762), (0, threeDays, 4_400)], hours: 30)
    #expect(late.lag == .seconds(threeDays) && late.few == nil)
    let warnings = cutOffWarnings(late)
    #expect(warnings.map(\.code) == ["cutoff_late"])
    #expect(
      warnings.map(\.message).joined().contains(
        "of the app's 232,162 events that it goes by 4,400 (1.9%) came over a day late"))
    #expect(
      cutOffWarnings(cutOff([(0, 60, 9_950), (0, threeDays, 50)], hours: 30)).isEmpty, "not the latest hundredth")
    #expect(cutOff([(0, threeDays, 9_950), (0, 60, 50)], hours: 30).late == nil, "loaded afterwards")
  }

  /// What arrives in the course of a day does not move the cutoff, and is not counted among what set it.
  @Test func countsLateAmongWhatSetsIt() {
    let before = [(day: Int64(0), seconds: Int64(60), events: Int64(1_976)), (0, Sightings.rounded(3 * 86_400), 24)]
    let today = cutOff(before + [(1, 60, 22_000)], hours: 30)
    #expect(today.late == CutOff.Late(events: 24, of: 2_000))
    #expect(cutOff([(0, 60, 900), before[1], (1, 60, 22_000)], hours: 30).late == nil, "of few all count")
  }

  /// Delays are stored rounded up: 23 h 25 min as 25 h 2 min.
  @Test func saysLateOfNothingThatMayHaveComeWithinADay() {
    func warnings(_ seconds: Int64) -> [Warning] {
      cutOffWarnings(cutOff([(0, 60, 5_880), (0, Sightings.rounded(seconds), 120)], hours: 48))
    }
    #expect(warnings(84_300).isEmpty && warnings(86_400).isEmpty)
    #expect(warnings(90_113).map(\.code) == ["cutoff_late"])
    let both = cutOff(
      [(0, 60, 5_700), (0, Sightings.rounded(84_300), 150), (0, Sightings.rounded(95_000), 150)], hours: 48)
    #expect(both.late == CutOff.Late(events: 150, of: 6_000))
  }

  /// Some tablets have a clock that stands years back, and a history was loaded into a fleet that reports at once.
  @Test func takesNothingOffForWrongClocks() {
    let years: Int64 = 3 * 365 * 86_400
    let found = cutOff([(0, 60, 9_700), (0, 600, 100), (0, years, 200)], hours: 30)
    #expect(found.lag == .seconds(600) && !found.isBackfilled && found.few == nil)
    #expect(cutOff([(0, 60, 9_700), (0, 10 * 86_400, 300)], hours: 30).lag == .days(7), "ten days off line")
    #expect(cutOff([(0, 60, 400), (0, years, 600)], hours: 30).isBackfilled)
  }

  /// What arrives in the course of a day does not move its cutoff, once enough had arrived before it.
  @Test func standsStillAgainstWhatArrives() {
    let before: [(day: Int64, seconds: Int64, events: Int64)] = [(0, 60, 2000)]
    let late = before + [(1, 36_000, 5000)]
    #expect(cutOff(before, hours: 40) == cutOff(before, hours: 40))
    #expect(cutOff(late, hours: 40).at == cutOff(before, hours: 40).at)
    // Of few nobody knows: what comes counts.
    #expect(cutOff([(0, 60, 20), (1, 3000, 50)], hours: 40).lag == .seconds(3000))
  }

  /// Hours of the publication, of the cutoff, and of now.
  @Test(
    arguments: [
      (9, 10, 12, false), (10, 10, 12, true), (11, 10, 12, true), (12, 10, 12, false), (13, 10, 12, false),
      (12, 12, 12, false),
    ] as [(Int64, Int64, Int64, Bool)])
  func whatIsOutSinceTheCutoffIsTooNew(_ published: Int64, _ cutOff: Int64, _ now: Int64, _ isTooNew: Bool) {
    let hour = { Self.midnight + .hours($0) }
    #expect(CutOff.isTooNew(hour(published), hour(cutOff), now: hour(now)) == isTooNew)
  }
}
