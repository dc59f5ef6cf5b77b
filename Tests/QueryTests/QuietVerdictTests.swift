import Lifecycle
import Store
import Testing

@testable import Query
@testable import Statistics

/// Nothing comes in: what `verdict`, `status` and `compare` ask of the newest release and the one before it is in the whole summary.
@Suite struct QuietVerdictTests {
  @Test(arguments: 0..<8) func saysItOfTheNewestAndTheOneBefore(_ seed: Int) throws {
    var random = RandomFleet(seed: seed, isDense: seed % 2 == 0, isFailing: seed % 4 == 1)
    let fleet = try random.stored()
    try Folder(path: fleet.path).foldAll()
    let devices = try Snapshot(path: fleet.path)
    try Summary.refresh(path: fleet.path)
    let summarised = try Snapshot(path: fleet.path)
    let since = try #require(try summarised.summaryState(app: Self.app)).since
    var met = Met()
    for later in SummaryTests.later + [.days(8), .days(29)] {
      try compare(summarised, devices, at: since + later, &met)
    }
    // What is announced for later ends what the summary of a short history knows.
    #expect(seed % 2 == 0 || met.used == met.asked && met.shared > 0, "\(met)")
    #expect(met.used > 0 && met.asked > 0, "\(met)")
  }

  private static let app = "com.example.demo"

  /// So that no test passes because nothing was looked at.
  private struct Met {
    var asked = 0
    /// Answers for which no device was looked at.
    var used = 0
    /// Those where some device had both.
    var shared = 0
  }

  private func compare(
    _ summarised: borrowing Snapshot, _ devices: borrowing Snapshot, at now: Timestamp, _ met: inout Met
  ) throws {
    let timeline = Timeline(summarised.vocabulary, app: Self.app, until: now)
    for channel in timeline.channels {
      guard let newest = timeline.newest(on: channel, at: now) else { continue }
      var chosen = try ReleaseScope(summarised.vocabulary, app: Self.app, release: newest.label, now: now)
      chosen.selection.channels = [channel]
      guard let before = timeline.before(newest, chosen.selection).first else { continue }
      try compare(summarised, devices, chosen, before, &met)
    }
    let extent = try FleetScope(summarised.vocabulary, app: Self.app, now: now)
    #expect(
      try bytes(Verdict.answer(summarised, extent)) == bytes(Verdict.answer(devices, extent)), "verdict \(now.rfc3339)")
  }

  private func compare(
    _ summarised: borrowing Snapshot, _ devices: borrowing Snapshot, _ chosen: ReleaseScope, _ before: ReleaseRecord,
    _ met: inout Met
  ) throws {
    let (channels, now) = (chosen.selection.channels, chosen.selection.now.rfc3339)
    let words = "\(chosen.target.label) with \(before.label) on \(channels) \(now)"
    let asked = RiskCounting(
      summarised.vocabulary, chosen, [chosen.target, before],
      pairs: [ReleasePair(first: chosen.target.id, second: before.id)])
    met.asked += 1
    if let stored = try asked.kept(summarised)?.told(summarised) {
      met.used += 1
      let sum = asked.sum(try devices.count(asked.need) { asked.start })
      #expect(told(stored.shared) == told(sum.shared), "shared \(words)")
      met.shared += sum.shared.isEmpty ? 0 : 1
    }
    #expect(
      try bytes(Compare.answer(summarised, chosen, with: before))
        == bytes(Compare.answer(devices, chosen, with: before)), "\(words)")
  }
}

/// By group and marks, without what is left of nobody.
func told(_ shared: [SharedCell]) -> [Group: [SharedEnds.Pair: Int]] {
  Dictionary(grouping: shared, by: \.first).mapValues { cells in
    cells.reduce(into: SharedEnds()) { $0.add($1.ends) }.counts.filter { $0.value != 0 }
  }.filter { !$0.value.isEmpty }
}
