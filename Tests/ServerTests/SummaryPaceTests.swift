import Testing

@testable import Server

/// When summaries are due, by a clock that the test turns.
struct SummaryPaceTests {
  private let start = ContinuousClock.now

  @Test func everythingIsSummarisedOnceNothingComesIn() {
    var pace = SummaryPace(now: start)
    func look(_ second: Int) -> SummaryPace.Due? {
      pace.look(known: 1, announced: 0, isUsable: true, now: start + .seconds(second))
    }
    #expect(look(0) == nil, "something came in since")
    #expect(look(0) == .whole)
    #expect(look(0) == nil, "it is at work")
    pace.note(took: .seconds(1), failed: false, now: start + .seconds(1))
    #expect(look(20) == nil, "nothing came in since")
    pace.note(took: .seconds(1), failed: true, now: start + .seconds(20))
    #expect(look(29) == nil, "it rests after a failure")
    #expect(look(31) == .whole)
  }

  @Test func whileEventsComeInOnceQuestionsHaveNone() {
    var (pace, known) = (SummaryPace(now: start), 0)
    func look(_ second: Int, announced: Int = 7, isUsable: Bool = false) -> SummaryPace.Due? {
      known += 1
      return pace.look(
        known: known % 2 == 0 ? nil : known, announced: announced, isUsable: isUsable, now: start + .seconds(second))
    }
    #expect(look(5) == nil, "it may be over in a moment")
    #expect(look(12) == .sorted)
    pace.note(took: .seconds(2), failed: false, now: start + .seconds(14))
    #expect(look(40, isUsable: true) == nil, "there is one")
    #expect(look(41) == .sorted, "the shards know more by now")
    pace.note(took: .seconds(2), failed: false, now: start + .seconds(43))
    #expect(look(50) == nil, "at most a tenth of the time")
    #expect(look(62, isUsable: true) == nil)
    #expect(look(63, announced: 8, isUsable: true) == .sorted, "a release came")
    pace.note(took: .zero, failed: false, now: start + .seconds(63))
    #expect(look(72, announced: 8) == nil, "of nothing there is no summary, however often it is tried")
    #expect(look(73, announced: 8) == .sorted)
  }

  @Test func aMergeWaitsForOne() {
    var pace = SummaryPace(now: start)
    func look(_ second: Int) -> (due: SummaryPace.Due?, isAwaited: Bool) {
      pace.lookBeforeMerge(announced: 7, now: start + .seconds(second))
    }
    #expect(look(5) == (nil, false), "nothing came in a moment ago: then it is soon made of everything")
    #expect(look(11) == (.sorted, true))
    #expect(look(12) == (nil, true), "it is at work")
    pace.note(took: .seconds(3), failed: false, now: start + .seconds(14))
    #expect(look(15) == (nil, false))
    #expect(look(40) == (nil, false), "at most a tenth of the time")
    #expect(look(42) == (.sorted, true))
  }
}
