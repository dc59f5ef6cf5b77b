import Foundation
import Lifecycle
import Testing

@testable import Store

@Suite final class RememberedWordsTests: RegistryTests {
  typealias Table = RememberedWords.Table
  let device = DeviceHash(rawValue: 7)

  @Test(arguments: Table.allCases) func whatWasSavedIsRememberedAfterARestart(_ table: Table) throws {
    let memory = try RememberedWords(registry, table)
    memory.remember("beta", of: device, app: "a")
    try memory.save()
    #expect(try RememberedWords(registry, table).word(of: device, app: "a") == "beta")
    for other in Table.allCases where other != table {
      #expect(try RememberedWords(registry, other).word(of: device, app: "a") == nil)
    }
  }

  /// Also of one that only the file knew: its app is known once it is heard again.
  @Test(arguments: Table.allCases) func whatIsOverIsForgottenAfterARestart(_ table: Table) throws {
    let memory = try RememberedWords(registry, table)
    memory.remember("2.0", of: device, app: "a")
    try memory.save()
    let again = try RememberedWords(registry, table)
    again.remember(nil, of: device, app: "a")
    #expect(again.word(of: device, app: "a") == nil)
    #expect(try rows(table) == 1)
    try again.save()
    #expect(try rows(table) == 0)
  }

  /// Most of what devices say says nothing new: the database is told of changes alone.
  @Test func whatIsKnownIsNotWrittenAgain() throws {
    let memory = try RememberedWords(registry, .releases)
    for number in 0..<100 { memory.remember("2.0", of: DeviceHash(rawValue: UInt64(number)), app: "a") }
    try memory.save()
    let written = try changes()
    for number in 0..<100 { memory.remember("2.0", of: DeviceHash(rawValue: UInt64(number)), app: "a") }
    for number in 100..<200 { memory.remember(nil, of: DeviceHash(rawValue: UInt64(number)), app: "a") }
    try memory.save()
    #expect(try changes() == written)
    for release in ["2.1", "2.2", "2.3"] { memory.remember(release, of: device, app: "a") }
    try memory.save()
    #expect(try changes() == written + 1, "once, whatever came in between")
  }

  @Test(arguments: Table.allCases) func aForgottenDeviceComesBackNeitherInMemoryNorInTheFile(_ table: Table) throws {
    let memory = try RememberedWords(registry, table)
    memory.remember("beta", of: device, app: "a")
    memory.forget(device, app: "a")
    try memory.save()
    #expect(memory.word(of: device, app: "a") == nil)
    #expect(try rows(table) == 0)
  }

  /// The file is busy; meanwhile a save has taken what is new and waits, and a device is forgotten.
  @Test func aSaveUnderWayBringsNoForgottenDeviceBack() throws {
    let memory = try RememberedWords(registry, .channels)
    memory.remember("beta", of: device, app: "a")
    let (forgotten, threads) = (DispatchSemaphore(value: 0), DispatchGroup())
    let device = device
    let isGone = try registry.write { connection throws(StoreError) in
      DispatchQueue.global().async(group: threads) { try? memory.save() }
      usleep(200_000)
      DispatchQueue.global().async(group: threads) {
        memory.forget(device, app: "a")
        forgotten.signal()
      }
      // Whoever forgets without waiting for the save removes the rows before it writes them.
      guard forgotten.wait(timeout: .now() + 0.5) == .success else { return false }
      try connection.execute("DELETE FROM remembered_channel")
      return true
    }
    threads.wait()
    if !isGone {
      try registry.write { connection throws(StoreError) in try connection.execute("DELETE FROM remembered_channel") }
    }
    #expect(try rows(.channels) == 0)
    #expect(memory.word(of: device, app: "a") == nil)
  }

  private func fill(_ memory: RememberedWords, app: String, _ devices: Range<Int>) {
    for number in devices { memory.remember("beta", of: DeviceHash(rawValue: UInt64(number)), app: app) }
  }

  /// A holder of one app's public key makes up devices without end: those of another app are remembered, old and new.
  @Test(arguments: Table.allCases) func noAppMakesAnotherForgotten(_ table: Table) throws {
    let memory = try RememberedWords(registry, table, limit: 1000)
    fill(memory, app: "b", 0..<100)
    fill(memory, app: "flood", 1000..<6000)
    fill(memory, app: "b", 100..<200)
    for number in 0..<200 {
      #expect(memory.word(of: DeviceHash(rawValue: UInt64(number)), app: "b") == "beta", "\(number)")
    }
    #expect(memory.word(of: DeviceHash(rawValue: 5999), app: "flood") == "beta", "the newest stay")
    #expect(memory.word(of: DeviceHash(rawValue: 1000), app: "flood") == nil)
    try memory.save()
    #expect(try rows(table) <= 1000)
    #expect(try rows(table) >= 900)
  }

  /// Whatever comes, and however often it is saved in between, the file is no larger than the memory.
  @Test(arguments: Table.allCases) func aFloodIsBoundedInTheFileToo(_ table: Table) throws {
    let memory = try RememberedWords(registry, table, limit: 500)
    for round in 0..<60 {
      fill(memory, app: "flood", round * 100..<(round + 1) * 100)
      try memory.save()
      #expect(try rows(table) <= 500)
    }
  }

  /// Rows that a flood left do not keep anybody out after a restart.
  @Test(arguments: Table.allCases) func afterARestartThereIsRoom(_ table: Table) throws {
    let memory = try RememberedWords(registry, table, limit: 1000)
    fill(memory, app: "flood", 1000..<2000)
    try memory.save()
    let again = try RememberedWords(registry, table, limit: 1000)
    #expect(again.word(of: DeviceHash(rawValue: 1500), app: "flood") == "beta")
    fill(again, app: "b", 0..<100)
    for number in 0..<100 { #expect(again.word(of: DeviceHash(rawValue: UInt64(number)), app: "b") == "beta") }
    try again.save()
    #expect(try rows(table) <= 1000)
    #expect(try RememberedWords(registry, table, limit: 1000).word(of: DeviceHash(rawValue: 99), app: "x") == "beta")
  }

  /// While nothing can be saved no memory fills either, nothing is lost of what is remembered, and what stayed behind goes at the start.
  @Test func whatCannotBeSavedIsBoundedToo() throws {
    let memory = try RememberedWords(registry, .channels, limit: 100)
    let breaker = try Connection(path: scratch.database, mode: .write)
    try breaker.execute(
      "CREATE TRIGGER stop BEFORE INSERT ON remembered_channel BEGIN SELECT raise(ABORT, 'no'); END")
    for round in 0..<50 {
      fill(memory, app: "flood", round * 100..<(round + 1) * 100)
      #expect(throws: StoreError.self) { try memory.save() }
    }
    try breaker.execute("DROP TRIGGER stop")
    try memory.save()
    #expect(try rows(.channels) <= 200)
    _ = try RememberedWords(registry, .channels, limit: 100)
    #expect(try rows(.channels) <= 100)
  }

  private func rows(_ table: Table) throws -> Int64 {
    switch table {
    case .channels: try count(scratch.database, "SELECT count(*) FROM remembered_channel")
    case .releases: try count(scratch.database, "SELECT count(*) FROM remembered_release")
    }
  }

  /// Rows that were written by the registry.
  private func changes() throws -> Int64 {
    try registry.write { connection throws(StoreError) in try connection.integer("SELECT total_changes()") }
  }
}
