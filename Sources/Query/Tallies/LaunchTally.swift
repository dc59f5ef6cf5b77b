import Lifecycle
import Store

/// What is asked about launches of some releases, on all channels; a class, so that no core copies all that it holds.
final class LaunchCounting: Counting {
  let selection: Selection
  let timeline: Timeline
  let vocabulary: Vocabulary
  let profiles: ProfileTable
  let slices: DeviceSlices
  let releases: Set<Int64>
  /// Releases of which is known what each look found, on channels that they came to.
  let judged: Set<Int64>

  init(
    _ vocabulary: Vocabulary, _ scope: FleetScope, _ timeline: Timeline, _ releases: Set<Int64>,
    judged: Set<Int64> = []
  ) {
    var selection = Selection(app: scope.app, release: ReleaseLabel(rawValue: ""), now: scope.now)
    (selection.platforms, selection.only) = (scope.platforms, scope.only)
    (selection.includesEmulators, selection.population) = (scope.includesEmulators, scope.population)
    (self.selection, self.timeline, self.vocabulary, self.releases) = (selection, timeline, vocabulary, releases)
    self.judged = judged
    profiles = ProfileTable(vocabulary)
    slices = DeviceSlices(profiles, selection)
  }

  private init(_ one: LaunchCounting, and other: LaunchCounting) {
    (selection, timeline, vocabulary) = (one.selection, one.timeline, one.vocabulary)
    (profiles, slices) = (one.profiles, one.slices)
    (releases, judged) = (one.releases.union(other.releases), one.judged.union(other.judged))
  }

  var need: Need {
    let columns = JourneyColumns(Attempt.milestones)
    return Need(
      app: selection.app, selection.population,
      journeys: Dictionary(uniqueKeysWithValues: releases.map { ($0, columns) }),
      devices: slices.needs)
  }
  var start: LaunchTally { LaunchTally(self) }

  func covers(_ other: LaunchCounting) -> Bool {
    selection == other.selection && releases.isSuperset(of: other.releases) && judged.isSuperset(of: other.judged)
  }
  func union(_ other: LaunchCounting) -> LaunchCounting? {
    selection == other.selection ? LaunchCounting(self, and: other) : nil
  }
}

extension LaunchCounting {
  func grid(_ release: Int64, _ channel: String) -> LookGrid? {
    guard judged.contains(release) else { return nil }
    return timeline.start(release, channel: channel, platforms: selection.platforms).map {
      LookGrid(from: $0.publishedAt)
    }
  }
}

/// Launches by release, channel and platform, and the newest contact of any device.
struct LaunchTally: Tally {
  struct Place: Hashable {
    var release: Int64
    var channel: String
    /// nil where devices name none.
    var platform: String?
  }
  let question: LaunchCounting
  private(set) var counts: [Place: LaunchCounts] = [:]
  private(set) var newest: NewestContact

  init(_ question: LaunchCounting) {
    self.question = question
    newest = NewestContact(until: question.selection.now)
  }

  func counts(_ release: Int64, _ channel: String) -> LaunchCounts {
    counts.reduce(into: LaunchCounts()) { sum, one in
      if one.key.release == release, one.key.channel == channel { sum.add(one.value) }
    }
  }

  func counts(_ release: Int64, _ channel: String, platform: String?) -> LaunchCounts {
    counts[Place(release: release, channel: channel, platform: platform)] ?? LaunchCounts()
  }

  /// Where a release was launched, by name.
  func platforms(_ release: Int64, _ channel: String) -> [String?] {
    counts.keys.filter { $0.release == release && $0.channel == channel }.map(\.platform)
      .sorted { ($0 ?? "") < ($1 ?? "") }
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    try newest.note(page)
    for journeys in page.journeys where question.releases.contains(journeys.release) { try count(journeys, page) }
  }

  private mutating func count(_ journeys: Snapshot.Journeys, _ page: borrowing ShardPage) throws {
    let (selection, now) = (question.selection, question.selection.now)
    let segments = Segments(journeys, selection, question.timeline, question.profiles, question.vocabulary)
    let columns = AttemptColumns(journeys.shard)
    let grid = question.grid(journeys.release, segments.channel)
    var join = SortedJoin(page.devices.devices)
    var own = [LaunchCounts](repeating: LaunchCounts(), count: question.profiles.platforms.count)
    for (journey, device) in journeys.shard.devices.enumerated() {
      guard let index = join.index(of: device), selection.includesEmulators || !page.emulators[index],
        case let platform = Int(page.platforms[index]), segments.isIncluded[platform]
      else { continue }
      let attempt = try columns.attempt(journey) {
        try page.isChange(index, to: journeys, since: segments.since[platform], before: $0)
      }
      guard let attempt, attempt.start.at <= now,
        question.slices.number(page.devices, index, at: attempt.start.at.rawValue) >= 0
      else { continue }
      own[platform].add(attempt, now: now, grid)
    }
    for (platform, launches) in own.enumerated() where launches.launched > 0 {
      let name = question.profiles.platforms[platform]
      add(launches, Place(release: journeys.release, channel: segments.channel, platform: name), times: 1)
    }
  }

  mutating func add(_ more: LaunchCounts, _ place: Place, times: Int) {
    counts[place, default: LaunchCounts()].add(more, times: times)
    if counts[place] == LaunchCounts() { counts[place] = nil }
  }

  mutating func note(newest contact: Timestamp?) { contact.map { newest.note($0) } }

  mutating func add(_ other: LaunchTally, times: Int) {
    newest.add(other.newest, times: times)
    for (place, more) in other.counts { add(more, place, times: times) }
  }
}
