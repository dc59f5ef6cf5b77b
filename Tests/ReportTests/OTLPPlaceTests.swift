import Testing

@testable import Report

@Suite struct OTLPPlaceTests {
  /// With or without the path that collectors' documentation writes.
  @Test(arguments: [
    ("http://h:4318", "http://h:4318/v1/logs"), ("http://h:4318/", "http://h:4318/v1/logs"),
    ("http://h:4318/v1/logs", "http://h:4318/v1/logs"), ("http://h:4318/v1/logs/", "http://h:4318/v1/logs"),
    ("https://h/otlp", "https://h/otlp/v1/logs"), ("https://h/v1", "https://h/v1/v1/logs"),
  ])
  func thePathOfLogsIsThereOnce(_ place: String, _ url: String) {
    #expect(ExportTarget.eventLog([], to: Destination(place: place)).url == url)
  }
}
