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
    ["forecast", "2.9.0"], ["funnel", "2.7.0", "--by", "mechanism"], ["push"],
    ["push", "2.8.0", "--by", "platform,osVersion"], ["wakeups", "--by", "channel,sdkVersion"], ["channels"],
    ["devices", "2.7.0", "--at", "ready"], ["diagnose"], ["diagnose", "2.7.0"], ["verdict"], ["verdict", "2.7.0"],
  ]

  @Test(arguments: lines) func answersAreThoseOfTheFile(_ words: [String]) throws {
    let fleet = try SimulatedFleet.shared.get()
    let remote = try Self.remote.get()
    for now in ["2025-02-02T00:00:00Z"] + (words.count == 2 ? ["2025-01-16T12:00:00Z"] : []) {
      let options = ["--now", now]
      let file = try answer(words + options, Snapshot(path: fleet.path))
      let elsewhere = try answer(words + options, Snapshot(remote))
      #expect(file == elsewhere, "\(words)")
      #expect(file.hasPrefix("{"), "\(words): \(file)")
    }
  }

  @Test func trailsAreThoseOfTheFile() throws {
    let fleet = try SimulatedFleet.shared.get()
    let hash = try Snapshot(path: fleet.path).identityKeys().device(of: SimulatedFleet.app, fleet.device)
    let digits = String(hash.rawValue, radix: 16)
    let words = [
      "breadcrumbs", String(repeating: "0", count: 16 - digits.count) + digits, "--hashed", "true", "--now",
      "2025-02-02T00:00:00Z",
    ]
    let file = try answer(words, Snapshot(path: fleet.path))
    #expect(try file == answer(words, Snapshot(Self.remote.get())))
    #expect(file.contains("applied"))
  }

  private static let remote = Result { try EventsAsRemote(file: SimulatedFleet.shared.get().path) }

  /// Withheld answers and refusals are compared as well: they say which.
  private func answer(_ words: [String], _ snapshot: borrowing Snapshot) throws -> String {
    let question = try #require(questions.first { $0.name == words[0] })
    let split = words.dropFirst().firstIndex { $0.hasPrefix("--") } ?? words.endIndex
    let sent = try stride(from: split, to: words.endIndex, by: 2).map { place in
      let option = try #require((question.options + [.now]).first { "--" + $0.name == words[place] })
      return (option: option, text: words[place + 1])
    }
    let asked = try question.parameters(
      arguments: Array(words[1..<split]), sent: sent, now: Instant(rawValue: 1_900_000_000_000))
    do {
      return try question.answer(asked, snapshot) { $0.device(of: $1, $2) }.presentation.document().text(.compact)
    } catch { return try #require(Failure(explaining: error)).message }
  }
}
