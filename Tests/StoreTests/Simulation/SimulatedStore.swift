import Foundation
import Lifecycle
import SimulatedDisk
import Testing

@testable import Store

/// What a seed makes of a database: appends and all upkeep, on a disk that fails at any call and loses its power, under a clock
/// that jumps, with clients that send again what was not answered.
final class SimulatedStore {
  let scratch: Scratch
  private let disk: Disk
  private let seed: UInt64
  private var dice: Dice
  private var log: EventLog?
  private var unsent: [EventBatch] = []
  private(set) var answered: [EventBatch] = []
  private var unanswered: [EventBatch] = []
  /// What was done, and how it ended.
  private(set) var record: [String] = []
  /// The call at which something goes wrong in the step at hand; 0 for none.
  private var planned: UInt64 = 0

  init(seed: UInt64) throws {
    (scratch, self.seed, dice) = (try Scratch(), seed, Dice(state: seed &* 7919 &+ 11))
    try FileManager.default.createDirectory(atPath: scratch.archives, withIntermediateDirectories: true)
    disk = Disk(scratch.path, seed: seed)
    unsent = batches()
  }

  private func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &dice) == 0 }

  private func batches() -> [EventBatch] {
    let fleet = SmallFleet(120, seed: seed, shard: chance(2) ? 5 : nil)
    var (made, start) = ([EventBatch](), 0)
    while start < 120 {
      let end = min(120, start + Int.random(in: 1...9, using: &dice))
      var batch = fleet.part(start..<end)
      let jump = ([0, 0, 0, 1, -1, 30, -400, 1000] as [Int64]).randomElement(using: &dice) ?? 0
      batch.receivedEach = batch.receivedEach.map { $0.map { Timestamp(rawValue: $0.rawValue + jump * 86_400_000) } }
      made.append(batch)
      start = end
    }
    return made
  }
}

// MARK: the course of things

extension SimulatedStore {
  /// - Parameter lives: how often the power goes.
  func run(lives: Int) throws {
    for _ in 0..<lives {
      try live()
      log = nil
      disk.restart()
      try recover()
    }
    for batch in unsent { try answer(batch) }
    log = nil
    try expectChecksums(scratch.database, "seed \(seed)")
    try expectHolds(scratch.database, answered, "seed \(seed)")
    if seed % 8 == 0 { expectSound(scratch.database, besides: "backup", "seed \(seed)") }
  }

  private func live() throws {
    for _ in 0..<Int.random(in: 3...16, using: &dice) {
      if chance(4) { planFault() }
      let before = disk.calls
      do throws(StoreError) { try step() } catch {
        record[record.count - 1] += " failed"
        let hasFailed = disk.calls > before && disk.calls >= planned && planned > 0
        #expect(hasFailed, "seed \(seed): \(record.suffix(3)) without a reason: \(error)")
      }
      if disk.isOff { return }
      planned = 0
      disk.planNothing()
    }
  }

  private func planFault() {
    let fault = [simulated_power, simulated_error, simulated_full].randomElement(using: &dice) ?? simulated_power
    planned = UInt64.random(in: 1...(chance(3) ? 200 : 25), using: &dice)
    disk.plan(fault, at: planned)
  }

  private enum Step: CaseIterable {
    case append, appendMore, appendAgain, appendStill, fold, foldAll, sort, merge, settle, checkpoint, shrink, vacuum,
      retain
    case backUp, ask, reopen
  }

  private func step() throws(StoreError) {
    let step = Step.allCases.randomElement(using: &dice) ?? .append
    record.append("\(step)")
    switch step {
    case .append, .appendMore, .appendAgain, .appendStill: try append()
    case .fold: try opened().fold(limit: 30)
    case .foldAll: try opened().foldAll()
    case .sort: try opened().sort()
    case .merge: try opened().merge(RecentLimit(leastSettled: 0, share: 0))
    case .settle: try opened().settle()
    case .checkpoint: try opened().checkpoint()
    case .shrink: try opened().shrink()
    case .vacuum: try opened().vacuum()
    case .retain: try retain()
    case .backUp: try backUp()
    case .ask: try ask()
    case .reopen:
      log = nil
      _ = try opened()
    }
  }

  private func opened() throws(StoreError) -> EventLog {
    if let log { return log }
    let made = try EventLog(path: scratch.database, window: 4096)
    log = made
    return made
  }
}

// MARK: what is done

extension SimulatedStore {
  private func append() throws(StoreError) {
    let log = try opened()
    guard let batch = unsent.popLast() else { return }
    unanswered.append(batch)
    let admitted = try log.append([batch])
    #expect(admitted == [Admitted(accepted: batch.events.count, duplicate: 0)], "seed \(seed)")
    answered.append(unanswered.removeLast())
  }

  private func retain() throws(StoreError) {
    let log = try opened()
    try log.foldAll()
    let before = Timestamp(rawValue: SmallFleet.start + Int64.random(in: 0...120, using: &dice) * SmallFleet.hour)
    _ = try log.retain(before: before, archives: scratch.archives)
  }

  private func backUp() throws(StoreError) {
    let log = try opened()
    let target = scratch.path + "/backup.db"
    let made = try Backup.make(of: scratch.database, at: target, replacing: true, now: Timestamp(rawValue: 0))
    #expect(made.events <= log.newest, "seed \(seed)")
  }

  /// While nothing else happens two questions have one answer.
  private func ask() throws(StoreError) {
    let log = try opened()
    let before = try said()
    try log.checkpoint()
    #expect(try said() == before, "seed \(seed)")
  }

  private func said() throws(StoreError) -> [String] {
    do { return try told(scratch.database) } catch let error as StoreError { throw error } catch {
      throw StoreError(.inputOutput, path: "\(error)")
    }
  }

  /// After the power came back: what was answered is there, what was not is there whole or not at all, and can be sent again.
  private func recover() throws {
    planned = 0
    disk.planNothing()
    record.append("restart")
    _ = try opened()
    let connection = try Connection(path: scratch.database, mode: .read)
    let sound = try connection.prepare("PRAGMA integrity_check").first { $0.text(0) }
    #expect(sound == "ok", "seed \(seed): \(record)")
    for batch in answered {
      let again = try opened().append([batch])
      #expect(again == [Admitted(accepted: 0, duplicate: batch.events.count)], "seed \(seed): lost after \(record)")
    }
    for batch in unanswered { try answer(batch) }
    unanswered = []
  }

  private func answer(_ batch: EventBatch) throws {
    let admitted = try opened().append([batch])
    let count = batch.events.count
    let isWhole = [[Admitted(accepted: count, duplicate: 0)], [Admitted(accepted: 0, duplicate: count)]].contains(
      admitted)
    #expect(isWhole, "seed \(seed): half a batch after \(record)")
    answered.append(batch)
  }
}
