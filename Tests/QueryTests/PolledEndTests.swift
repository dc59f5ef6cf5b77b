import Statistics
import Testing

@testable import Query

/// Devices that only check, asked about at an end that lies among their checks: the next release, a halt, an earlier cutoff; and those
/// that fall back to the old release. Waits have a mean of 40 h, so the truth by an age is known.
@Suite struct PolledEndTests {
  /// Hours: a check each, and the end.
  static let ends: [(every: Double, end: Double)] = [16.0, 24, 36, 48].flatMap { end in
    [4.0, 8, 24].map { (every: $0, end: end) }
  }

  /// At the next publication, which is taken up as fast, and at a cutoff in the past: limits of 95 % hold the truth in the most fleets,
  /// and the estimates are not off to one side. Until each has checked twice nobody can be told from one that came with it (`born_on`).
  @Test(arguments: ends, [PolledEnd.superseded, .asked]) func endsAmongTheChecks(
    _ checks: (every: Double, end: Double), _ end: PolledEnd
  ) throws {
    if end == .asked, checks.every >= checks.end { return }
    var found = Coverage()
    for seed in 1...4 {
      found.add(try PolledLives(every: checks.every, seed: UInt64(seed), end, at: checks.end).share(by: 12))
    }
    #expect(found.held >= 3 && abs(found.off) < 0.2, "\(end) at \(checks.end) h, every \(checks.every) h: \(found)")
  }

  /// After a halt nobody updates.
  @Test(arguments: [4.0, 8, 24]) func haltsAmongTheChecks(_ every: Double) throws {
    var found = Coverage()
    for seed in 1...4 {
      found.add(try PolledLives(every: every, seed: UInt64(seed), .halted, at: 24).share(by: 12))
    }
    #expect(found.held >= 3 && abs(found.off) < 0.2, "halted, every \(every) h: \(found)")
  }

  /// An update is one though the device falls back to the old release later, with checks of both within a day.
  @Test(arguments: [0, 0.1, 0.4]) func fallingBackIsNoEarlierUpdate(_ part: Double) throws {
    var found = Coverage()
    for seed in 1...4 {
      let fleet = try PolledLives(every: 6, seed: UInt64(seed), .asked, at: 100, fallingBack: part)
      for age in [6.0, 24, 48] { found.add(try fleet.share(by: age)) }
    }
    #expect(found.held >= 10 && abs(found.off) < 0.1, "\(part * 100) % fall back: \(found)")
  }

  /// What was asked then and what is asked about then are the same but for the last contact before it, which is placed.
  @Test func anEarlierCutoffIsWhatWasKnown() throws {
    for seed in 1...4 {
      let whole = try PolledLives(every: 8, seed: UInt64(seed), .asked, at: 24).share(by: 8)
      let then = try PolledLives(every: 8, seed: UInt64(seed), .asked, at: 24, isCut: true).share(by: 8)
      #expect(abs((whole.share.value ?? 0) / (then.share.value ?? 1) - 1) < 0.1, "\(whole), \(then)")
    }
  }
}

/// How many limits held the truth, and how far estimates are off on average, as a part of it.
private struct Coverage: CustomStringConvertible {
  var held = 0
  var offs: [Double] = []
  var off: Double { offs.reduce(0, +) / Double(offs.count) }
  var description: String { "\(held) of \(offs.count) held, off by \(off)" }

  mutating func add(_ answer: (share: Estimate, truth: Double)) {
    if answer.share.lo ?? 0 <= answer.truth, answer.truth <= answer.share.hi ?? 1 { held += 1 }
    offs.append((answer.share.value ?? .infinity) / answer.truth - 1)
  }
}
