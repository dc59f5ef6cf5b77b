import Lifecycle
import Store

/// A few devices that all say the same, and releases that come in steps, in two databases: one to be summarised, one to be counted.
struct StagedFleet {
  let databases: [Fleet]
  static let devices = 40

  init() throws {
    databases = [try Fleet(), try Fleet()]
    for database in databases { try database.publish((0..<3).map(Self.publication)) }
  }

  private static func publication(_ release: Int) -> Publication {
    let at = LivingFleet.epoch + .days(Int64(release * 5))
    let steps = [RolloutStep(at: at, percent: 40), RolloutStep(at: at + .days(3), percent: 100)]
    return Publication(
      app: LivingFleet.app, release: LivingFleet.label(release), channel: "production", platform: nil,
      publishedAt: at, rollout: steps)
  }

  /// - Parameter naming: how far from its own the bucket lies that a device names.
  func say(_ stage: Stage, _ release: Int, at: Timestamp, naming other: Int? = nil) throws {
    var batch = EventBatch()
    batch.contexts = [Context(app: LivingFleet.app, channel: "production", platform: "ios")]
    batch.names.append(LivingFleet.label(release).rawValue)
    batch.events = (0..<Self.devices).map { index in
      Event(
        at: at + .minutes(Int64(index)), device: DeviceHash(rawValue: UInt64(index + 1) &* 0x9e37_79b9_7f4a_7c15),
        identity: UInt64(at.rawValue) &+ UInt64(index), context: 0, stage: stage, trigger: .foreground,
        release: NameIndex(rawValue: 1), bucket: other.map { UInt8((index + $0) % 100) })
    }
    for database in databases {
      let log = try EventLog(path: database.path)
      _ = try log.append([batch])
      try log.sort()
    }
  }
}
