import Lifecycle
import Store
import Testing

@testable import Query

/// Clients name their rollout bucket with every check. What a journey says of it counts before what its device says: a check that names the
/// device's own changes nothing, one that names another does.
@Suite struct NamedBucketTests {
  @Test(arguments: [0, 50]) func saysWhatDevicesSayWhoseChecksNameBuckets(_ other: Int) throws {
    let fleets = [try Fleet(), try Fleet()]
    for fleet in fleets { try fleet.publish((0..<3).map(publication)) }
    let begin = LivingFleet.epoch + .days(4)
    try say(fleets, .check, 0, at: begin, naming: 0)
    try say(fleets, .applied, 2, at: begin + .days(6) + .hours(9))
    for fleet in fleets { try EventLog(path: fleet.path).settle() }
    for _ in 0..<2 { try OpenSummary.refresh(path: fleets[0].path, now: begin + .days(7)) }
    try say(fleets, .check, 2, at: begin + .days(7) + .hours(2), naming: other)
    var (answers, looked) = (OpenAnswers(), 0)
    for hours: Int64 in [3, 1] {
      let at = begin + .days(7) + .hours(hours)
      try answers.compare(fleets[0], fleets[1], LivingFleet.label(2), at: at)
      try answers.compareJourneys(fleets[0], fleets[1], LivingFleet.label(2), at: at)
      try answers.compareReach(fleets[0], fleets[1], LivingFleet.label(2), at: at)
      // At the earlier one everybody's next contact lies beyond the cut-off.
      looked += hours == 1 || other != 0 ? Self.devices : 0
      #expect(answers.looked == looked, "\(answers)")
    }
    #expect(answers.used == 2 && answers.reachedFast == 2 && answers.triedFast == 2, "\(answers)")
  }

  private static let devices = 40

  private func publication(_ release: Int) -> Publication {
    let at = LivingFleet.epoch + .days(Int64(release * 5))
    let steps = [RolloutStep(at: at, percent: 40), RolloutStep(at: at + .days(3), percent: 100)]
    return Publication(
      app: LivingFleet.app, release: LivingFleet.label(release), channel: "production", platform: nil,
      publishedAt: at, rollout: steps)
  }

  /// - Parameter naming: how far from its own the bucket lies that a device names.
  private func say(
    _ fleets: [Fleet], _ stage: Stage, _ release: Int, at: Timestamp, naming other: Int? = nil
  ) throws {
    var batch = EventBatch()
    batch.contexts = [Context(app: LivingFleet.app, channel: "production", platform: "ios")]
    batch.names.append(LivingFleet.label(release).rawValue)
    batch.events = (0..<Self.devices).map { index in
      Event(
        at: at + .minutes(Int64(index)), device: DeviceHash(rawValue: UInt64(index + 1) &* 0x9e37_79b9_7f4a_7c15),
        identity: UInt64(at.rawValue) &+ UInt64(index), context: 0, stage: stage, trigger: .foreground,
        release: NameIndex(rawValue: 1), bucket: other.map { UInt8((index + $0) % 100) })
    }
    for fleet in fleets {
      let log = try EventLog(path: fleet.path)
      _ = try log.append([batch])
      try log.sort()
    }
  }
}
