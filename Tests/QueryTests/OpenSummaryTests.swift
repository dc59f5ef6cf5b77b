import Foundation
import Lifecycle
import Store
import Testing

@testable import Query

/// The newest releases are answered from an open summary and the devices that were heard of since: to the byte what all devices say.
@Suite struct OpenSummaryTests {
  /// What was met, so that no test passes because nothing was looked at.
  private struct Met {
    var asked = 0
    /// Answers that rest on the summary.
    var used = 0
    /// Devices that these looked at, of all.
    var looked = 0
    var devices = 0
    /// The same of `releases`, and those that tell of releases that ended.
    var listed = 0
    var listedFast = 0
    var listedEnded = 0
  }

  @Test(arguments: 0..<3) func saysWhatDevicesSayAfterEveryBatch(_ seed: Int) throws {
    var fleet = try LivingFleet(
      seed: seed, shards: seed == 0 ? nil : seed % 2 == 1 ? [0, 63] : (0..<16).map { $0 * 4 })
    try fleet.live(days: 38)
    var met = Met()
    for batch in 0..<6 {
      for log in [fleet.summarised, fleet.counted] {
        let log = try EventLog(path: log.path)
        if batch == 0 { try log.settle() } else { try log.sort() }
      }
      let made = LivingFleet.epoch + .days(fleet.day) - .hours(Int64(11 * (batch % 4)))
      try OpenSummary.refresh(path: fleet.summarised.path, now: made)
      for step in 0..<3 {
        for instant in [made, made + .hours(3), made + .days(2), made + .days(6)] {
          try compare(fleet, at: instant, &met)
          try compareReleases(fleet, at: instant, &met)
        }
        if step < 2 { try fleet.live(days: 1, sort: (batch + step) % 2 == 0) }
      }
    }
    #expect(met.used * 4 > met.asked, "\(met)")
    #expect(met.looked > 0 && met.looked < met.devices, "\(met)")
  }

  @Test(arguments: 3..<5) func saysItAmidMerges(_ seed: Int) throws {
    var fleet = try LivingFleet(seed: seed, shards: seed == 3 ? [8, 20, 40] : (0..<24).map { $0 * 2 })
    try fleet.live(days: 38)
    let log = try EventLog(path: fleet.summarised.path)
    try log.settle()
    var met = Met()
    for batch in 0..<3 {
      for sort in [true, true, false] { try fleet.live(days: 1, sort: sort) }
      let made = LivingFleet.epoch + .days(fleet.day)
      try log.sort()
      try OpenSummary.refresh(path: log.path, now: made - .hours(5))
      for step in 0..<4 {
        if step == 1 { try fleet.live(days: 1, sort: batch % 2 == 0) }
        if step == 2 {
          var left = 16 * batch + 9
          try log.merge(while: { left > 0 }, { _ in left -= 1 })
        }
        if step == 3 { try log.merge() }
        for instant in [made, made + .days(1)] {
          try compare(fleet, at: instant, &met)
          try compareReleases(fleet, at: instant, &met)
        }
      }
    }
    #expect(met.used > 0, "\(met)")
  }

  private func compare(_ fleet: LivingFleet, at now: Timestamp, _ met: inout Met) throws {
    let one = try Snapshot(path: fleet.summarised.path)
    let other = try Snapshot(path: fleet.counted.path)
    for release in [fleet.published - 1, fleet.published - 2] {
      let label = LivingFleet.label(release)
      guard let chosen = try? ReleaseScope(one.vocabulary, app: nil, release: label, now: now) else { continue }
      met.asked += 1
      let question = RiskCounting(one.vocabulary, chosen, [chosen.target])
      if let open = try OpenTables(one, question), try open.tables(one) != nil {
        met.used += 1
        met.looked += try looked(one, question, open.reading)
        met.devices += try one.scan(question.need, start: { 0 }) { $0 += $1.devices.devices.count }.reduce(0, +)
      }
      let same = try ReleaseScope(other.vocabulary, app: nil, release: label, now: now)
      #expect(
        try bytes(Adoption.answer(one, chosen)) == bytes(Adoption.answer(other, same)), "\(label) \(now.rfc3339)")
      #expect(
        try bytes(TimeToUpdate.answer(one, chosen)) == bytes(TimeToUpdate.answer(other, same)),
        "\(label) \(now.rfc3339)")
    }
  }

  /// How many devices are counted twice.
  private func looked(_ snapshot: borrowing Snapshot, _ asked: RiskCounting, _ reading: OpenReading) throws -> Int {
    let span = try #require(reading.span)
    return try snapshot.scan(asked.need, span, start: { 0 }) { $0 += $1.changes?.now.devices.devices.count ?? 0 }
      .reduce(0, +)
  }

  private func compareReleases(_ fleet: LivingFleet, at now: Timestamp, _ met: inout Met) throws {
    let one = try Snapshot(path: fleet.summarised.path)
    let other = try Snapshot(path: fleet.counted.path)
    let timeline = Timeline(one.vocabulary, app: LivingFleet.app, until: now)
    let selection = Selection(app: LivingFleet.app, release: ReleaseLabel(rawValue: ""), now: now)
    let all = CatalogueCounting(
      RiskCounting(one.vocabulary, selection, timeline, timeline.releases, []), of: timeline.releases)
    met.listed += 1
    if let open = try OpenCatalogue(one, all), try open.sums(one) != nil {
      met.listedFast += 1
      if !open.ended.isEmpty { met.listedEnded += 1 }
    }
    var options = Releases.Options()
    if met.listed % 4 == 0 { options.channels = ["production"] }
    #expect(
      try bytes(Releases.answer(one, app: LivingFleet.app, now: now, options))
        == bytes(Releases.answer(other, app: LivingFleet.app, now: now, options)), "releases \(now.rfc3339)")
  }

  private func bytes(_ answer: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(answer), as: UTF8.self)
  }
}
