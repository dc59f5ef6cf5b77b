import Lifecycle
import Store
import Testing

@testable import Query

/// Releases that ended are answered from a summary that does not know the newest events: to the byte what all devices say.
@Suite struct EndedReleasesTests {
  /// What was met, so that no test passes because nothing was looked at.
  private struct Met {
    var asked = 0
    /// Answers in which releases were taken from the summary.
    var used = 0
    /// Devices, and those of them that were counted twice.
    var devices = 0
    var twice = 0
  }

  @Test(arguments: 0..<3) func saysWhatDevicesSayAfterEveryBatch(_ seed: Int) throws {
    var fleet = try LivingFleet(seed: seed, shards: seed == 0 ? nil : seed == 1 ? [0, 63] : (0..<16).map { $0 * 4 })
    try fleet.live(days: 38)
    try settle(fleet)
    var (met, published) = (Met(), fleet.published)
    for batch in 0..<7 {
      try fleet.live(days: 1 + batch % 2, sort: batch % 3 == 0)
      if batch == 4 { try settle(fleet) }
      // A publication ends what a summary knows of what came before it.
      if published != fleet.published { try Summary.refresh(path: fleet.summarised.path, whileEventsWait: true) }
      published = fleet.published
      let now = LivingFleet.epoch + .days(fleet.day)
      for instant in [batch % 3 == 2 ? now + .days(40) : now, now - .hours(Int64(20 + 9 * batch))] {
        try compare(fleet.summarised, fleet.counted, at: instant, &met)
      }
    }
    #expect(met.used * 2 > met.asked, "\(met)")
    #expect(met.twice > 0 && met.twice * 3 < met.devices * 2, "\(met)")
  }

  /// Everything that can coincide does: nearly every device is counted twice.
  @Test(arguments: 0..<2) func saysItOfRandomFleets(_ seed: Int) throws {
    var (one, other) = (RandomFleet(seed: seed, isDense: seed == 1), RandomFleet(seed: seed, isDense: seed == 1))
    let (summarised, counted) = (try one.stored(), try other.stored())
    try EventLog(path: summarised.path).settle()
    try Summary.refresh(path: summarised.path, whileEventsWait: true)
    var met = Met()
    for part in 0..<3 {
      let batch = one.batch(part % 3, of: 12)
      for fleet in [summarised, counted] { _ = try EventLog(path: fleet.path).append([batch]) }
      for day: Int64 in [36, 45, 90] {
        try compare(summarised, counted, at: RandomFleet.epoch + .days(day), &met)
      }
    }
    #expect(met.used * 2 > met.asked || seed == 1, "\(met)")
  }

  /// Sorted, amid merges of what was summarised and after them, what was known then can be told from what is known now.
  @Test(arguments: 3..<5) func saysItAmidMerges(_ seed: Int) throws {
    var fleet = try LivingFleet(seed: seed, shards: seed == 3 ? [8, 20, 40] : (0..<24).map { $0 * 2 })
    try fleet.live(days: 38)
    try settle(fleet)
    var (met, published) = (Met(), fleet.published)
    for batch in 0..<4 {
      let log = try EventLog(path: fleet.summarised.path)
      for sort in [true, true, false] { try fleet.live(days: 1, sort: sort) }
      if published != fleet.published || batch > 0 { try Summary.refresh(path: log.path, whileEventsWait: true) }
      published = fleet.published
      for step in 0..<4 {
        if step == 1 { try fleet.live(days: 1, sort: batch % 2 == 0) }
        if step == 2 { try merge(log, shards: 16 * batch + 9) }
        if step == 3 { try log.merge() }
        let now = LivingFleet.epoch + .days(fleet.day)
        for instant in [now, now - .hours(Int64(30 * batch + 2))] {
          try compare(fleet.summarised, fleet.counted, at: instant, &met)
        }
      }
    }
    #expect(met.used * 2 > met.asked, "\(met)")
    #expect(met.twice > 0 && met.twice * 3 < met.devices * 2, "\(met)")
  }

  /// A merge of more than what is summarised, or a stretch of it, leaves nothing of what was known then.
  @Test func isNotUsedOnceShardsKnowMore() throws {
    var fleet = try LivingFleet(seed: 1)
    try fleet.live(days: 40)
    try settle(fleet)
    let (log, now) = (try EventLog(path: fleet.summarised.path), LivingFleet.epoch + .days(45))
    func isUsed() throws -> Bool { try ended(Snapshot(path: log.path), at: now) != nil }
    try fleet.live(days: 2, sort: true)
    #expect(try isUsed() && log.summarised() != nil)
    try merge(log, shards: 0)
    #expect(try isUsed(), "no shard was merged yet")
    try merge(log, shards: 5)
    #expect(try !isUsed() && log.summarised() == nil, "amid a merge")
    try log.merge()
    #expect(try !isUsed() && log.summarised() == nil, "after it")
    try Summary.refresh(path: log.path, whileEventsWait: true)
    #expect(try isUsed() && log.summarised() != nil)
  }

  /// Each scan that it is made with takes in what came since the one before, and tells what was known at first.
  @Test func eventsMayComeInWhileItIsMade() throws {
    var (one, other) = (RandomFleet(seed: 7), RandomFleet(seed: 7))
    let (summarised, counted) = (try one.stored(), try other.stored())
    let log = try EventLog(path: summarised.path)
    try log.settle()
    let last = try log.lastSorted()
    func hear(_ part: Int) throws {
      let batch = one.batch(part, of: 12)
      for fleet in [summarised, counted] { _ = try EventLog(path: fleet.path).append([batch]) }
    }
    try hear(0)
    var scans = 0
    _ = try Summary.refresh(path: summarised.path, whileEventsWait: true, upTo: last) {
      scans += 1
      guard scans <= 3 else { return }
      try hear(scans - 1)
      try log.sort(keeping: [last...last])
    }
    #expect(try scans > 3 && log.summarised() == last)
    var met = Met()
    for day: Int64 in [36, 45, 90] {
      try compare(summarised, counted, at: RandomFleet.epoch + .days(day), &met)
    }
    #expect(met.used == 3)
  }

  @Test func whatCannotBeToldAnyMoreIsNotStored() throws {
    var fleet = RandomFleet(seed: 7)
    let stored = try fleet.stored()
    let log = try EventLog(path: stored.path)
    try log.settle()
    let last = try log.lastSorted()
    _ = try log.append([fleet.batch(0, of: 12)])
    var scans = 0
    _ = try Summary.refresh(path: stored.path, whileEventsWait: true, upTo: last) {
      scans += 1
      if scans == 2 { try log.settle() }
    }
    #expect(try scans == 2 && log.summarised() == nil)
  }

  private func merge(_ log: EventLog, shards: Int) throws {
    var left = shards
    try log.merge(while: { left > 0 }, { _ in left -= 1 })
  }

  /// A release that nobody registered counts as newer from its first event on.
  @Test func isNotUsedOnceReleasesAreOthers() throws {
    var fleet = try LivingFleet(seed: 2)
    try fleet.live(days: 46)
    try settle(fleet)
    let (path, now) = (fleet.summarised.path, LivingFleet.epoch + .days(50))
    #expect(try ended(Snapshot(path: path), at: now) != nil)
    try fleet.summarised.load(
      #"{"device":"x","stage":"available","release":"9.0.0","at":"2024-04-20T00:00:00Z"}"# + "\n", fold: false)
    #expect(try ended(Snapshot(path: path), at: now) == nil)
  }

  /// All releases but the last have ended; everything is known on day 90.
  private static let stories: [StoryFleet.Story] = [
    .init(
      title: "who ran a later one before it was published says its first word when it says so again",
      known: [(1, "check 3")] + (2..<90).map { (Double($0), "check") }, later: [(91, "check 3")], twice: 1),
    .init(
      title: "a contact before the end comes late", known: [(1, "check 0"), (89, "check 0")], later: [(45, "check 0")],
      twice: 1),
    .init(
      title: "also after all others of its device", known: [(1, "check 0")], later: [(45, "check 0")], twice: 1),
    .init(
      title: "one after the end does not matter", known: [(1, "check 0"), (75, "check 0")], later: [(91, "check 0")],
      twice: 0),
    .init(
      title: "nor does it after a long silence", known: [(1, "check 0"), (15, "check 0")], later: [(91, "check 0")],
      twice: 0),
    .init(
      title: "what is named after the cutoff is not known at it",
      known: (1..<88).map { (Double($0), "check 0") } + [(88.5, "check 2")], twice: 1, day: 88.2),
    .init(
      title: "what was applied long ago may be named at last",
      known: [(1, "check 0"), (45, "applied 2"), (46, "check")], later: [(91, "check 2")], twice: 0),
    .init(
      title: "also between the cutoff and the end of the summary",
      known: (1..<88).map { (Double($0), $0 == 45 ? "applied 2" : "check") } + [(88.5, "check 2")], twice: 0, day: 88.2),
    .init(
      title: "what began right before the cutoff is young at it",
      known: (1..<88).map { (Double($0), "check 0") } + [(88.19, "check 2")], twice: 1, day: 88.2),
    .init(title: "who is new comes with it", known: [], later: [(91, "check 2")], twice: 1),
    .init(
      title: "or launches it, though nothing else is heard of that", known: [],
      later: [(91, "check 0"), (91.2, "check 2")], twice: 1),
    .init(
      title: "who is new on two channels is in none alone", known: [(1, "check 0"), (2, "beta 0")],
      later: [(91, "check 0")], twice: 1),
    .init(title: "unless nothing is heard of it", known: [(1, "check 0"), (2, "beta 0")], twice: 0),
    .init(
      title: "nor is it late at an earlier cutoff", known: [(1, "check 0"), (2, "beta 0")], twice: 0, day: 88.2),
  ]

  @Test(arguments: stories.indices) func tellsOneDevicesStory(_ number: Int) throws {
    let story = Self.stories[number]
    let fleet = try StoryFleet(known: story.known, days: (1...90).map(Double.init))
    try Summary.refresh(path: fleet.summarised.path, whileEventsWait: true)
    try fleet.hear(story.later, other: 91.5)
    var met = Met()
    try compare(fleet.summarised, fleet.counted, at: StoryFleet.at(story.day), &met)
    #expect(met.used == 1)
    #expect(met.twice == story.twice, "\(story.title)")
  }

  private func settle(_ fleet: LivingFleet) throws {
    for fleet in [fleet.summarised, fleet.counted] { try EventLog(path: fleet.path).settle() }
    try Summary.refresh(path: fleet.summarised.path, whileEventsWait: true)
  }

  private func compare(_ summarised: Fleet, _ counted: Fleet, at now: Timestamp, _ met: inout Met) throws {
    let one = try Snapshot(path: summarised.path)
    let other = try Snapshot(path: counted.path)
    try #require(try ended(other, at: now) == nil)
    met.asked += 1
    if let found = try ended(one, at: now) {
      met.used += 1
      let (devices, twice) = try shown(found, one)
      met.devices += devices
      met.twice += twice
      let all = found.catalogue.sum(try other.count(found.catalogue.need) { found.catalogue.start })
      #expect(try found.sums(one).map(said) == said(all), "\(now.rfc3339)")
    }
    var options = Releases.Options()
    if met.asked % 4 == 0 { options.channels = ["production"] }
    #expect(
      try bytes(Releases.answer(one, app: LivingFleet.app, now: now, options))
        == bytes(Releases.answer(other, app: LivingFleet.app, now: now, options)), "\(now.rfc3339)")
  }

  /// Also what an answer shows of many devices only.
  private func said(_ sums: ReleaseSums) -> [String] {
    zip(sums.openings, sums.figures).map { opening, figures in
      let (release, channel) = (opening.record.id, opening.channel)
      let attempts = sums.attempts(release, channel)
      return "\(release) \(channel): \(sums.offered(release, channel)) \(attempts.attempts) \(attempts.failed) "
        + "\(sums.launches(release, channel)) \(sums.running(release, channel)) \(sums.reachable(channel)) \(figures)"
    }
  }

  private func ended(_ snapshot: borrowing Snapshot, at now: Timestamp) throws -> EndedReleases? {
    let timeline = Timeline(snapshot.vocabulary, app: LivingFleet.app, until: now)
    let selection = Selection(app: LivingFleet.app, release: ReleaseLabel(rawValue: ""), now: now)
    let risk = RiskCounting(snapshot.vocabulary, selection, timeline, timeline.releases, [])
    return try EndedReleases(snapshot, CatalogueCounting(risk, of: timeline.releases))
  }

  /// All devices, and those that are counted twice.
  private func shown(
    _ found: EndedReleases, _ snapshot: borrowing Snapshot
  ) throws -> (devices: Int, twice: Int) {
    var need = found.catalogue.need
    need.changes = found.changes
    return try snapshot.scan(need, start: { (devices: 0, twice: 0) }) { sum, page in
      sum.devices += page.devices.devices.count
      sum.twice += page.changes?.now.devices.devices.count ?? 0
    }.reduce((0, 0)) { ($0.0 + $1.devices, $0.1 + $1.twice) }
  }
}
