import Lifecycle
import Store
import Testing

@testable import Query

/// The key that apps send with is public: channels without end may be made up with it.
@Suite struct LookedChannelTests {
  private static let now = instant("2024-03-08T00:00:00Z")

  /// Made up later than the other two, and with times long before them.
  @Test func madeUpChannelsHideNoneThatWereThereBefore() throws {
    let fleet = try Self.fleet(madeUp: LookedChannels.mostUnregistered + 9)
    let snapshot = try Snapshot(path: fleet.path)
    let answer = try Verdict.answer(snapshot, try FleetScope(snapshot.vocabulary, app: nil, now: Self.now))
    let channels = Set(answer.data.map(\.channel))
    #expect(channels.isSuperset(of: ["production", "zulu"]))
    #expect(channels.count == 1 + LookedChannels.mostUnregistered)
    let warning = try #require(answer.warnings.first { $0.code == Warning.channelsLeftOut })
    #expect(warning.message.hasPrefix("10 more channels are not looked at ("), "\(warning.message)")
  }

  /// Findings are about the same channels, each of which is a question of its own.
  @Test func findingsAreAboutNoMore() throws {
    let fleet = try Self.fleet(madeUp: LookedChannels.mostUnregistered + 9)
    let snapshot = try Snapshot(path: fleet.path)
    let extent = try FleetScope(snapshot.vocabulary, app: nil, now: Self.now)
    let targets = FleetCounting(snapshot.vocabulary, extent).targets.map(\.channel)
    #expect(targets.contains("production") && targets.contains("zulu"))
    #expect(targets.count == 1 + LookedChannels.mostUnregistered)
  }

  /// Whoever names a channel, or a release that was registered, is answered as ever, and is not warned.
  @Test func whatIsNamedIsLookedAt() throws {
    let fleet = try Self.fleet(madeUp: LookedChannels.mostUnregistered + 9)
    let snapshot = try Snapshot(path: fleet.path)
    var extent = try FleetScope(snapshot.vocabulary, app: nil, now: Self.now)
    let timeline = Timeline(snapshot.vocabulary, app: extent.app)
    let left = try #require(LookedChannels(snapshot.vocabulary, timeline).leftOut.last)
    extent.channels = [left, left]
    let named = try Verdict.answer(snapshot, extent)
    #expect(named.data.map(\.channel) == [left])
    extent = try FleetScope(
      snapshot.vocabulary, app: nil, release: ReleaseLabel(rawValue: "1.0.0"), now: Self.now)
    let registered = try Verdict.answer(snapshot, extent)
    #expect(registered.data.map(\.channel) == ["production"])
    #expect(!(named.warnings + registered.warnings).contains { $0.code == Warning.channelsLeftOut })
  }

  @Test func asManyAsThereIsRoomForAreAllLookedAt() throws {
    let fleet = try Self.fleet(madeUp: LookedChannels.mostUnregistered - 1)
    let snapshot = try Snapshot(path: fleet.path)
    let answer = try Verdict.answer(snapshot, try FleetScope(snapshot.vocabulary, app: nil, now: Self.now))
    #expect(answer.data.count == 1 + LookedChannels.mostUnregistered)
    #expect(!answer.warnings.contains { $0.code == Warning.channelsLeftOut })
  }

  /// 1.0.0 is registered on production; of 2.0.0, on `zulu` and on channels before it by name, nobody registered anything.
  private static func fleet(madeUp: Int) throws -> Fleet {
    let fleet = try Fleet()
    try fleet.publish([
      Publication(
        app: "com.example.demo", release: ReleaseLabel(rawValue: "1.0.0"), channel: "production",
        publishedAt: instant("2024-03-01T00:00:00Z"))
    ])
    func line(_ channel: String, _ release: String, _ at: String) -> String {
      #"{"device":"on \#(channel)","channel":"\#(channel)","stage":"applied","release":"\#(release)","at":"\#(at)","received":"\#(at)"}"#
    }
    try fleet.load(
      line("production", "1.0.0", "2024-03-02T00:00:00Z") + "\n" + line("zulu", "2.0.0", "2024-03-02T00:00:00Z") + "\n")
    try fleet.load((0..<madeUp).map { line("alpha \($0)", "2.0.0", "2024-02-01T00:00:00Z") + "\n" }.joined())
    return fleet
  }
}
