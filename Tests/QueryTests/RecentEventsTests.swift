import Lifecycle
import Statistics
import Store
import Testing

@testable import Query

/// What the newest events tell that journeys do not keep: repeats under other ids, and downloads by size and network.
@Suite struct RecentEventsTests {
  private static let now = instant("2024-04-01T00:00:00Z")

  private func counted(_ lines: [String], where filters: [ProfileFilter] = []) throws -> RecentEvents {
    let fleet = try Fleet()
    try fleet.load(lines.joined(separator: "\n"))
    let snapshot = try Snapshot(path: fleet.path)
    var extent = try FleetScope(snapshot.vocabulary, app: nil, now: Self.now)
    extent.only = filters
    return try #require(try RecentEventsCounting(snapshot.vocabulary, extent).stored(snapshot))
  }

  /// Two devices of three events each; the first sends one of them again under another id, and once under the same.
  @Test func repeatsAreThoseUnderAnotherID() throws {
    let lines = ["a", "b"].flatMap { device in
      (1...3).map { line(device, "check", at: Double($0)) }
    }
    // What else is said makes another id.
    let again = [line("a", "check", at: 2, "\"durationMs\":5"), line("a", "check", at: 3)]
    let sums = try counted(lines + again).repeats.ratio
    #expect(sums.successes == 1 && sums.trials == 7 && sums.clusters == 2)
  }

  /// Events that say no time and come together share the instant of their receipt.
  @Test(arguments: [("2024-03-04T08:05:00Z", 0), ("2024-03-04T08:05:01Z", 2)])
  func whatHappenedWhenItWasReceivedIsNoRepeat(_ received: String, _ repeats: Int64) throws {
    let lines = (1...3).map { line("a", "check", at: 5, "\"durationMs\":\($0),\"received\":\"\(received)\"") }
    #expect(try counted(lines).repeats.ratio.successes == repeats)
  }

  /// Of two downloads of 30 MB on cellular one ends in time; that on Wi-Fi fails, which is no overrun; one that the user waits for
  /// is not in the background.
  @Test func downloadsBySizeAndNetwork() throws {
    func download(_ device: String, _ network: String, _ trigger: String = "bgRefresh") -> String {
      line(
        device, "downloadStarted", at: 10,
        "\"release\":\"2.0.0\",\"network\":\"\(network)\",\"trigger\":\"\(trigger)\"")
    }
    func end(_ device: String, _ stage: String, _ minutes: Double) -> String {
      line(device, stage, at: minutes, "\"release\":\"2.0.0\",\"trigger\":\"bgRefresh\",\"bytes\":30000000")
    }
    let overruns = try counted([
      download("a", "cellular"), end("a", "downloadCompleted", 10.25), download("b", "lte"),
      end("b", "downloadCompleted", 11), download("c", "wifi"), end("c", "failed", 10.1),
      download("d", "wifi", "foreground"),
    ]).overruns
    #expect(overruns.count == 1)
    let kind = DownloadKind(platform: "ios", size: DownloadSize.index(30_000_000), network: "cellular")
    let sums = try #require(overruns[kind]).ratio
    #expect(sums.successes == 1 && sums.trials == 2)
    #expect(DownloadSize.words[kind.size] == "20 to 50 MB")
  }

  /// Single events are not looked up by what devices say of themselves.
  @Test func saysNothingOfFilteredDevices() throws {
    let lines = [line("a", "check", at: 1), line("a", "check", at: 1, "\"durationMs\":5")]
    #expect(try counted(lines).repeats.ratio.trials == 2)
    #expect(try counted(lines, where: [ProfileFilter(.osVersion, ["18"])]).repeats.ratio.trials == 0)
  }

  @Test(
    arguments: [(nil, 5), (0, 0), (999_999, 0), (1_000_000, 1), (49_999_999, 3), (50_000_000, 4)] as [(Int64?, Int)])
  func sizesHaveClasses(_ bytes: Int64?, _ size: Int) { #expect(DownloadSize.index(bytes) == size) }
}
