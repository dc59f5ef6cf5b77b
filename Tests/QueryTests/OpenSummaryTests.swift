import Lifecycle
import Testing

@testable import Query
@testable import Store

/// The newest releases are answered from an open summary and the devices that were heard of since: to the byte what all devices say.
@Suite struct OpenSummaryTests {
  @Test(arguments: 0..<3) func saysWhatDevicesSayAfterEveryBatch(_ seed: Int) throws {
    var fleet = try LivingFleet(
      seed: seed, shards: seed == 0 ? nil : seed % 2 == 1 ? [0, 63] : (0..<16).map { $0 * 4 }, breaks: true)
    try fleet.live(days: 38)
    var answers = OpenAnswers()
    for batch in 0..<6 {
      for log in [fleet.summarised, fleet.counted] {
        let log = try EventLog(path: log.path)
        if batch == 0 { try log.settle() } else { try log.sort() }
      }
      // As in shards that were last written before version 9.
      if batch % 2 == 1 { try forgetLastContacts(fleet.summarised.path) }
      if batch > 1 { try cutColumns(fleet.summarised.path) }
      let made = LivingFleet.epoch + .days(fleet.day) - .hours(Int64(11 * (batch % 4)))
      // Reach is kept by the second one only.
      for _ in 0..<2 { try OpenSummary.refresh(path: fleet.summarised.path, now: made) }
      for step in 0..<3 {
        for instant in [made, made + .hours(3), made + .days(2), made + .days(6)] {
          try answers.compare(fleet, at: instant)
        }
        if step < 2 { try fleet.live(days: 1, sort: (batch + step) % 2 == 0) }
      }
    }
    #expect(answers.used * 4 > answers.asked, "\(answers)")
    #expect(answers.looked > 0 && answers.looked < answers.devices, "\(answers)")
    #expect(answers.reachedFast * 4 > answers.reached, "\(answers)")
    #expect(answers.triedFast * 4 > answers.tried && answers.stagedFast * 4 > answers.staged, "\(answers)")
    #expect(answers.judgedFast * 4 > answers.judged && answers.shared * 2 > answers.judgedFast, "\(answers)")
  }

  @Test(arguments: 3..<5) func saysItAmidMerges(_ seed: Int) throws {
    var fleet = try LivingFleet(seed: seed, shards: seed == 3 ? [8, 20, 40] : (0..<24).map { $0 * 2 }, breaks: true)
    try fleet.live(days: 38)
    let log = try EventLog(path: fleet.summarised.path)
    try log.settle()
    var answers = OpenAnswers()
    for batch in 0..<3 {
      for sort in [true, true, false] { try fleet.live(days: 1, sort: sort) }
      let made = LivingFleet.epoch + .days(fleet.day)
      try log.sort()
      for _ in 0..<2 { try OpenSummary.refresh(path: log.path, now: made - .hours(5)) }
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
    #expect(answers.used > 0 && answers.reachedFast > 0, "\(answers)")
  }

  private func forgetLastContacts(_ path: String) throws {
    try Connection(path: path, mode: .write).execute("DELETE FROM device WHERE part = 18 AND shard % 4 = 0")
  }

  /// As if its columns were longer than a page.
  private func cutColumns(_ path: String) throws {
    let connection = try Connection(path: path, mode: .write)
    try connection.execute(
      """
      INSERT INTO device SELECT app, shard, (part + 1) << 20 | 1, substr(packed, (length(packed) + 1) / 2 + 1) FROM device
        WHERE part IN (2, 4, 5, 7, 8, 12, 13) AND length(packed) > 28 AND substr(packed, 1, 1) = x'00'
        ON CONFLICT DO NOTHING;
      UPDATE device SET packed = substr(device.packed, 1, (length(device.packed) + 1) / 2) FROM device more
        WHERE more.app = device.app AND more.shard = device.shard AND more.part = (device.part + 1) << 20 | 1
          AND length(device.packed) > 1 + length(more.packed)
      """)
    #expect(try connection.integer("SELECT count(*) FROM device WHERE part > 1 << 20") > 10)
  }

  /// What is kept of reach is the same whether it is moved on or made from all devices.
  @Test(arguments: 5..<9) func movesReachOn(_ seed: Int) throws {
    var fleet = try LivingFleet(seed: seed, shards: seed % 2 == 0 ? [0, 63] : (0..<16).map { $0 * 4 })
    try fleet.live(days: 38)
    let log = try EventLog(path: fleet.summarised.path)
    try log.settle()
    var moved = 0
    for batch in 0..<10 {
      if batch > 0 { try fleet.live(days: 1, sort: batch % 2 == 0) }
      if batch == 6 { try log.merge() } else { try log.sort() }
      let made = LivingFleet.epoch + .days(fleet.day) - .hours(Int64(7 * (batch % 4)))
      moved += try MovedReach.compare(log.path, at: made) ? 1 : 0
      for _ in 0..<2 { try OpenSummary.refresh(path: log.path, now: made) }
    }
    #expect(moved > 2)
  }

  /// So is what is kept of first attempts and stages.
  @Test(arguments: 10..<14) func movesJourneysOn(_ seed: Int) throws {
    var fleet = try LivingFleet(seed: seed, shards: seed % 2 == 0 ? [0, 63] : (0..<16).map { $0 * 4 }, breaks: true)
    try fleet.live(days: 38)
    let log = try EventLog(path: fleet.summarised.path)
    try log.settle()
    var moved = 0
    for batch in 0..<10 {
      if batch > 0 { try fleet.live(days: 1, sort: batch % 2 == 0) }
      if batch == 6 { try log.merge() } else { try log.sort() }
      let made = LivingFleet.epoch + .days(fleet.day) - .hours(Int64(7 * (batch % 4)))
      moved += try compareMovedJourneys(log.path, at: made) ? 1 : 0
      for _ in 0..<2 { try OpenSummary.refresh(path: log.path, now: made) }
    }
    #expect(moved > 2)
  }

  private func compareMovedJourneys(_ path: String, at now: Timestamp) throws -> Bool {
    let snapshot = try Snapshot(path: path)
    let known = snapshot.lastSorted(upTo: nil)
    let last = try #require(known)
    let moment = try OpenMoment(snapshot, LivingFleet.app, now: now, last: last)
    let moves = try OpenMoves(snapshot, moment, OpenScope(moment))
    try snapshot.scan(moves.asks)
    guard let parts = moves.journeys() else { return false }
    let all = try moment.countedJourneys(snapshot)
    let (one, other) = (MovedReach.columns(parts), MovedReach.columns(all))
    let different = Set(one.keys).union(other.keys).filter { one[$0] ?? [] != other[$0] ?? [] }.sorted()
    #expect(different == [], "\(now.rfc3339)")
    return true
  }

  /// So are tables, counts and lists of devices; only which contact straddles the cutoff may be another one.
  @Test(arguments: 15..<23) func movesReleasesOn(_ seed: Int) throws {
    let shards: [UInt64] = seed % 2 == 0 ? [0, 63] : (0..<16).map { $0 * 4 }
    var fleet = try LivingFleet(seed: seed, shards: shards, breaks: seed > 16)
    try fleet.live(days: 38)
    let log = try EventLog(path: fleet.summarised.path)
    try log.settle()
    var moved = MovedReleases()
    for batch in 0..<16 {
      if batch > 0 { try fleet.live(days: 1, sort: batch % 2 == 0) }
      if batch % 7 == 6 { try log.merge() } else { try log.sort() }
      for hours in [7 * Int64(batch % 4), 3, 0] {
        let made = LivingFleet.epoch + .days(fleet.day) - .hours(hours)
        try moved.compare(log.path, at: made)
        if hours != 3 { try OpenSummary.refresh(path: log.path, now: made) }
      }
    }
    #expect(moved.moved > 20 && moved.paired > 5 && moved.straddling > 5, "\(moved)")
  }

  /// Where much came in reach is left out, and answered from devices; it comes back as soon as little does.
  @Test func keepsReachUpToItsLimits() throws {
    var fleet = try LivingFleet(seed: 9, shards: [0, 63])
    try fleet.live(days: 38)
    let log = try EventLog(path: fleet.summarised.path)
    try log.settle()
    var answers = OpenAnswers()
    // Moved on, made from all devices, or neither.
    let steps: [(limits: ReachLimits, lives: Bool, keeps: Bool)] = [
      (ReachLimits(), false, false), (ReachLimits(moved: 1_000_000, made: -1), false, false),
      (ReachLimits(), false, true), (ReachLimits(moved: 1_000_000, made: -1), true, true),
      (ReachLimits(moved: 0), true, false), (ReachLimits(), true, true),
    ]
    for (number, step) in steps.enumerated() {
      if step.lives {
        try fleet.live(days: 1, sort: true)
        try log.sort()
      }
      let made = LivingFleet.epoch + .days(fleet.day)
      try OpenSummary.refresh(path: log.path, now: made, step.limits)
      let kept = try Snapshot(path: log.path).summary(
        app: LivingFleet.app, releases: [0], SummaryPart.ofReach, .open)
      #expect((kept?.unsettledForReach != nil) == step.keeps, "step \(number)")
      try answers.compare(fleet, at: made)
    }
    #expect(answers.reachedFast > 0 && answers.reachedFast < answers.reached, "\(answers)")
  }

  /// - Returns: whether it could be moved on.
}
