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
}
