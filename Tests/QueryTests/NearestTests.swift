import Lifecycle
import Store
import Testing

@testable import Query

/// What somebody is led to who mistypes a release.
@Suite struct NearestTests {
  private static let now = instant("2025-03-10T00:00:00Z")

  /// - Parameter labels: the oldest first, a day apart.
  private static func near(_ typed: String, _ labels: [String]) throws -> [String] {
    let fleet = try Fleet()
    try fleet.publish(
      labels.enumerated().map { day, label in
        Publication(
          app: "com.example.demo", release: ReleaseLabel(rawValue: label), channel: "production",
          publishedAt: now - .days(Int64(labels.count - day)))
      })
    let snapshot = try Snapshot(path: fleet.path)
    return Timeline(snapshot.vocabulary, app: "com.example.demo").nearest(ReleaseLabel(rawValue: typed))
  }

  @Test func ofEquallyLikeOnesTheNewestComesFirst() throws {
    #expect(try Self.near("4.10.00", ["4.9.0", "4.10.0", "4.11.0", "4.12.0"]) == ["4.10.0", "4.12.0", "4.11.0"])
    #expect(try Self.near("2.x", ["2.2", "2.1", "2.4", "2.3"]) == ["2.3", "2.4", "2.1"])
  }

  @Test func ofReleasesThatNobodyRegisteredTheFirstEventCounts() throws {
    let fleet = try Fleet()
    let lines = ["1.3", "1.1", "1.2"].enumerated().map { day, label in
      let at = Self.now - .days(Int64(3 - day))
      return #"{"device":"d","stage":"applied","release":"\#(label)","at":\#(at.rawValue)}"#
    }
    try fleet.load(lines.joined(separator: "\n"))
    let timeline = Timeline(try Snapshot(path: fleet.path).vocabulary, app: "com.example.demo")
    #expect(timeline.nearest(ReleaseLabel(rawValue: "1.x")) == ["1.2", "1.1", "1.3"])
  }
}
