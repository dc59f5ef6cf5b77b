import Store
import Testing

@testable import Warehouse

/// What a file cannot ship any more is told as what became of it.
struct MissedEventsTests {
  @Test(arguments: [
    (ShippingLog.Missed(archived: 2, dropped: 0), "2 events left f.db for archives", "import"),
    (ShippingLog.Missed(archived: 2, dropped: 1), "1 event was dropped from f.db", "restore"),
  ]) func itsWordsAreTrue(_ missed: ShippingLog.Missed, _ words: String, _ command: String) throws {
    let problem = try #require(missed.problem("f.db", "clickhouse://one/u"))
    #expect(problem.code == "events_not_shipped" && problem.words.hasPrefix(words), "\(problem)")
    #expect("\(problem.remedy)".contains(command), "\(problem)")
  }

  @Test func whereNothingIsMissingThereIsNoProblem() {
    #expect(ShippingLog.Missed().problem("f.db", "clickhouse://one/u") == nil)
  }
}
