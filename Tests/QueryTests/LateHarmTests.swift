import Lifecycle
import Store
import Testing

@testable import Query

/// Crashes and rollbacks that come later than a day after the launch.
@Suite struct LateHarmTests {
  /// 200 devices launch 2.0.0, of which 16 crash on the second day, and later none.
  private static let fleet = Result {
    try Scenario(
      """
      publish 1.0.0 at -240h
      publish 2.0.0 at 0h
      now 12h
      devices bad 16
        -264h  check 0.9.0 foreground
        -239h  ready 1.0.0 bgRefresh
        -238h  applied 1.0.0 foreground
        -1h    check 1.0.0 foreground
        1h     applied 2.0.0 foreground
        30h    crashed 2.0.0 foreground
      devices good 184
        -264h  check 0.9.0 foreground
        -239h  ready 1.0.0 bgRefresh
        -238h  applied 1.0.0 foreground
        -1h    check 1.0.0 foreground
        1h     applied 2.0.0 foreground
        49h    check 2.0.0 foreground
        79h    check 2.0.0 foreground
        93h    check 2.0.0 foreground
        96h    check 2.0.0 foreground
        189h   check 2.0.0 foreground
      """, file: "late")
  }

  /// 8 % is likely too many: the third day alone has fewer devices than the second, 184, and with the fourth it has more.
  @Test(arguments: [(50, true), (80, true), (94, true), (97, false), (190, false)] as [(Int64, Bool)])
  func aLikelyDayWaitsForAsManyDevicesThatKeepTheLimit(_ hour: Int64, _ isLikely: Bool) throws {
    let scenario = try Self.fleet.get()
    let fleet = try scenario.fleet()
    let snapshot = try Snapshot(path: fleet.path)
    let extent = try FleetScope(snapshot.vocabulary, app: nil, now: scenario.epoch + .hours(hour))
    let verdict = try #require(try Verdict.answer(snapshot, extent).data.first { $0.release == "2.0.0" })
    let reason = verdict.reasons.first { $0.subject == .lateCrashes }
    #expect(verdict.isLikelyHarmful == isLikely && (reason != nil) == isLikely, "\(verdict.reasons)")
    #expect(reason.map { ($0.events, $0.devices) == (16, 200) } ?? true)
    let words = "; in all 16 of 200 devices that launched it crashed so far"
    #expect(reason?.sentence.hasSuffix(words) ?? true, "\(verdict.reasons)")
  }
}
