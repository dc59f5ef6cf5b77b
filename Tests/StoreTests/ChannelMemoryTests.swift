import Lifecycle
import Testing

@testable import Store

@Suite struct ChannelMemoryTests {
  let scratch: Scratch
  let registry: Registry
  let device = DeviceHash(rawValue: 7)
  init() throws {
    scratch = try Scratch()
    registry = try Registry(path: scratch.database)
  }

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
    #expect(try count(scratch.database, "SELECT count(*) FROM remembered_channel") == 0)
  }
}
