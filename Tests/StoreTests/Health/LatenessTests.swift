import Lifecycle
import Testing

@testable import Store

/// Who makes the cutoff wait for days.
struct LatenessTests {
  private static let received = Timestamp(seconds: 1_709_540_000)

  /// - Parameter late: how many events, each three days late, by device.
  private func found(_ late: [UInt64: Int], among all: Int) throws -> Finding {
    let scratch = try Scratch()
    var batch = batch((0..<UInt64(all)).map { $0 + 1 })
    batch.received = Self.received
    for index in batch.events.indices { batch.events[index].at = Self.received - .seconds(20) }
    var next = 0
    for (device, count) in late {
      for _ in 0..<count {
        batch.events[next].device = DeviceHash(rawValue: device)
        batch.events[next].at = Self.received - .days(3)
        next += 1
      }
    }
    try store([batch], in: scratch.database)
    let findings = Examination(path: scratch.database, now: Self.received, isFull: false).findings()
    return try #require(findings.first { $0.check == "lateness" })
  }

  @Test func theDeviceThatSetsTheCutoffIsNamed() throws {
    let one = try found([7: 38, 9: 2], among: 2000)
    #expect(one.verdict == .warn)
    #expect(one.found.hasPrefix("2.0 % of the newest 2000 events of com.example.demo came over a day late"))
    #expect(one.found.hasSuffix("most of them, 38, are of one device, 0000000000000007"))
    #expect(one.fix.map { "\($0)".contains("breadcrumbs") } == true)
  }

  @Test func manyAreCounted() throws {
    let many = try found(Dictionary(uniqueKeysWithValues: (1...40).map { ($0, 1) }), among: 2000)
    #expect(many.verdict == .warn && many.found.hasSuffix("they are of 40 devices"))
  }

  @Test func whatSetsNothingIsNoFinding() throws {
    let rows: [(late: Int, all: Int, words: String)] = [
      (19, 2000, "fewer than one in a hundred of the newest events came over a day late"),
      (
        1500, 2000, "half or more of the newest events came over a day late, as those of an import do: they set nothing"
      ),
      (100, 900, "below 1,000 events nobody can tell how late the latest hundredth comes"),
      (900, 900, "below 1,000 events nobody can tell how late the latest hundredth comes"),
      (0, 0, "there are no events that came within four weeks"),
    ]
    for row in rows {
      let one = try found([7: row.late], among: row.all)
      #expect(one.verdict == .ok && one.found == row.words)
    }
  }
}
