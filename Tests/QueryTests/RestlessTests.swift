import Lifecycle
import Testing

@testable import Query
@testable import Store

/// What was said within a day of something else is one run of contacts or several, which decides what a device ran in between: it is told by a
/// device's last contact alone only where nothing else bears on it.
@Suite struct RestlessTests {
  @Test(arguments: 0..<6) func saysWhatDevicesSay(_ seed: Int) throws {
    var fleet = try RestlessFleet(seed: seed)
    for _ in 0..<9 { try fleet.live(hours: 24, share: 0.8) }
    try EventLog(path: fleet.summarised.path).settle()
    var (answers, moved) = (OpenAnswers(), 0)
    for round in 0..<16 {
      try fleet.live(hours: round % 5 == 4 ? 30 : 7, share: round % 3 == 0 ? 0.3 : 0.7)
      for release in 0..<RestlessFleet.releases {
        let label = LivingFleet.label(release)
        try answers.compareReach(fleet.summarised, fleet.counted, label, at: fleet.now - .hours(Int64(round % 3)))
      }
      let made = fleet.now - .hours(round % 2 == 0 ? 3 : 0)
      moved += try MovedReach.compare(fleet.summarised.path, at: made) ? 1 : 0
      if round % 4 == 3 { try EventLog(path: fleet.summarised.path).merge() }
      for _ in 0..<2 { try OpenSummary.refresh(path: fleet.summarised.path, now: made) }
    }
    #expect(moved > 8 && answers.reachedFast * 2 > answers.reached, "\(moved) \(answers)")
  }
}
