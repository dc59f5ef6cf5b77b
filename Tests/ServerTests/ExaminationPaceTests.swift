import Testing

@testable import Server

/// Histories are examined now and then, and sooner where many events wait for it.
@Suite struct ExaminationPaceTests {
  private let start = ContinuousClock.now

  @Test func oneStepRestsByWhatItTook() {
    var pace = ExaminationPace(now: start)
    #expect(pace.isDue(stored: 7, now: start))
    pace.note(stored: 7, left: 0, took: .milliseconds(10), now: start)
    #expect(!pace.isDue(stored: 8, now: start + .milliseconds(4999)) && pace.isDue(stored: 8, now: start + .seconds(5)))
    #expect(!pace.isDue(stored: 7, now: start + .seconds(3600)))
    pace.note(stored: 8, left: 0, took: .seconds(1), now: start)
    #expect(!pace.isDue(stored: 9, now: start + .seconds(199)) && pace.isDue(stored: 9, now: start + .seconds(200)))
  }

  /// At twenty thousand events a second a step, of a million, comes every fifty seconds.
  @Test func whereManyWaitItComesBackSooner() {
    var pace = ExaminationPace(now: start)
    pace.note(stored: 7, left: 5_000_000, took: .seconds(1), now: start)
    #expect(!pace.isDue(stored: 7, now: start + .seconds(19)) && pace.isDue(stored: 7, now: start + .seconds(20)))
    pace.note(stored: 7, left: 999_999, took: .seconds(1), now: start)
    #expect(!pace.isDue(stored: 7, now: start + .seconds(199)) && pace.isDue(stored: 7, now: start + .seconds(200)))
  }
}
