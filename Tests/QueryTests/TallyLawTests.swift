import Foundation
import Lifecycle
import Store
import Testing

@testable import Query

/// Tallies add up in any order, and what devices put in can be taken out again: all devices less most of them are the
/// others.
@Suite struct TallyLawTests {
  @Test(arguments: 0..<4) func whatIsTakenOutWasNeverThere(_ seed: Int) throws {
    var random = RandomFleet(seed: seed, isDense: seed % 2 == 1)
    let fleet = try random.stored()
    let snapshot = try Snapshot(path: fleet.path)
    for question in try everyQuestion(snapshot, now: RandomFleet.epoch + .days(33)) {
      try check(question, snapshot)
    }
  }

  @Test(arguments: 0..<3) func thatHoldsOfPushes(_ seed: Int) throws {
    var random = RandomPushes(seed: seed)
    let fleet = try Fleet()
    try fleet.load(random.lines(60).joined(separator: "\n") + "\n")
    let snapshot = try Snapshot(path: fleet.path)
    let extent = try FleetScope(snapshot.vocabulary, app: nil, now: RandomFleet.epoch + .days(200))
    #expect(try Push.answer(snapshot, extent).data[0].latency.events > 20)
    for by in Push.Grouping.allCases {
      var options = Push.Options()
      options.by = [by]
      try check(Push.Question(snapshot.vocabulary, extent, options), snapshot)
    }
    try check(Push.Question(snapshot.vocabulary, extent), snapshot)
    try check(WakeUps.Question(snapshot.vocabulary, extent), snapshot)
  }

  /// A channel on which nobody is left is one that nobody was ever on.
  @Test func thatHoldsOfChannels() throws {
    let fleet = try Fleet()
    try fleet.load(
      (0..<20).map { device in
        let channel = device == 7 ? "beta" : "production"
        return
          #"{"device":"d\#(device)","stage":"check","release":"1.0","channel":"\#(channel)","at":"2024-03-05T00:00:00Z"}"#
          + "\n"
          + #"{"device":"d\#(device)","stage":"applied","release":"1.1","channel":"\#(channel)","at":"2024-03-06T00:00:00Z"}"#
          + "\n"
      }.joined())
    let snapshot = try Snapshot(path: fleet.path)
    let chosen = try ReleaseScope(
      snapshot.vocabulary, app: nil, release: ReleaseLabel(rawValue: "1.1"), now: instant("2024-03-09T00:00:00Z"))
    try check(Adoption.Question(snapshot.vocabulary, chosen), snapshot)
  }

  private func check<Asked: Question>(_ question: Asked, _ snapshot: borrowing Snapshot) throws {
    let (whole, few, rest, back) = (Ledger(), Ledger(), Ledger(), Ledger())
    for counting in question.counts.all {
      let parts = try Parts(counting, snapshot)
      whole.add(counting, parts.whole)
      few.add(counting, parts.few)
      rest.add(counting, parts.wholeLessMost)
      back.add(counting, parts.asBefore)
    }
    #expect(try rows(question, rest) == rows(question, few), "\(Asked.self)")
    #expect(try rows(question, back) == rows(question, whole), "\(Asked.self)")
  }

  private func rows<Asked: Question>(_ question: Asked, _ ledger: Ledger) throws -> [String] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let findings = question.findings(ledger)
    return try findings.rows.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
      + findings.withheld.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
  }
}

/// Tallies of every fifth shard, and what comes of adding and taking out.
private struct Parts {
  let whole, few, wholeLessMost, asBefore: any Tally

  init<Asked: Counting>(_ counting: Asked, _ snapshot: borrowing Snapshot) throws {
    let pages = try snapshot.count(counting.need) { PageTallies(make: { counting.start }) }.byFirstDevice
      .sorted { $0.device < $1.device }.map(\.tally)
    func sum(_ isWanted: (Int) -> Bool) -> Asked.Counted {
      pages.indices.filter(isWanted).reduce(into: counting.start) { $0.add(pages[$1]) }
    }
    let most = sum { $0 % 5 != 0 }
    var (less, back) = (sum { _ in true }, sum { _ in true })
    (whole, few) = (back, sum { $0 % 5 == 0 })
    less.subtract(most)
    back.subtract(most)
    back.add(most)
    (wholeLessMost, asBefore) = (less, back)
  }
}

/// A tally for each shard.
private struct PageTallies<One: Tally>: Tally {
  let make: () -> One
  private(set) var byFirstDevice: [(device: UInt64, tally: One)] = []

  init(make: @escaping () -> One) { self.make = make }

  mutating func count(_ page: borrowing ShardPage) throws {
    var tally = make()
    try tally.count(page)
    byFirstDevice.append((page.devices.devices.first ?? 0, tally))
  }

  mutating func add(_ other: PageTallies, times: Int) { byFirstDevice += other.byFirstDevice }
}
