import Testing

@testable import Server

/// When summaries are due, by a clock that the test turns.
struct SummaryPaceTests {
  private let start = ContinuousClock.now

  @Test func everythingIsSummarisedOnceNothingComesIn() {
    var pace = SummaryPace(now: start)
    func look(_ second: Int) -> SummaryPace.Due? {
      pace.look(.init(known: 1, announced: 0, isUsable: true), now: start + .seconds(second)).first
    }
    #expect(look(0) == nil, "something came in since")
    #expect(look(0) == .whole)
    #expect(look(0) == nil, "it is at work")
    pace.note(.whole, took: .seconds(1), failed: false, now: start + .seconds(1))
    #expect(look(20) == nil, "nothing came in since")
    pace.note(.whole, took: .seconds(1), failed: true, now: start + .seconds(20))
    #expect(look(29) == nil, "it rests after a failure")
    #expect(look(31) == .whole)
  }

  @Test func whileEventsComeInOnceQuestionsHaveNone() {
    var (pace, known) = (SummaryPace(now: start), 0)
    func look(_ second: Int, announced: Int = 7, isUsable: Bool = false) -> SummaryPace.Due? {
      known += 1
      return pace.look(
        .init(known: known % 2 == 0 ? nil : known, announced: announced, isUsable: isUsable),
        now: start + .seconds(second)
      ).first { $0 != .open }
    }
    #expect(look(5) == nil, "it may be over in a moment")
    #expect(look(12) == .sorted)
    pace.note(.sorted, took: .seconds(2), failed: false, now: start + .seconds(14))
    #expect(look(40, isUsable: true) == nil, "there is one")
    #expect(look(41) == .sorted, "the shards know more by now")
    pace.note(.sorted, took: .seconds(2), failed: false, now: start + .seconds(43))
    #expect(look(50) == nil, "at most a tenth of the time")
    #expect(look(62, isUsable: true) == nil)
    #expect(look(63, announced: 8, isUsable: true) == .sorted, "a release came")
    pace.note(.sorted, took: .zero, failed: false, now: start + .seconds(63))
    #expect(look(72, announced: 8) == nil, "of nothing there is no summary, however often it is tried")
    #expect(look(73, announced: 8) == .sorted)
  }

  /// A restart amid events makes nothing anew that the service before left in place.
  @Test func whatIsKnownAtTheStartIsNoRelease() {
    var pace = SummaryPace(now: start, announced: 7)
    func look(_ second: Int, announced: Int) -> SummaryPace.Due? {
      pace.look(.init(known: nil, announced: announced, isUsable: true), now: start + .seconds(second))
        .first { $0 != .open }
    }
    #expect(look(12, announced: 7) == nil)
    #expect(look(13, announced: 8) == .sorted, "a release came")
  }

  @Test func aMergeWaitsForOne() {
    var pace = SummaryPace(now: start)
    func look(_ second: Int) -> (due: SummaryPace.Due?, isAwaited: Bool) {
      pace.lookBeforeMerge(announced: 7, now: start + .seconds(second))
    }
    #expect(look(5) == (nil, false), "nothing came in a moment ago: then it is soon made of everything")
    #expect(look(11) == (.sorted, true))
    #expect(look(12) == (nil, true), "it is at work")
    pace.note(.sorted, took: .seconds(3), failed: false, now: start + .seconds(14))
    #expect(look(15) == (nil, false))
    #expect(look(40) == (nil, false), "at most a tenth of the time")
    #expect(look(42) == (.sorted, true))
  }

  /// What a service sees of its newest releases, second by second.
  private final class Newest {
    var pace: SummaryPace
    let start: ContinuousClock.Instant
    private let events: Int
    private var stored = 0

    /// - Parameter events: that come in between two looks.
    init(_ start: ContinuousClock.Instant, events: Int = 10_000) {
      (pace, self.start, self.events) = (SummaryPace(now: start), start, events)
    }

    /// Whether one is begun; the other kind has been at work since the first look.
    func look(_ second: Int, news: Bool = true, announced: Int = 7, isUsable: Bool = true) -> Bool {
      if news { stored += events }
      let standing = SummaryPace.Standing(
        known: nil, stored: stored, announced: announced, isUsable: false, isOpenUsable: isUsable)
      return pace.look(standing, now: start + .seconds(second)).contains(.open)
    }

    func note(_ second: Int, took: Swift.Duration, failed: Bool = false) {
      pace.note(.open, took: took, failed: failed, now: start + .seconds(second))
    }
  }

  @Test func theNewestReleasesEveryFewSecondsWhileEventsComeIn() {
    let newest = Newest(start)
    #expect(!newest.look(5, isUsable: false), "it may be over in a moment")
    #expect(newest.look(11, isUsable: false), "beside the other kind")
    #expect(!newest.look(12, isUsable: false), "it is at work")
    newest.note(12, took: .milliseconds(200))
    #expect(!newest.look(16), "the last one is young")
    #expect(newest.look(17))
    #expect(newest.pace.lookBeforeMerge(announced: 7, now: start + .seconds(19)).isAwaited)
  }

  @Test func fewEventsMayWaitForLonger() {
    let newest = Newest(start, events: 3000)
    #expect(newest.look(11, isUsable: false))
    newest.note(12, took: .milliseconds(200))
    #expect(!newest.look(16) && newest.look(17), "the second one keeps more than the first")
    newest.note(18, took: .milliseconds(200))
    #expect(!newest.look(23) && !newest.look(197))
    #expect(newest.look(198))
    newest.note(199, took: .milliseconds(200))
    for second in 200...205 { #expect(!newest.look(second)) }
    #expect(newest.look(206), "they have become many")
  }

  @Test func atMostATenthOfTheTimeIsSpentOnTheNewest() {
    let newest = Newest(start)
    #expect(newest.look(11))
    newest.note(13, took: .seconds(2))
    #expect(!newest.look(30) && !newest.look(30, announced: 8) && !newest.look(30, isUsable: false))
    #expect(newest.look(31))
    newest.note(32, took: .milliseconds(100), failed: true)
    #expect(!newest.look(36, isUsable: false), "it rests after a failure")
    #expect(newest.look(37, news: false, isUsable: false), "and is tried again, though nothing came in")
  }

  @Test func aThirdOfTheTimeWhereManyCameIn() {
    let newest = Newest(start, events: 30_000)
    #expect(newest.look(11))
    newest.note(13, took: .seconds(2))
    #expect(!newest.look(15) && !newest.look(16) && newest.look(17))
    newest.note(18, took: .seconds(1))
    #expect(!newest.look(19) && newest.look(20), "however young the last one is")
  }

  @Test func whatTakesLongOnceDoesNotHoldUpTheNext() {
    let newest = Newest(start)
    #expect(newest.look(11))
    newest.note(12, took: .seconds(1))
    #expect(!newest.look(20) && newest.look(21))
    newest.note(29, took: .seconds(8))
    #expect(!newest.look(46) && newest.look(47), "as if it had taken twice as long as the one before")
    newest.note(55, took: .seconds(8))
    #expect(!newest.look(126) && newest.look(127), "it takes that long each time")
    newest.note(128, took: .seconds(1))
    #expect(!newest.look(136) && newest.look(137))
  }

  @Test func theNewestReleasesSoonAfterWhatChangesThem() {
    let newest = Newest(start)
    #expect(newest.look(11))
    newest.note(11, took: .milliseconds(100))
    #expect(!newest.look(13))
    #expect(newest.look(13, announced: 8), "a release came")
    newest.note(13, took: .milliseconds(100))
    #expect(
      !newest.look(14, announced: 8, isUsable: false), "of nothing there is no summary, however often it is tried")
    #expect(!newest.look(15, announced: 8))
  }

  @Test func theNewestReleasesOnceTheyAreLost() {
    let newest = Newest(start)
    #expect(newest.look(11))
    newest.note(11, took: .milliseconds(100))
    #expect(!newest.look(13))
    #expect(newest.look(14, isUsable: false), "the shards know more by now")
    newest.note(14, took: .milliseconds(100))
    #expect(!newest.look(30, news: false), "nothing was stored since")
    #expect(newest.look(31))
  }
}
