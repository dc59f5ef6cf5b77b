import Console
import Lifecycle
import Query
import Store
import Testing

@testable import Answers

/// Where clients do not say what brought an update, no way is said to have delivered nothing.
struct UnnamedMechanismsTests {
  @Test(
    arguments: [
      (nil, "silent push: delivered nothing that is known, as 60 of 60 updates name no mechanism; "),
      ("foreground", "silent push: delivered nothing; "),
    ] as [(String?, String)])
  func isSaid(_ trigger: String?, _ said: String) throws {
    let by = trigger.map { #","trigger":"\#($0)""# } ?? ""
    let phones = (0..<60).flatMap { number in
      [
        #"{"device":"d\#(number)","stage":"check","release":"1.0","at":"2025-03-01T08:00:00Z","trigger":"foreground"}"#,
        #"{"device":"d\#(number)","stage":"applied","release":"2.0","at":"2025-03-02T09:00:00Z"\#(by)}"#,
        #"{"device":"d\#(number)","stage":"check","release":"2.0","at":"2025-03-04T08:00:00Z","trigger":"foreground"}"#,
      ]
    }
    let database = try Database(phones.joined(separator: "\n"))
    let at = try Timestamp(rfc3339: "2025-03-02T08:00:00Z")
    try Registry(path: database.path).publish(
      Publication(app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: "production", publishedAt: at), now: at)
    let shown = try answer(["mechanisms", "2.0", "--now", "2025-03-04T12:00:00Z"], Snapshot(path: database.path))
    let notes = shown.presentation.notes()
    #expect(notes.contains { $0.hasPrefix(said) }, "\(notes)")
    #expect(try shown.presentation.document().text(.compact).contains("mechanisms_unnamed") == (trigger == nil))
  }
}
