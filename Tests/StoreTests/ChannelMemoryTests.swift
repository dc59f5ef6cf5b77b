import Foundation
import Lifecycle
import Testing

@testable import Store

@Suite final class ChannelMemoryTests: RegistryTests {
  let device = DeviceHash(rawValue: 7)

  @Test func whatWasSavedIsRememberedAfterARestart() throws {
    let memory = try ChannelMemory(registry)
    memory.remember("beta", of: device, app: "a")
    try memory.save()
    #expect(try ChannelMemory(registry).channel(of: device, app: "a") == "beta")
  }

  @Test func aForgottenDeviceComesBackNeitherInMemoryNorInTheFile() throws {
    let memory = try ChannelMemory(registry)
    memory.remember("beta", of: device, app: "a")
    memory.forget(device, app: "a")
    try memory.save()
    #expect(memory.channel(of: device, app: "a") == nil)
    #expect(try rows() == 0)
  }

  /// The file is busy; meanwhile a save has taken what is new and waits, and a device is forgotten.
  @Test func aSaveUnderWayBringsNoForgottenDeviceBack() throws {
    let memory = try ChannelMemory(registry)
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
    #expect(try rows() == 0)
    #expect(memory.channel(of: device, app: "a") == nil)
  }

  private func fill(_ memory: ChannelMemory, app: String, _ devices: Range<Int>) {
    for number in devices { memory.remember("beta", of: DeviceHash(rawValue: UInt64(number)), app: app) }
  }

  /// A holder of one app's public key makes up devices without end: those of another app are remembered, old and new.
  @Test func noAppMakesAnotherForgotten() throws {
    let memory = try ChannelMemory(registry, limit: 1000)
    fill(memory, app: "b", 0..<100)
    fill(memory, app: "flood", 1000..<6000)
    fill(memory, app: "b", 100..<200)
    for number in 0..<200 {
      #expect(memory.channel(of: DeviceHash(rawValue: UInt64(number)), app: "b") == "beta", "\(number)")
    }
    #expect(memory.channel(of: DeviceHash(rawValue: 5999), app: "flood") == "beta", "the newest stay")
    #expect(memory.channel(of: DeviceHash(rawValue: 1000), app: "flood") == nil)
    try memory.save()
    #expect(try rows() <= 1000)
    #expect(try rows() >= 900)
  }

  /// Rows that a flood left do not keep anybody out after a restart.
  @Test func afterARestartThereIsRoom() throws {
    let memory = try ChannelMemory(registry, limit: 1000)
    fill(memory, app: "flood", 1000..<2000)
    try memory.save()
    let again = try ChannelMemory(registry, limit: 1000)
    #expect(again.channel(of: DeviceHash(rawValue: 1500), app: "flood") == "beta")
    fill(again, app: "b", 0..<100)
    for number in 0..<100 { #expect(again.channel(of: DeviceHash(rawValue: UInt64(number)), app: "b") == "beta") }
    try again.save()
    #expect(try rows() <= 1000)
    #expect(try ChannelMemory(registry, limit: 1000).channel(of: DeviceHash(rawValue: 99), app: "x") == "beta")
  }

  /// While nothing can be saved no memory fills either, and nothing is lost of what is remembered.
  @Test func whatCannotBeSavedIsBoundedToo() throws {
    let memory = try ChannelMemory(registry, limit: 100)
    let breaker = try Connection(path: scratch.database, mode: .write)
    try breaker.execute(
      "CREATE TRIGGER stop BEFORE INSERT ON remembered_channel BEGIN SELECT raise(ABORT, 'no'); END")
    for round in 0..<50 {
      fill(memory, app: "flood", round * 100..<(round + 1) * 100)
      #expect(throws: StoreError.self) { try memory.save() }
    }
    try breaker.execute("DROP TRIGGER stop")
    try memory.save()
    #expect(try rows() <= 200)
  }

  private func rows() throws -> Int64 { try count(scratch.database, "SELECT count(*) FROM remembered_channel") }
}
