import Console
import Lifecycle
import Store
import Testing

@testable import Answers

/// Questions judge what another engine knows by the same rules: answers are equal to the byte.
struct RemoteTests {
  private static let lines: [[String]] = [
    ["time-to-update", "2.7.0"], ["time-to-update", "2.8.0", "--by", "mechanism,platform"],
    ["time-to-update", "2.8.0", "--clock", "release-age", "--by", "appVersion"],
    ["time-to-update", "2.8.0", "--estimand", "patched"], ["releases"], ["releases", "--channel", "beta"],
    ["compare", "2.8.0", "2.7.0", "--by", "platform"], ["mechanisms", "2.8.0"],
    ["adoption", "2.8.0", "--by", "platform"],
    ["reach", "2.8.0"], ["reach", "2.9.0", "--by", "channel"], ["failures", "2.7.0", "--by", "mechanism,platform"],
    ["failures", "2.6.0", "--by", "network"], ["suspects", "2.6.0", "--channel", "production"],
    ["forecast", "2.9.0"], ["funnel", "2.7.0", "--by", "mechanism"], ["push"],
    ["push", "2.8.0", "--by", "platform,osVersion"], ["wakeups", "--by", "channel,sdkVersion"], ["channels"],
    ["devices", "2.7.0", "--at", "ready"], ["diagnose"], ["diagnose", "2.7.0"], ["verdict"], ["verdict", "2.7.0"],
  ]

  @Test(arguments: lines) func answersAreThoseOfTheFile(_ words: [String]) throws {
    let fleet = try SimulatedFleet.shared.get()
    let remote = try Self.remote.get()
    for now in [fleet.end] + (words.count == 2 ? [fleet.end - .days(14)] : []) {
      let options = ["--now", now.rfc3339]
      let file = try answer(words + options, Snapshot(path: fleet.path))
      // Every other one in several shards at once, few of them or all.
      let elsewhere =
        try words.count % 2 == 0
        ? answer(words + options, Snapshot(remote))
        : answer(words + options, Snapshot(WideRanges(remote, devices: { words.count == 3 ? 280 : 99_000 })))
      #expect(file == elsewhere, "\(words)")
      // The forecast of a release of a day is refused; a diagnosis may find nothing.
      #expect(file.contains("\"data\":[{") || ["forecast", "diagnose"].contains(words[0]), "\(words): \(file)")
    }
  }

  @Test func trailsAreThoseOfTheFile() throws {
    let fleet = try SimulatedFleet.shared.get()
    let hash = try Snapshot(path: fleet.path).identityKeys().device(of: SimulatedFleet.app, fleet.device)
    let digits = String(hash.rawValue, radix: 16)
    let words = [
      "breadcrumbs", String(repeating: "0", count: 16 - digits.count) + digits, "--hashed", "true", "--now",
      fleet.end.rfc3339,
    ]
    let file = try answer(words, Snapshot(path: fleet.path))
    #expect(try file == answer(words, Snapshot(Self.remote.get())))
    #expect(file.contains("applied"))
  }

  private static let remote = Result { try EventsAsRemote(file: SimulatedFleet.shared.get().path) }

  /// Withheld answers and refusals are compared as well: they say which.
  private func answer(_ words: [String], _ snapshot: borrowing Snapshot) throws -> String {
    do { return try ask(words, snapshot) } catch { return try #require(Failure(explaining: error)).message }
  }
}
