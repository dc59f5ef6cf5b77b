import Foundation
import Testing

@testable import Store

/// Ten thousand courses of things in the soak, some hundreds in every run. `UPTAKE_SEEDS=7..<8` shows one again.
@Suite struct SimulationTests {
  private static let seeds: Range<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    if let given = environment["UPTAKE_SEEDS"]?.components(separatedBy: "..<").compactMap({ UInt64($0) }),
      given.count == 2, given[0] < given[1]
    {
      return given[0]..<given[1]
    }
    return environment["UPTAKE_SOAK"] == "1" ? 0..<10_000 : 0..<200
  }()
  /// So many run one after another, beside others.
  private static let atOnce: UInt64 = 25

  @Test(arguments: stride(from: seeds.lowerBound, to: seeds.upperBound, by: Int(atOnce)).map { $0 })
  func nothingThatWasAnsweredIsLost(_ first: UInt64) throws {
    for seed in first..<min(first + Self.atOnce, Self.seeds.upperBound) { try SimulatedStore(seed: seed).run(lives: 3) }
  }

  /// 2228: a file whose first transaction was interrupted began anew without checksums.
  @Test(arguments: [2228] as [UInt64]) func thoseThatOnceWereWrong(_ seed: UInt64) throws {
    try SimulatedStore(seed: seed).run(lives: 3)
  }

  @Test func aSeedIsACourseOfThings() throws {
    let (one, other) = (try SimulatedStore(seed: 5), try SimulatedStore(seed: 5))
    try one.run(lives: 3)
    try other.run(lives: 3)
    #expect(one.record == other.record && one.record.contains { $0.hasSuffix("failed") })
  }

  /// The disk does lose what is not synced: without a sync for each commit answered events are missing.
  @Test func whatIsNotSyncedMayBeLost() throws {
    #expect(try (0..<8).reduce(0) { try $0 + left(.full, seed: $1) } == 16)
    #expect(try (0..<8).reduce(0) { try $0 + left(.normal, seed: $1) } < 16)
  }

  /// How many of two events are there after the power went; the first is in the database file, the second in its log.
  private func left(_ durability: Durability, seed: UInt64) throws -> Int64 {
    let scratch = try Scratch()
    let disk = Disk(scratch.path, seed: seed)
    try lose(EventLog(path: scratch.database, durability: durability, window: 4096), disk)
    disk.restart()
    return try count(scratch.database, "SELECT count(*) FROM event")
  }

  private func lose(_ log: EventLog, _ disk: Disk) throws {
    _ = try log.append([batch([1])])
    try log.shrink()
    _ = try log.append([batch([2])])
    // Closing would move the log into the file.
    disk.goOff()
  }
}
