import Lifecycle
import Store

/// What is asked about first attempts, the same for every shard; a class, so that no core copies all that it holds.
final class AttemptCounting {
  let selection: Selection
  let timeline: Timeline
  let options: Failures.Options
  let cutOff: CutOff
  let vocabulary: Vocabulary
  let profiles: ProfileTable
  let slices: DeviceSlices
  /// By the number of a release: its index among those that are asked about.
  let releases: [Int64: Int]
  /// Of the first release, where the answer is not split: a stop that was reached stays one.
  let grid: LookGrid?
  /// Whether counts of an answer that is not split are kept platform by platform beside it.
  let keepsPlatforms: Bool

  /// - Parameters:
  ///   - keepsLooks: whether it is to be known what each look found.
  ///   - keepsPlatforms: likewise what was counted on each platform.
  init(
    _ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ releases: [ReleaseRecord], _ options: Failures.Options,
    keepsLooks: Bool = false, keepsPlatforms: Bool = false
  ) {
    (selection, timeline, self.options) = (chosen.selection, chosen.timeline, options)
    self.vocabulary = vocabulary
    cutOff = CutOff(vocabulary, selection)
    profiles = ProfileTable(vocabulary)
    slices = DeviceSlices(profiles, selection)
    self.releases = Dictionary(uniqueKeysWithValues: releases.enumerated().map { ($1.id, $0) })
    let publishedAt = keepsLooks && chosen.selection.by.isEmpty ? chosen.starts.map(\.publishedAt).min() : nil
    grid = publishedAt.map(LookGrid.init)
    self.keepsPlatforms = keepsPlatforms && chosen.selection.by.isEmpty
  }

  /// What is counted apart.
  var by: [Grouping] { keepsPlatforms ? [.platform] : selection.by }

  var need: Need {
    let columns = JourneyColumns(Attempt.milestones).union(.reasons)
    return Need(
      app: selection.app, selection.population, journeys: releases.mapValues { _ in columns }, devices: slices.needs)
  }
}

/// First attempts at some releases: columns of journeys say what became of them, those of devices which ones count.
struct AttemptTally: Tally {
  let question: AttemptCounting
  private(set) var counts: [Attempts.Key: [AttemptCounts]] = [:]
  private(set) var harms: [Attempts.Key: [AttemptHarm]] = [:]
  private(set) var emulators = 0
  private(set) var newest: NewestContact
  /// Of platforms and slices, and of them by mechanism where the cells of the journeys at hand are among those found: small
  /// numbers are looked up without hashing.
  private var met: MetNumbers
  private var slots: [Int32] = []

  init(_ question: AttemptCounting) {
    self.question = question
    met = MetNumbers(count: question.profiles.platforms.count * question.slices.count)
    newest = NewestContact(until: question.cutOff.at)
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    try newest.note(page)
    var areEmulators = Set<Int>()
    for journeys in page.journeys {
      guard let release = question.releases[journeys.release] else { continue }
      try count(journeys, release, page, &areEmulators)
    }
    emulators += areEmulators.count
  }

  mutating func add(_ other: AttemptTally, times: Int) {
    newest.add(other.newest, times: times)
    emulators += times * other.emulators
    for (key, list) in other.counts {
      for (release, counts) in list.enumerated() { add(counts, times: times, release, key) }
      if counts[key]?.allSatisfy({ $0 == AttemptCounts() }) ?? false { counts[key] = nil }
    }
    for (key, list) in other.harms {
      for (release, harm) in list.enumerated() { add(harm, times: times, release, key) }
      if harms[key]?.allSatisfy({ $0 == AttemptHarm() }) ?? false { harms[key] = nil }
    }
  }

  private mutating func add(_ more: AttemptCounts, times: Int = 1, _ release: Int, _ key: Attempts.Key) {
    counts[key, default: Array(repeating: .init(), count: question.releases.count)][release].add(more, times: times)
  }

  private mutating func add(_ more: AttemptHarm, times: Int = 1, _ release: Int, _ key: Attempts.Key) {
    harms[key, default: Array(repeating: .init(), count: question.releases.count)][release].add(more, times: times)
  }

  /// The cells of one release and channel by platform, slice and mechanism, as small numbers.
  private mutating func count(
    _ journeys: Snapshot.Journeys, _ release: Int, _ page: borrowing ShardPage, _ areEmulators: inout Set<Int>
  ) throws {
    let (profiles, vocabulary, options) = (question.profiles, question.vocabulary, question.options)
    let (cutOff, leavesOut) = (question.cutOff.at, !question.selection.includesEmulators)
    let segments = Segments(journeys, question.selection, question.timeline, profiles, vocabulary)
    let slices = question.slices
    let grid = release == 0 ? question.grid : nil
    var cells: [(number: Int, counts: AttemptCounts, harm: AttemptHarm)] = []
    try page.forEachAttempt(
      at: journeys, segments, until: cutOff, leavesOutEmulators: leavesOut, &areEmulators
    ) { attempt, index, platform in
      let slice = slices.number(page.devices, index, at: attempt.start.at.rawValue)
      if slice < 0 { return }
      let cell = place(platform * slices.count + slice) << 3 | Int(attempt.start.rawValue & 7)
      if slots[cell] < 0 {
        slots[cell] = Int32(truncatingIfNeeded: cells.count)
        cells.append((cell, .init(), .init()))
      }
      let slot = Int(slots[cell])
      cells[slot].counts.add(attempt, cutOff, options, vocabulary)
      // Looks are kept once, whatever the cell.
      cells[grid == nil ? slot : 0].harm.add(attempt, cutOff, options, vocabulary, grid)
    }
    for (cell, counts, harm) in cells {
      slots[cell] = -1
      let key = key(cell, segments.channel)
      add(counts, release, key)
      add(harm, release, key)
    }
  }

  private mutating func place(_ number: Int) -> Int {
    if let known = met.index(of: number) { return known }
    met.add(number, at: met.all.count)
    slots += Array(repeating: -1, count: 8)
    return met.all.count - 1
  }

  private func key(_ cell: Int, _ channel: String) -> Attempts.Key {
    let (number, by, slices) = (met.all[cell >> 3].number, question.by, question.slices)
    let group = Group(
      channel: channel, platform: question.profiles.platforms[number / slices.count],
      slices: slices.values(number % slices.count))
    return Attempts.Key(
      group: group.split(by: by),
      mechanism: by.contains(.mechanism) ? FirstTime(rawValue: Int64(cell & 7)).trigger : nil)
  }
}

/// A channel's platforms, by number: which are asked for, and from when on a change there came over the air.
struct Segments {
  let channel: String
  let isIncluded: [Bool]
  let since: [Timestamp?]

  init(
    _ journeys: Snapshot.Journeys, _ selection: Selection, _ timeline: Timeline, _ profiles: ProfileTable,
    _ vocabulary: Vocabulary
  ) {
    let channel = vocabulary.name(journeys.channel)
    self.channel = channel
    isIncluded = profiles.platforms.map { selection.includes(Group(channel: channel, platform: $0)) }
    since = profiles.platforms.map { timeline.changesSince(journeys.release, channel: channel, platform: $0) }
  }
}
