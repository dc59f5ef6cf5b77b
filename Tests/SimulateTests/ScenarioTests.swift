import Lifecycle
import Testing

@testable import Simulate

struct ScenarioTests {
  static let refusals: [(text: String, message: String)] = [
    ("devises 3", "t:1: unknown keyword 'devises'\n  hint: keywords are name, about, app, base, until"),
    (
      "days 30\ndevices many",
      "t:2: the number 'many' is not a whole number from 1 to 20000000\n  hint: write devices 20000"
    ),
    ("ios 12", "t:1: the share '12' is not a share like 12%, from 0% to 100%\n  hint: write ios 55%"),
    ("loss 101%", "t:1: the share '101%' is not a share like 12%, from 0% to 100%\n  hint: write loss 0.2%"),
    ("work-period 10m", "t:1: Android runs no work more often than 15m\n  hint: write work-period 60m"),
    ("until yesterday", "t:1: 'yesterday' is not a time\n  hint: write until 2025-06-30T00:00:00Z"),
    ("push production at 1d", "t:1: 'push' comes before any release; begin with: release 1.1.0\n  hint: write push"),
    ("release 2\n publish production 1d", "t:2: expected 'at', found '1d'\n  hint: write publish production"),
    ("release 2\n publish production at", "t:2: the time is missing\n  hint: write publish production"),
    ("release 2\n publish production at 1x", "t:2: the time '1x' is not a duration like 90s, 45m, 6h or 1d12h\n"),
    ("release 2\n publish production at 1d rollout 9%@2h,5%@3h", "t:2: rollout steps go back\n"),
    ("release 2\n publish production at 1d now", "t:2: 'now' does not belong here\n"),
    ("release 2\n halt beta at 1d", "t:2: 2 is not published on 'beta' above this line\n"),
    ("release 2\nrelease 2", "t:2: release '2' exists already; a promotion is a second 'publish' line\n"),
    ("release 2\n publish beta at 1d", "t: channel 'beta' is not declared\n  hint: add a line: channel beta 10%"),
    ("release 2", "t: release '2' is never published\n  hint: add: publish CHANNEL at TIME"),
  ]

  @Test(arguments: refusals) func refuses(_ refusal: (text: String, message: String)) {
    let problem = #expect(throws: ScenarioProblem.self) { try Scenario(parsing: refusal.text, file: "t") }
    #expect(problem?.description.prefix(refusal.message.count) == refusal.message[...])
  }

  @Test func readsEverythingAboutARelease() throws {
    let text = """
      channel production 90%   # the default
      channel beta 10%
      release 1.1.0
        size 2.5MB
        crashes-on 8%
        publish beta ios at 6h
        publish production at 1d rollout 10%@0h,100%@1d12h mandatory
        push production at 1d30m times 3 every 20m expires 12h
        halt production at 2d
      """
    let scenario = try Scenario(parsing: text, file: "t")
    let release = try #require(scenario.releases.first)
    #expect(scenario.channels.map(\.name) == ["production", "beta"])
    #expect(release.bytes == 2_500_000)
    #expect(release.crashes == 0.08)
    #expect(
      release.publications == [
        PublicationPlan(channel: "beta", platform: .ios, at: .hours(6)),
        PublicationPlan(
          channel: "production", at: .days(1),
          rollout: [.init(after: .hours(0), percent: 10), .init(after: .hours(36), percent: 100)], mandatory: true,
          haltedAt: .days(2)),
      ])
    #expect(
      release.pushes == [
        PushPlan(channel: "production", at: .minutes(24 * 60 + 30), times: 3, every: .minutes(20), expires: .hours(12))
      ])
  }

  @Test(arguments: BuiltInScenario.all.map(\.name)) func builtInsAreSound(name: String) throws {
    let builtIn = try #require(BuiltInScenario.all.first { $0.name == name })
    let scenario = try Scenario(parsing: builtIn.text, file: builtIn.name)
    #expect(scenario.name == name)
    #expect(!scenario.about.isEmpty)
    #expect(scenario.releases.flatMap(\.publications).allSatisfy { $0.at < .days(Int64(scenario.days)) })
  }

  /// Every keyword's own usage line reads as what it shows, so that hints are never wrong.
  @Test(arguments: Setting.all.map(\.usage)) func usageIsValid(usage: String) throws {
    for line in alternatives(usage) { _ = try Scenario(parsing: line, file: "usage") }
  }

  private func alternatives(_ usage: String) -> [String] {
    guard usage.contains("|") else { return [usage] }
    let words = usage.split(separator: " ")
    return words[1].split(separator: "|").map { "\(words[0]) \($0)" }
  }
}

struct AdjustedScenarioTests {
  @Test(arguments: [0, 2, 6, 9]) func hasAsManyReleasesAsAsked(count: Int) throws {
    let scenario = try Scenario.small("demo").with(releases: count)
    #expect(scenario.releases.count == count)
    #expect(Set(scenario.releases.map(\.label)).count == count)
    let times = scenario.releases.flatMap(\.publications).filter { $0.channel == "production" }.map(\.at)
    #expect(times == times.sorted())
    #expect(times.allSatisfy { $0 < .days(30) })
  }
}
