import Testing

@testable import Server

/// When summaries are due, by a clock that the test turns.
struct SummaryPaceTests {
  private let start = ContinuousClock.now

  @Test func everythingIsSummarisedOnceNothingComesIn() {
    var pace = SummaryPace(now: start)
    #expect(pace.look(known: 1, folded: 1, now: start) == nil, "something came in since")
    #expect(pace.look(known: 1, folded: 1, now: start) == .whole)
    #expect(pace.look(known: 1, folded: 1, now: start) == nil, "it is at work")
    pace.note(took: .seconds(1), failed: false, now: start + .seconds(1))
    #expect(pace.look(known: 1, folded: 1, now: start + .seconds(20)) == nil, "nothing came in since")
    pace.note(took: .seconds(1), failed: true, now: start + .seconds(20))
    #expect(pace.look(known: 1, folded: 1, now: start + .seconds(29)) == nil, "it rests after a failure")
    #expect(pace.look(known: 1, folded: 1, now: start + .seconds(31)) == .whole)
  }

  @Test func whileEventsComeInOnceForEachMerge() {
    var (pace, known) = (SummaryPace(now: start), 0)
    func look(_ second: Int, _ folded: Int?) -> SummaryPace.Due? {
      known += 1
      return pace.look(known: known % 2 == 0 ? nil : known, folded: folded, now: start + .seconds(second))
    }
    #expect(look(5, 7) == nil, "it may be over in a moment")
    #expect(look(11, nil) == nil, "of half a merge nothing can be made")
    #expect(look(12, 8) == .folded)
    pace.note(took: .seconds(2), failed: false, now: start + .seconds(14))
    #expect(look(40, 8) == nil, "nothing was merged since")
    #expect(look(41, 9) == .folded)
    pace.note(took: .seconds(2), failed: false, now: start + .seconds(43))
    #expect(look(50, 10) == nil, "at most a tenth of the time")
    #expect(look(62, 10) == .folded)
  }
}
