import Dispatch
import Glibc
import Lifecycle
import Synchronization
import Testing

@testable import Store

/// What was known at the last event of a summary can be told while events are sorted and merged, or nobody makes use of it.
@Suite struct SummarisedEndTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }
  private var path: String { scratch.database }

  /// As if everything that is sorted had been summarised.
  @discardableResult private func summarise(_ kind: SummaryKind = .whole) throws -> Int64 {
    let snapshot = try Snapshot(path: path)
    let last = snapshot.lastSorted ?? 0
    guard kind == .whole else {
      try Connection(path: path, mode: .write).prepare(
        "INSERT OR REPLACE INTO summary_state VALUES (-1, ?, 1, 2, NULL, 'version 1' || char(10) || 'g')"
      ).run(.integer(last))
      return last
    }
    let state = SummaryState(
      folded: last, since: Timestamp(rawValue: 1), until: Timestamp(rawValue: 2), dataThrough: nil, ground: "g")
    try SummaryWriter(path: path).store(state, [], app: "a", generation: snapshot.generation())
    return last
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>) func tellsWhatWasKnown(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    let fleet = SmallFleet(900, seed: seed, shard: seed % 2 == 0 ? 17 : nil)
    let log = try EventLog(path: path)
    var (stored, known, told, amid) = (0, [SummaryKind: [String]](), [SummaryKind: Int](), 0)
    while stored < 900 {
      let more = min(900, stored + Int.random(in: 1..<30, using: &dice))
      _ = try log.append([fleet.part(stored..<more)])
      stored = more
      try step(log, &dice)
      for kind in [SummaryKind.whole, .open] where Int.random(in: 0..<(kind == .whole ? 6 : 3), using: &dice) == 0 {
        try log.sort()
        try summarise(kind)
        known[kind] = try outlines(path)
      }
      for kind in [SummaryKind.whole, .open] {
        guard let end = try log.summarised(kind) else { continue }
        #expect(try outlines(path, upTo: end) == known[kind])
        told[kind, default: 0] += 1
        let snapshot = try Snapshot(path: path)
        if let merging = snapshot.waiting.merging, merging.shards > 0 { amid += 1 }
        if kind == .whole { #expect(try snapshot.earlierSummaryState(app: "a")?.folded == end) }
      }
    }
    #expect(told[.whole, default: 0] > 15 && told[.open, default: 0] > 15 && amid > 0, "\(told), \(amid) amid merges")
  }

  private func step(_ log: EventLog, _ dice: inout Dice) throws {
    switch Int.random(in: 0..<24, using: &dice) {
    case 0..<10: try log.sort(atOnce: Int.random(in: 5..<200, using: &dice))
    case 10..<16:
      var left = Int.random(in: 0..<70, using: &dice)
      try log.merge {
        left -= 1
        return left >= 0
      }
    case 16: try log.fold(limit: Int.random(in: 1..<100, using: &dice))
    default: break
    }
  }

  @Test func noStretchGoesBeyondIt() throws {
    let fleet = SmallFleet(400, seed: 7)
    let log = try EventLog(path: path)
    var end: Int64 = 0
    for first in stride(from: 0, to: 400, by: 4) {
      _ = try log.append([fleet.part(first..<first + 4)])
      try log.sort()
      if first == 200 { end = try summarise() }
      if first >= 200 { #expect(try log.summarised() == end) }
    }
    #expect(try count(path, "SELECT count(*) FROM sorted_stretch") < 24)
  }

  /// The newest releases are summarised all the time: what lies before the last time adds up as if nothing kept it apart.
  @Test func fewStretchesLieBetweenEnds() throws {
    let fleet = SmallFleet(800, seed: 7)
    let plain = scratch.path + "/plain.db"
    let (log, oracle) = (try EventLog(path: path), try EventLog(path: plain))
    var (whole, stretches) = (Int64(0), [Int64]())
    for first in stride(from: 0, to: 800, by: 4) {
      for log in [log, oracle] { _ = try log.append([fleet.part(first..<first + 4)]) }
      try log.sort()
      if first == 300 { whole = try summarise() }
      #expect(try summarise(.open) == log.summarised(.open))
      if first >= 300 { #expect(try log.summarised() == whole) }
      stretches.append(try count(path, "SELECT count(*) FROM sorted_stretch"))
    }
    #expect(stretches.max() ?? 0 < 24, "\(stretches)")
    try oracle.foldAll()
    #expect(try outlines(path) == outlines(plain))
    try log.settle()
    #expect(try packed(path) == packed(plain))
  }

  /// A trickle over a long time, whose end is summarised every few steps.
  @Test func fewStretchesAndFewCopiesBetweenEnds() {
    var (stretches, open, written, most) = ([SortedStretch](), Int64(0), 0, 0)
    let (steps, events) = (20_000, 100)
    func state() -> SortedState {
      SortedState(
        generation: 0, watermark: 0, stretches: stretches, merged: 0, summarised: [open, 5000], kept: [])
    }
    func replace(_ taken: Range<Int>, _ fresh: SortedStretch?) {
      let old = stretches[taken] + (fresh.map { [$0] } ?? [])
      let size = old.reduce(0) { $0 + $1.events }
      stretches.replaceSubrange(
        taken, with: [SortedStretch(first: old[taken.lowerBound].first, last: old.last?.last ?? 0, events: size)])
      (written, most) = (written + size, max(most, stretches.count))
    }
    for step in 1...steps {
      let fresh = SortedStretch(first: Int64(step), last: Int64(step), events: events)
      replace(stretches.suffix(state().taken(by: events)).indices, fresh)
      while let joinable = state().joinable { replace(joinable, nil) }
      if step % 3 == 0 { open = Int64(step) }
    }
    #expect(stretches.reduce(0) { $0 + $1.events } == steps * events)
    #expect(stretches.contains { $0.last == 5000 })
    #expect(most <= 50, "\(most)")
    #expect(written <= steps * events * 8, "\(written)")
  }

  /// Shards hold some of what is being merged: its stretches stay as they are, and those after it add up.
  @Test(arguments: [0, 1, 20, 63]) func whatIsBeingMergedStaysAsItIs(_ shards: Int) throws {
    let fleet = SmallFleet(400, seed: 11)
    let log = try EventLog(path: path)
    func come(_ events: Range<Int>, keeping kept: [ClosedRange<Int64>]) throws {
      for first in stride(from: events.lowerBound, to: events.upperBound, by: 4) {
        _ = try log.append([fleet.part(first..<first + 4)])
        try log.sort(keeping: kept)
        try summarise(.open)
      }
    }
    func lasts() throws -> [Int64] {
      let select = try Connection(path: path, mode: .read).prepare("SELECT last FROM sorted_stretch ORDER BY 1")
      return try select.rows { $0.integer(0) }
    }
    try come(0..<100, keeping: [0 ... .max])
    let before = try lasts()
    var left = shards
    try log.merge {
      left -= 1
      return left >= 0
    }
    try come(100..<200, keeping: [0 ... .max])
    #expect(try lasts().count == 50)
    try log.sort()
    #expect(try Array(lasts().prefix(before.count)) == before && lasts().count < 40)
    try expectHolds(path, [fleet.part(0..<200)])
    try log.merge()
    try log.sort()
    #expect(try lasts().count < 15 && lasts().last == 200)
    try come(200..<400, keeping: [])
    try log.settle()
    try expectHolds(path, [fleet.batch])
  }

  /// Whoever makes a summary may see a stretch that the next one would take in.
  @Test func whatIsBeingSummarisedStaysApart() throws {
    let fleet = SmallFleet(400, seed: 7)
    let log = try EventLog(path: path)
    var ends: [Int64] = []
    for first in stride(from: 0, to: 160, by: 4) {
      _ = try log.append([fleet.part(first..<first + 4)])
      try log.sort(keeping: first < 80 ? [] : [80...80, 121 ... .max])
      if first >= 80 { ends.append(try log.lastSorted()) }
    }
    let kept = try Connection(path: path, mode: .read).prepare("SELECT last FROM sorted_stretch").rows { $0.integer(0) }
    #expect(kept.contains(80) && ends.filter { $0 > 120 }.allSatisfy(kept.contains), "\(kept)")
    #expect(kept.filter { (81...120).contains($0) }.count < 8, "\(kept)")
    for (last, told) in [(80, 80), (79, 160), (160, 160), (nil, 160)] as [(Int64?, Int64)] {
      #expect(try Snapshot(path: path).lastSorted(upTo: last) == told)
    }
    try log.sort()
    #expect(try count(path, "SELECT count(*) FROM sorted_stretch") < 8)
    try expectHolds(path, [fleet.part(0..<160)])
  }

  /// Stretches may be made at the same time as a summary.
  @Test func aStretchThatDoesNotKnowOfItIsNotStored() throws {
    let fleet = SmallFleet(200, seed: 7)
    let log = try EventLog(path: path)
    for first in 0..<7 {
      _ = try log.append([fleet.part(first * 20..<first * 20 + 20)])
      try log.sort()
    }
    _ = try log.append([fleet.part(140..<200)])
    let folder = try Folder(path: path)
    let sorting = try #require(try folder.prepareSorting(limit: 1000))
    #expect(sorting.taken.count == 7)
    let end = try summarise()
    #expect(try !folder.store(sorting))
    #expect(try log.sort() == 60)
    #expect(try log.summarised() == end)
  }

  /// What was summarised before a merge, and after so many of 160 events; how far the merge goes.
  struct Target: Sendable, CustomTestStringConvertible {
    var whole: Int?
    var open: Int?
    var through: Int
    var testDescription: String { "whole \(whole ?? 0), open \(open ?? 0)" }
  }

  /// Where most events came after the summary, a merge that kept it would write all shards for the sake of few events.
  @Test(arguments: [
    Target(whole: 100, through: 100), Target(whole: 60, through: 160), Target(open: 120, through: 120),
    Target(open: 60, through: 160), Target(whole: 100, open: 120, through: 100),
    Target(whole: 120, open: 100, through: 120), Target(whole: 60, open: 120, through: 120),
    Target(whole: 40, open: 60, through: 160), Target(through: 160),
  ]) func aMergeGoesUpToIt(_ target: Target) throws {
    let fleet = SmallFleet(160, seed: 9)
    let log = try EventLog(path: path)
    var ends: [SummaryKind: Int64] = [:]
    for first in stride(from: 0, to: 160, by: 20) {
      _ = try log.append([fleet.part(first..<first + 20)])
      try log.sort()
      if target.whole == first + 20 { ends[.whole] = try summarise() }
      if target.open == first + 20 { ends[.open] = try summarise(.open) }
    }
    try log.merge()
    #expect(try log.sortedEvents() == 160 - target.through)
    for (kind, summarised) in [(SummaryKind.whole, target.whole), (.open, target.open)] {
      let isKept = summarised.map { $0 >= target.through } ?? false
      #expect(try log.summarised(kind) == (isKept ? ends[kind] : nil))
    }
    try log.settle()
    #expect(try log.sortedEvents() == 0)
    try expectHolds(path, [fleet.batch])
  }

  /// One that was begun comes to its end before the next; then what is summarised is merged, kind by kind, and then the rest.
  @Test func everythingIsSettledWhateverIsSummarised() throws {
    let fleet = SmallFleet(400, seed: 9)
    let log = try EventLog(path: path)
    for (events, then) in [
      (0..<40, { try log.merge { false } }), (40..<200, { _ = try summarise() }),
      (200..<300, { _ = try summarise(.open) }), (300..<400, {}),
    ] as [(Range<Int>, () throws -> Void)] {
      _ = try log.append([fleet.part(events)])
      try log.sort()
      try then()
    }
    try log.settle()
    #expect(try log.sortedEvents() == 0)
    try expectHolds(path, [fleet.batch])
  }

  /// The log grows as long as somebody reads from it: who goes on with a newer snapshot lets it begin anew first.
  @Test(.timeLimit(.minutes(5))) func aLongLogBeginsAnewBetweenTwoSnapshots() throws {
    let (fleet, longest) = (SmallFleet(400, seed: 9), 24)
    let log = try EventLog(path: path)
    _ = try log.append([fleet.part(0..<40)])
    try log.sort()
    var snapshot = try Snapshot(path: path)
    var next = 40
    while next < 300, try pagesOfLog() <= longest {
      _ = try log.append([fleet.part(next..<next + 1)])
      next += 1
    }
    let (before, rest) = (try pagesOfLog(), next..<400)
    try #require(before > longest)
    let isRenewed = Atomic(false)
    let stopped = DispatchGroup()
    DispatchQueue(label: "events").async(group: stopped) {
      for event in rest where !isRenewed.load(ordering: .relaxed) {
        usleep(20_000)
        _ = try? log.append([fleet.part(event..<event + 1)])
      }
    }
    #expect(try snapshot.renew(upTo: 40, longestLog: longest))
    isRenewed.store(true, ordering: .relaxed)
    stopped.wait()
    #expect(try pagesOfLog() < before)
    #expect(snapshot.lastSorted(upTo: 40) == 40)
  }

  private func pagesOfLog() throws -> Int { try Connection(path: path, mode: .write).moveLog().pages }
}
