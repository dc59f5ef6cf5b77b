import Console
import Lifecycle
import Testing

@testable import Report

@Suite struct CrashEventTests {
  /// In the forms of Sentry, ours, Bugsnag and Firebase's export to BigQuery.
  @Test(arguments: [
    #"{"timestamp":1740816000.5}"#, #"{"timestamp":"2025-03-01T08:00:00.5Z"}"#,
    #"{"timestamp":"2025-03-01T09:00:00.500+01:00"}"#, #"{"at":1740816000500}"#,
    #"{"device":{"id":"d","time":"2025-03-01T08:00:00.500Z"}}"#, #"{"event_timestamp":"2025-03-01 08:00:00.5 UTC"}"#,
    #"{"timestamp":"soon","received_at":"2025-03-01T08:00:00.5Z"}"#,
  ])
  func saysWhenItCrashed(_ text: String) throws {
    let event = CrashEvent(try #require(JSON(parsing: text)))
    #expect(event.time == Timestamp(rawValue: 1_740_816_000_500), "\(String(describing: event.time))")
  }

  @Test(arguments: [
    "{}", #"{"timestamp":null}"#, #"{"timestamp":"soon"}"#, #"{"timestamp":1740816000500000000}"#,
    #"{"timestamp":1e300}"#, #"{"timestamp":{}}"#, #"{"device":"d"}"#,
  ])
  func otherFormsAreNoTime(_ text: String) throws {
    #expect(CrashEvent(try #require(JSON(parsing: text))).time == nil)
  }
}
