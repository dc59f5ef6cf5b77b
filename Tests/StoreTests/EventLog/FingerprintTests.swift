import Lifecycle
import Testing

@testable import Store

/// What stands in memory for the profiles of devices.
@Suite struct FingerprintTests {
  private typealias Profile = Interner.Profile

  private static let profiles = [
    Profile(), Profile(platform: ""), Profile(platform: "a"), Profile(osVersion: "a"), Profile(platform: "aa"),
    Profile(platform: "a", osVersion: "a"), Profile(platform: "a", osVersion: "ab"),
    Profile(platform: "aa", osVersion: "b"),
    Profile(appVersion: "a"), Profile(sdkVersion: "a"), Profile(arm: "a"), Profile(traits: "a"),
    Profile(emulator: true),
    Profile(emulator: false), Profile(platform: "\u{e9}"), Profile(platform: "e\u{301}"),
    Profile(platform: String(repeating: "a", count: 255)), Profile(platform: String(repeating: "a", count: 256)),
  ]

  @Test func differentProfilesAreToldApart() {
    let maker = FingerprintMaker()
    #expect(Set(Self.profiles.map { maker.fingerprint($0) }).count == Self.profiles.count)
    #expect(Self.profiles.map { maker.fingerprint($0) } == Self.profiles.map { maker.fingerprint($0) })
  }

  @Test func whereADeviceIsCountsToo() {
    let maker = FingerprintMaker()
    let places: [(app: String, channel: String, network: String?)] = [
      ("a", "b", nil), ("ab", "", nil), ("", "ab", nil), ("a", "b", ""), ("a", "b", "c"), ("a", "bc", nil),
    ]
    let made = places.flatMap { place in
      Self.profiles.map { maker.fingerprint(app: place.app, channel: place.channel, network: place.network, $0) }
    }
    #expect(Set(made).count == places.count * Self.profiles.count)
  }

  /// What somebody found to be alike with one key is not with another.
  @Test func everyMakerHasItsKey() {
    #expect(FingerprintMaker().fingerprint(Profile()) != FingerprintMaker().fingerprint(Profile()))
  }

  /// Opened anew, with a key of its own, the log gives no second number to what is there.
  @Test func whatIsInTheFileIsKnownAgain() throws {
    let scratch = try Scratch()
    let fleet = SmallFleet(600, seed: 4)
    for start in stride(from: 0, to: 600, by: 100) {
      _ = try EventLog(path: scratch.database).append([fleet.part(start..<start + 100)])
    }
    let profiles = try count(scratch.database, "SELECT count(*) FROM profile")
    let contexts = try count(scratch.database, "SELECT count(*) FROM context")
    #expect(profiles > 1 && contexts > 1)
    #expect(
      try count(
        scratch.database,
        """
        SELECT count(*) FROM
          (SELECT DISTINCT platform, os_version, app_version, sdk_version, arm, emulator, traits FROM profile)
        """) == profiles)
    #expect(
      try count(
        scratch.database, "SELECT count(*) FROM (SELECT DISTINCT app, channel, network, profile FROM context)")
        == contexts)
  }
}
