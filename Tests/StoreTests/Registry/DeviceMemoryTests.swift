import Lifecycle
import Testing

@testable import Store

/// A memory that apps share holds what a plain table would, but for what it says that it forgot.
@Suite struct DeviceMemoryTests {
  @Test func itHoldsWhatItDidNotForget() {
    for seed in 1...20 {
      var (dice, memory) = (Dice(state: UInt64(seed)), DeviceMemory(limit: 60, steps: 4))
      var expected: [String: [UInt64: String]] = [:]
      for _ in 0..<2000 {
        let app = ["a", "b", "c"][Int.random(in: 0..<3, using: &dice)]
        let device = DeviceHash(
          rawValue: UInt64(Int.random(in: 0..<40, using: &dice)) &+ (app == "a" ? 0 : app == "b" ? 100 : 200))
        if Int.random(in: 0..<5, using: &dice) == 0 {
          #expect(memory.forget(device, app: app) == (expected[app]?.removeValue(forKey: device.rawValue) != nil))
        } else {
          let word = "\(Int.random(in: 0..<3, using: &dice))"
          let gone = memory.remember(word, of: device, app: app)
          expected[app, default: [:]][device.rawValue] = word
          for one in gone { for app in ["a", "b", "c"] { expected[app]?[one.rawValue] = nil } }
          #expect(!gone.contains(device), "what was just said stays")
        }
        #expect(memory.count == expected.values.reduce(0) { $0 + $1.count } && memory.count <= 60)
      }
      for (app, devices) in expected {
        for (device, word) in devices { #expect(memory.word(of: DeviceHash(rawValue: device), app: app) == word) }
      }
    }
  }

  /// Whoever has less than an equal share loses nothing to those who have more.
  @Test func theLargestGivesWay() {
    var memory = DeviceMemory(limit: 90, steps: 4)
    for number in 0..<20 { memory.remember("x", of: DeviceHash(rawValue: UInt64(number)), app: "small") }
    for number in 100..<10_000 {
      memory.remember("x", of: DeviceHash(rawValue: UInt64(number)), app: number % 2 == 0 ? "even" : "odd")
    }
    for number in 0..<20 { #expect(memory.word(of: DeviceHash(rawValue: UInt64(number)), app: "small") == "x") }
    #expect(memory.count > 60)
  }
}
