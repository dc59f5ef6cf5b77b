import Lifecycle
import Query
import Store
import Testing

/// Reports of clients without a clock, which send them late.
@Suite struct UpperBoundTests {
  private static let published = "2024-03-04T00:00:00Z"

  /// `late` of ten devices say no time with their update.
  private func fleet(late: Int, fold: Bool) throws -> Fleet {
    let fleet = try Fleet()
    let lines = (0..<10).flatMap { device in
      let reason = device < late ? #","reason":"time_of_receipt""# : ""
      return [
        #"{"device":"d\#(device)","stage":"check","at":"2024-03-04T01:00:00Z","received":"2024-03-04T01:00:00Z"}"#,
        #"{"device":"d\#(device)","stage":"applied","release":"v2","at":"2024-03-05T01:00:00Z","#
          + #""received":"2024-03-05T01:00:00Z"\#(reason)}"#,
      ]
    }
    try fleet.load(lines.joined(separator: "\n"), fold: fold)
    let at = try Timestamp(rfc3339: Self.published)
    try fleet.publish([
      Publication(
        app: "com.example.demo", release: ReleaseLabel(rawValue: "v2"), channel: "production", publishedAt: at)
    ])
    return fleet
  }

  private func warning(_ fleet: Fleet) throws -> String? {
    let chosen = try fleet.chosen("v2", now: Timestamp(rfc3339: "2024-03-06T00:00:00Z"))
    let adoption = try Adoption.answer(try Snapshot(path: fleet.path), chosen).warnings
    let times = try fleet.timeToUpdate(chosen).warnings
    let found = [adoption, times].map { $0.first { $0.code == "times_are_upper_bounds" }?.message }
    #expect(found[0] == found[1])
    return found[0]
  }

  @Test(arguments: [true, false]) func answersSayHowManyTimesAreUpperBounds(_ fold: Bool) throws {
    let message = try #require(try warning(fleet(late: 3, fold: fold)))
    #expect(message.hasPrefix("3 of 20 events of the app since the day of publication (15 %) say no time"))
  }

  @Test func whereEveryEventSaysItsTimeNothingIsSaid() throws {
    #expect(try warning(fleet(late: 0, fold: true)) == nil)
  }

  /// How late they are nobody knows, so they say nothing of how late others are.
  @Test func theyAreNoMeasureOfTheReportingLag() throws {
    let fleet = try fleet(late: 0, fold: true)
    let reports = (0..<200).map {
      #"{"device":"r\#($0)","stage":"applied","release":"v2","reason":"time_of_receipt","at":"2024-03-05T02:00:00Z","#
        + #""received":"2024-03-05T02:00:00Z"}"#
    }
    let late = #"{"device":"x","stage":"check","at":"2024-03-05T02:00:00Z","received":"2024-03-05T02:34:08Z"}"#
    try fleet.load((reports + [late]).joined(separator: "\n"))
    let chosen = try fleet.chosen("v2", now: Timestamp(rfc3339: "2024-03-06T00:00:00Z"))
    #expect(try fleet.timeToUpdate(chosen).query.fields["reportingLagSeconds"] == .integer(2048))
  }
}
