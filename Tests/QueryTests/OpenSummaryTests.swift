import Lifecycle
import Store
import Testing

@testable import Query

/// The newest releases are answered from an open summary and the devices that were heard of since: to the byte what all devices say.
@Suite struct OpenSummaryTests {
  @Test(arguments: 0..<3) func saysWhatDevicesSayAfterEveryBatch(_ seed: Int) throws {
    var fleet = try LivingFleet(
      seed: seed, shards: seed == 0 ? nil : seed % 2 == 1 ? [0, 63] : (0..<16).map { $0 * 4 })
    try fleet.live(days: 38)
    var answers = OpenAnswers()
    for batch in 0..<6 {
      for log in [fleet.summarised, fleet.counted] {
        let log = try EventLog(path: log.path)
        if batch == 0 { try log.settle() } else { try log.sort() }
      }
      let made = LivingFleet.epoch + .days(fleet.day) - .hours(Int64(11 * (batch % 4)))
      try OpenSummary.refresh(path: fleet.summarised.path, now: made)
      for step in 0..<3 {
        for instant in [made, made + .hours(3), made + .days(2), made + .days(6)] {
          try answers.compare(fleet, at: instant)
        }
        if step < 2 { try fleet.live(days: 1, sort: (batch + step) % 2 == 0) }
      }
    }
    #expect(answers.used * 4 > answers.asked, "\(answers)")
    #expect(answers.looked > 0 && answers.looked < answers.devices, "\(answers)")
  }

  @Test(arguments: 3..<5) func saysItAmidMerges(_ seed: Int) throws {
    var fleet = try LivingFleet(seed: seed, shards: seed == 3 ? [8, 20, 40] : (0..<24).map { $0 * 2 })
    try fleet.live(days: 38)
    let log = try EventLog(path: fleet.summarised.path)
    try log.settle()
    var answers = OpenAnswers()
    for batch in 0..<3 {
      for sort in [true, true, false] { try fleet.live(days: 1, sort: sort) }
      let made = LivingFleet.epoch + .days(fleet.day)
      try log.sort()
      try OpenSummary.refresh(path: log.path, now: made - .hours(5))
      for step in 0..<4 {
        if step == 1 { try fleet.live(days: 1, sort: batch % 2 == 0) }
        if step == 2 {
          var left = 16 * batch + 9
          try log.merge(while: { left > 0 }, { _ in left -= 1 })
        }
        if step == 3 { try log.merge() }
        for instant in [made, made + .days(1)] {
          try answers.compare(fleet, at: instant)
        }
      }
    }
    #expect(answers.used > 0, "\(answers)")
  }
}
