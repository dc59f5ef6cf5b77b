import Lifecycle
import Testing

@testable import Ingest

/// Bodies written from the protocols of clients without an SDK that runs here: a row per case, by protocol in the files
/// beside this one.
@Suite struct ForeignReportTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var target: String
    var body: String
    var events: [String] = []
    var status = 200
    /// What the answer holds.
    var says = ""
    var dropped: [String: Int] = [:]
    var testDescription: String { name }
  }

  @Test(
    arguments: [
      capgo, capgoStoreBuilds, capgoBlame, capgoExits, hotUpdater, shorebird, reactNativeUpdate, omaha, omahaJSON,
    ].flatMap { $0 })
  func reportsBecomeEvents(_ row: Row) throws {
    let asked = try #require(ask("POST", row.target, row.body))
    #expect(asked.events == row.events)
    #expect(asked.reply.status == row.status)
    #expect(row.says.isEmpty || asked.text.contains(row.says), "\(asked.text)")
    #expect(asked.heard?.dropped ?? [:] == row.dropped)
  }
}
