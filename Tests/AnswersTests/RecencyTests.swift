import Console
import Lifecycle
import Store
import Testing

@testable import Answers

/// Which rows are shown of an answer about thousands of releases.
struct RecencyTests {
  /// A thousand nights, and a release for customers every hundred days, by channel as answers have them: the newest first.
  private let rows =
    (0..<1000).reversed().map { Recency(channel: "nightly", at: Timestamp(rawValue: $0)) }
    + stride(from: 900, through: 0, by: -100).map { Recency(channel: "production", at: Timestamp(rawValue: $0)) }

  @Test func theNewestStayInTheirOrder() {
    #expect(rows.newest(10) == Array(0..<7) + [1000, 1001, 1002])
    #expect(rows.newest(2000) == Array(rows.indices))
  }

  @Test func aTerminalShowsTwoScreens() throws {
    let brief = try #require(rows.brief())
    #expect(brief.indices.count == 40 && brief.indices.suffix(3) == [1000, 1001, 1002])
    #expect(brief.note == "970 of 1,010 rows are left out, of older releases: --newest 0 shows all")
    #expect(Array(rows.prefix(40)).brief() == nil)
    #expect(Array(rows.prefix(40)).brief(withheld: 1)?.indices.count == 40)
  }

  private func releases(_ newest: String...) throws -> Shown {
    let lines = (1...60).map { number in
      """
      {"device":"d\(number)","stage":"applied","release":"1.\(number)","at":"2025-03-01T00:\(number / 10 % 6)\(number % 10):00Z"}

      """
    }
    let database = try Database(lines.joined())
    let question = try #require(questions.first { $0.name == "releases" })
    let option = try #require(question.askable.first { $0.name == "newest" })
    let sent = newest.map { (option: option, text: $0) } + [(option: .now, text: "2025-03-05T00:00:00Z")]
    let asked = try question.parameters(arguments: [], sent: sent, now: Instant(rawValue: 0))
    return try question.answer(asked, try Snapshot(path: database.path)) { $0.device(of: $1, $2) }
  }

  @Test func programsGetAllUnlessTheyAskForLess() throws {
    #expect(try releases().presentation.table().rows.count == 60)
    #expect(try releases("0").presentation.table().rows.count == 60)
    let few = try releases("5")
    #expect(few.presentation.table().rows.count == 5)
    #expect(few.presentation.notes().contains("55 of 60 rows are left out, of older releases: --newest 0 shows all"))
    #expect(try releases().presentation.notes().allSatisfy { !$0.contains("left out") })
  }
}
