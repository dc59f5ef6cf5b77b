import Foundation
import Lifecycle
import Testing

@testable import Store

@Suite final class ChannelMemoryTests: RegistryTests {
  let device = DeviceHash(rawValue: 7)

  @Test func whatWasSavedIsRememberedAfterARestart() throws {
    let memory = try ChannelMemory(registry)
    memory.remember("beta", of: device)
    try memory.save()
    #expect(try ChannelMemory(registry).channel(of: device) == "beta")
  }

  @Test func aForgottenDeviceComesBackNeitherInMemoryNorInTheFile() throws {
    let memory = try ChannelMemory(registry)
    memory.remember("beta", of: device)
    memory.forget(device)
    try memory.save()
    #expect(memory.channel(of: device) == nil)
    #expect(try rows() == 0)
  }

  /// The file is busy; meanwhile a save has taken what is new and waits, and a device is forgotten.
  @Test func aSaveUnderWayBringsNoForgottenDeviceBack() throws {
    let memory = try ChannelMemory(registry)
    memory.remember("beta", of: device)
    let (forgotten, threads) = (DispatchSemaphore(value: 0), DispatchGroup())
    let device = device
    let isGone = try registry.write { connection throws(StoreError) in
      DispatchQueue.global().async(group: threads) { try? memory.save() }
      usleep(200_000)
      DispatchQueue.global().async(group: threads) {
        memory.forget(device)
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
    #expect(memory.channel(of: device) == nil)
  }

  private func rows() throws -> Int64 { try count(scratch.database, "SELECT count(*) FROM remembered_channel") }
}
