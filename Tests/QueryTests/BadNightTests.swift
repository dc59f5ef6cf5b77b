import Lifecycle
import Statistics
import Store
import Testing

@testable import Query

/// What a verdict says to somebody at three in the morning, beside its figures.
@Suite struct BadNightTests {
  /// 1.0.0 came ten days before and is fine; what becomes of 2.0.0 is a row's.
  private static func verdict(
    _ devices: Int, _ second: String, rollout: String = "", at hour: Int64, _ options: Verdict.Options = .init()
  ) throws -> Verdict {
    let scenario = try Scenario(
      """
      publish 1.0.0 at -240h
      publish 2.0.0 at 0h \(rollout)
      now 12h
      devices phone \(devices)
        -264h  check 0.9.0 foreground
        -239h  ready 1.0.0 bgRefresh
        -238h  applied 1.0.0 foreground
        -1h    check 1.0.0 foreground
      \(second)
      """, file: "night")
    let fleet = try scenario.fleet()
    let snapshot = try Snapshot(path: fleet.path)
    let extent = try FleetScope(snapshot.vocabulary, app: nil, now: scenario.epoch + .hours(hour))
    return try #require(try Verdict.answer(snapshot, extent, options).data.first { $0.release == "2.0.0" })
  }

  /// Who mends a release while it is the server that fails mends the wrong thing.
  @Test func saysWhatAttemptsFailFor() throws {
    let verdict = try Self.verdict(400, "  1h     failed 2.0.0 bgRefresh reason=unreachable", at: 6)
    #expect(verdict.condition == .failing, "\(verdict.reasons)")
    #expect(verdict.reasons[0].sentence.hasSuffix("; all: unreachable (400 of 400)"), "\(verdict.reasons[0])")
    #expect(!verdict.isHardlyRun && verdict.reasons.allSatisfy { !$0.sentence.contains("does it start?") })
  }

  /// It ends before it can say anything; of one that nobody was offered the same share runs it.
  @Test(arguments: [true, false]) func asksWhetherItStarts(_ isReady: Bool) throws {
    let second = isReady ? "  1h     ready 2.0.0 bgRefresh" : "  5h     check 1.0.0 foreground"
    let verdict = try Self.verdict(400, second, at: 6)
    #expect(verdict.condition == .slow && verdict.isHardlyRun == isReady, "\(verdict.reasons)")
    let asked = "; 400 devices tried to get it and did not fail, and hardly any says that it runs: does it start?"
    #expect(verdict.reasons[0].sentence.hasSuffix(asked) == isReady, "\(verdict.reasons[0])")
    #expect((verdict.wouldChange == "devices that say that they run it") == isReady)
  }

  /// Published, and not uploaded: devices are there, and for a day none so much as tries. Of the first release of an app no other says
  /// that it is slow; who has it from a store was given it.
  @Test(arguments: [
    (6, "1.0.0", true, false), (30, "1.0.0", true, true), (30, "1.0.0", false, true), (30, "2.0.0", false, false),
  ])
  func asksWhetherItIsGivenOut(_ hour: Int64, _ runs: String, _ hasBefore: Bool, _ isAsked: Bool) throws {
    let scenario = try Scenario(
      """
      \(hasBefore ? "publish 1.0.0 at -240h" : "")
      publish 2.0.0 at 0h
      now 40h
      devices phone 60
        -264h  check 0.9.0 foreground
        -239h  ready 1.0.0 bgRefresh
        -238h  applied 1.0.0 foreground
        -1h    check 1.0.0 foreground
        5h     check \(runs) foreground
        29h    check \(runs) foreground
      """, file: "given")
    let fleet = try scenario.fleet()
    let snapshot = try Snapshot(path: fleet.path)
    let extent = try FleetScope(snapshot.vocabulary, app: nil, now: scenario.epoch + .hours(hour))
    let verdict = try #require(try Verdict.answer(snapshot, extent).data.first { $0.release == "2.0.0" })
    #expect(verdict.isGivenToNobody == isAsked && verdict.decision == .wait, "\(verdict.reasons)")
    let asked = "none of 60 eligible devices is known to have tried to get it, 30.0h after its publication:"
    #expect(verdict.reasons.contains { $0.sentence.hasPrefix(asked) } == isAsked, "\(verdict.reasons)")
    #expect((verdict.wouldChange == "a first device that tries to get it") == isAsked, "\(verdict.wouldChange)")
    let found = try Diagnosis.answer(snapshot, extent).data.map(\.finding)
    #expect(found.contains(.publicationWrong) == isAsked, "\(found)")
  }

  private static let crashes = """
      1h     applied 2.0.0 foreground
      2h     crashed 2.0.0 foreground
    """

  /// Mended under the same label and opened again: what the broken build did is in all figures.
  @Test func saysThatWhatWasBeforeCountsOn() throws {
    let halted = try Self.verdict(400, Self.crashes, rollout: "rollout=100%@0h,0%@3h", at: 6)
    let opened = try Self.verdict(400, Self.crashes, rollout: "rollout=100%@0h,0%@3h,100%@6h", at: 8)
    #expect(halted.condition == .crashing && !halted.wouldChange.contains("opened again at"), "\(halted.wouldChange)")
    #expect(opened.condition == .crashing, "\(opened.reasons)")
    #expect(
      opened.wouldChange.hasSuffix(
        "; it was opened again at 2024-03-04 14:00 UTC, and what devices did with it before counts on: what is mended needs a label"
          + " of its own"), "\(opened.wouldChange)")
  }

  /// 6 of 40 fail, and 5 % may: nobody has to wait for 200 devices that are not there.
  @Test func aSmallFleetIsToldWhatOneLookSays() throws {
    var options = Verdict.Options()
    options.limit = 0.05
    let others = """
        10m    ready 2.0.0 bgRefresh
      devices broken 6
        -264h  check 0.9.0 foreground
        -1h    check 1.0.0 foreground
        10m    failed 2.0.0 bgRefresh reason=disk
      """
    let verdict = try Self.verdict(34, others, at: 2, options)
    #expect(verdict.condition == .unsettled && verdict.reasons[0].subject == .firstAttempts, "\(verdict.reasons)")
    #expect(verdict.reasons[0].sentence.hasPrefix("6 of 40 first attempts"), "\(verdict.reasons[0])")
    let advice = verdict.wouldChange
    #expect(advice.hasPrefix("more devices: for one look that is above its limit"), "\(advice)")
  }

  /// Seconds that both were followed, and the age that is proposed.
  @Test(
    arguments: [(0, nil), (3599, nil), (3600, 3600), (7 * 3600, 6 * 3600), (30 * 3600, 86_400), (900_000, 172_800)]
      as [(Int64, Int64?)])
  func proposesAnAgeThatThereIs(_ lived: Int64, _ usual: Int64?) {
    #expect(Compare.usualAge(within: lived) == usual)
  }

  /// Points of a hundred between two releases.
  @Test(arguments: [(-0.175, false), (0.06, false), (-0.05, true), (0.01, true)])
  func callsOnlyLittleLittle(_ points: Double, _ isLittle: Bool) {
    let difference = Estimate(points, lo: points - 0.001, hi: points + 0.001, level: 0.95, method: .wilson)
    let words = VerdictEvidence.words(difference, .undecided)
    #expect(words.hasPrefix("a little ") == isLittle, "\(words)")
    #expect(words.hasSuffix(points < 0 ? "slower than before" : "faster than before"))
  }
}
