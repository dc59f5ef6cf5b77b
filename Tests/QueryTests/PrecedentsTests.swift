import Lifecycle
import Store
import Testing

@testable import Query

/// Which releases say what is usual.
@Suite struct PrecedentsTests {
  private static let start = Timestamp(seconds: 1_740_787_200)

  /// 1.0, 2.0 and 3.0, a day apart; of 2.0 each of these platforms is halted after some hours.
  private func precedents(_ releases: [String], halted: [String], of platforms: [String] = []) throws -> [String] {
    let fleet = try Fleet()
    try fleet.load(
      ["ios", "android"].map { #"{"device":"\#($0)","platform":"\#($0)","stage":"check","ts":1740787200000}"# }
        .joined(separator: "\n"))
    for (day, label) in releases.enumerated() {
      let at = Self.start + .days(Int64(day))
      try fleet.publish(
        (label == "2.0" ? ["ios", "android"] : [nil]).map { platform in
          let halt = [RolloutStep(at: at, percent: 100), RolloutStep(at: at + .hours(5), percent: 0)]
          return Publication(
            app: "com.example.demo", release: ReleaseLabel(rawValue: label), channel: "production", platform: platform,
            publishedAt: at, rollout: platform.map(halted.contains) == true ? halt : [])
        })
    }
    let chosen = try fleet.chosen("3.0", now: Self.start + .days(4)) { $0.channels = ["production"] }
    var selection = chosen.selection
    selection.platforms = platforms
    return chosen.timeline.precedents(of: chosen.target, selection).map(\.label.rawValue)
  }

  @Test func aReleaseThatWasHaltedOnSomePlatformSaysItWhereNoOtherDoes() throws {
    #expect(try precedents(["1.0", "2.0", "3.0"], halted: []) == ["2.0", "1.0"])
    #expect(try precedents(["1.0", "2.0", "3.0"], halted: ["ios"]) == ["1.0"])
    #expect(try precedents(["1.0", "2.0", "3.0"], halted: ["ios"], of: ["android"]) == ["2.0", "1.0"])
    #expect(try precedents(["1.0", "2.0", "3.0"], halted: ["ios"], of: ["ios"]) == ["1.0"])
    #expect(try precedents(["2.0", "3.0"], halted: ["ios"]) == ["2.0"])
    #expect(try precedents(["2.0", "3.0"], halted: ["ios", "android"]) == [])
  }
}
