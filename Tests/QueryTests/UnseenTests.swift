import Lifecycle
import Query
import Store
import Testing

/// Devices of which nothing is known but that they run the release.
@Suite struct UnseenTests {
  /// `seen` of ten devices say before the publication that they are there; all apply the release, or say in checks that they run it.
  private func fleet(seen: Int, says stage: String) throws -> Fleet {
    let fleet = try Fleet()
    let before = (0..<seen).map { #"{"device":"d\#($0)","stage":"check","at":"2024-03-03T20:00:00Z"}"# }
    let update = (0..<10).map {
      #"{"device":"d\#($0)","stage":"\#(stage)","release":"v2","at":"2024-03-04T05:00:00Z"}"#
    }
    try fleet.load((before + update).joined(separator: "\n"), fold: true)
    try fleet.publish([
      Publication(
        app: "com.example.demo", release: ReleaseLabel(rawValue: "v2"), channel: "production",
        publishedAt: try Timestamp(rfc3339: "2024-03-04T00:00:00Z"))
    ])
    return fleet
  }

  private func warnings(_ fleet: Fleet) throws -> [String?] {
    let now = try Timestamp(rfc3339: "2024-03-05T00:00:00Z")
    let snapshot = try Snapshot(path: fleet.path)
    let adoption = try Adoption.answer(snapshot, try fleet.chosen("v2", now: now)).warnings
    let releases = try Releases.answer(snapshot, app: "com.example.demo", now: now).warnings
    return [adoption, releases].map { $0.first { $0.code == "not_seen_before" }?.message }
  }

  /// Who never says `applied` waits for it from the first word after the publication, which came too late for all ten.
  @Test(arguments: [("applied", 8), ("check", 10)])
  func answersSayThatDevicesWereNotSeenBefore(_ stage: String, _ count: Int) throws {
    let found = try warnings(fleet(seen: 2, says: stage))
    let remedy = "send a check at each start, and applied at the first of a release (docs/events.md)"
    let (adoption, releases) = (try #require(found[0]), try #require(found[1]))
    #expect(adoption.hasPrefix("\(count) of 10 devices said nothing between the publication of v2 and running it"))
    #expect(
      releases.hasPrefix(
        "v2 on production: more than twice as many devices run it as were seen before they did (10 and \(10 - count))"))
    #expect(adoption.hasSuffix(remedy) && releases.hasSuffix(remedy))
  }

  /// Clients that send checks and got the release before it is registered for: it is not they who have to send more.
  @Test func aReleaseThatIsRegisteredTooLateIsAskedAbout() throws {
    let fleet = try fleet(seen: 10, says: "check")
    try fleet.load(
      (0..<10).map { #"{"device":"d\#($0)","stage":"ready","release":"v2","at":"2024-03-03T22:00:00Z"}"# }
        .joined(separator: "\n"), fold: true)
    let asked =
      "v2 was heard of since 2024-03-03 22:00 UTC, before its publication: is publishedAt right? Else send a check"
    for found in try warnings(fleet) { #expect(found?.contains(asked) == true, "\(String(describing: found))") }
  }

  /// Devices of another platform had it a week before, as was announced.
  @Test func platformsThatFollowAreNotAskedAbout() throws {
    let fleet = try Fleet()
    let first = (0..<10).map {
      #"{"device":"i\#($0)","stage":"applied","release":"v2","at":"2024-02-26T05:00:00Z","platform":"ios"}"#
    }
    let second = (0..<10).map {
      #"{"device":"a\#($0)","stage":"applied","release":"v2","at":"2024-03-04T05:00:00Z","platform":"android"}"#
    }
    try fleet.load((first + second).joined(separator: "\n"), fold: true)
    let starts = [("ios", "2024-02-26T00:00:00Z"), ("android", "2024-03-04T00:00:00Z")]
    for (platform, at) in starts {
      try fleet.publish([
        Publication(
          app: "com.example.demo", release: ReleaseLabel(rawValue: "v2"), channel: "production", platform: platform,
          publishedAt: try Timestamp(rfc3339: at))
      ])
    }
    let snapshot = try Snapshot(path: fleet.path)
    let chosen = try fleet.chosen("v2", now: Timestamp(rfc3339: "2024-03-05T00:00:00Z")) { $0.platforms = ["android"] }
    let told = try Adoption.answer(snapshot, chosen).warnings.first { $0.code == "not_seen_before" }
    #expect(told?.message.contains("publishedAt") == false, "\(String(describing: told))")
  }

  @Test func whereMostWereSeenNothingIsSaid() throws {
    #expect(try warnings(fleet(seen: 5, says: "applied")) == [nil, nil])
  }
}
