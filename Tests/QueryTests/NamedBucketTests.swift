import Lifecycle
import Store
import Testing

@testable import Query

/// Clients name their rollout bucket with every check. What a journey says of it counts before what its device says: a check that names the
/// device's own changes nothing, one that names another does.
@Suite struct NamedBucketTests {
  @Test(arguments: [0, 50]) func saysWhatDevicesSayWhoseChecksNameBuckets(_ other: Int) throws {
    let fleet = try StagedFleet()
    let (summarised, counted) = (fleet.databases[0], fleet.databases[1])
    let begin = LivingFleet.epoch + .days(4)
    try fleet.say(.check, 0, at: begin, naming: 0)
    try fleet.say(.applied, 2, at: begin + .days(6) + .hours(9))
    for database in fleet.databases { try EventLog(path: database.path).settle() }
    for _ in 0..<2 { try OpenSummary.refresh(path: summarised.path, now: begin + .days(7)) }
    try fleet.say(.check, 2, at: begin + .days(7) + .hours(2), naming: other)
    var (answers, looked) = (OpenAnswers(), 0)
    for hours: Int64 in [3, 1] {
      let at = begin + .days(7) + .hours(hours)
      try answers.compare(summarised, counted, LivingFleet.label(2), at: at)
      try answers.compareJourneys(summarised, counted, LivingFleet.label(2), at: at)
      try answers.compareReach(summarised, counted, LivingFleet.label(2), at: at)
      // At the earlier one everybody's next contact lies beyond the cutoff.
      looked += hours == 1 || other != 0 ? StagedFleet.devices : 0
      #expect(answers.looked == looked, "\(answers)")
    }
    #expect(answers.used == 2 && answers.reachedFast == 2 && answers.triedFast == 2, "\(answers)")
  }
}
