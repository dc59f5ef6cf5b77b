import Lifecycle
import Store

/// First attempts of some releases, shard by shard: outlines say which devices count and where they are, columns of
/// journeys the rest.
struct AttemptCounting {
  private var walk: OutlineWalk
  private let places: [Int64: Int]
  private let options: Failures.Options
  private(set) var tallies: [AttemptWalk.Key: [AttemptWalk.Tally]] = [:]
  private(set) var emulators = 0
  /// Where the cells of the journeys at hand are among those found: small numbers are looked up without hashing.
  private var slots: [Int32] = []

  var dataThrough: Timestamp? { walk.dataThrough }

  static func columns(_ question: OutlineQuestion) -> ColumnChoice {
    ColumnChoice(Attempt.milestones, reasons: true, profileTimes: question.splitsVersions)
  }

  init(_ question: OutlineQuestion, _ releases: [ReleaseRecord], _ options: Failures.Options) {
    walk = OutlineWalk(question)
    places = Dictionary(uniqueKeysWithValues: releases.enumerated().map { ($1.id, $0) })
    self.options = options
  }

  mutating func add(_ page: OutlinePage, _ read: () throws -> DeviceShard) throws {
    try walk.add(page, read)
    var areEmulators = Set<Int>()
    for journeys in page.journeys {
      guard let release = places[journeys.release] else { continue }
      try add(journeys, release, page.outlines, &areEmulators, read)
    }
    emulators += areEmulators.count
  }

  /// The cells of one release and channel by platform, version and mechanism, as small numbers.
  private mutating func add(
    _ journeys: Snapshot.Journeys, _ release: Int, _ outlines: DeviceOutlines, _ areEmulators: inout Set<Int>,
    _ read: () throws -> DeviceShard
  ) throws {
    let (question, by) = (walk.question, walk.question.selection.by)
    let (profiles, vocabulary, cutOff, options) = (question.profiles, question.vocabulary, question.cutOff.at, options)
    let (platformOf, isEmulator) = (walk.platformOf, walk.emulators)
    let (splits, leavesOut) = (question.splitsVersions, !question.selection.includesEmulators)
    let channel = vocabulary.name(journeys.channel)
    let isIncluded = profiles.platforms.map { question.selection.includes(Group(channel: channel, platform: $0)) }
    let since = profiles.platforms.map {
      question.timeline.changesSince(journeys.release, channel: channel, platform: $0)
    }
    let columns = AttemptColumns(journeys.shard)
    let versions = profiles.versions.count
    var cells: [(number: Int, tally: AttemptWalk.Tally)] = []
    if slots.isEmpty { slots = Array(repeating: -1, count: profiles.platforms.count * versions * 8) }
    var index = 0
    for (place, device) in journeys.shard.devices.enumerated() {
      while index < outlines.devices.count, outlines.devices[index] < device { index += 1 }
      guard index < outlines.devices.count, outlines.devices[index] == device else { continue }
      if leavesOut, isEmulator[index] {
        areEmulators.insert(index)
        continue
      }
      let platform = platformOf[index]
      guard isIncluded[platform] else { continue }
      let found = try columns.attempt(place) {
        try walk.isChange(index, to: journeys, since: since[platform], before: $0, outlines, read)
      }
      guard let attempt = found, attempt.start.at <= cutOff else { continue }
      let version = splits ? profiles.version(outlines, index, at: attempt.start.at.rawValue) : 0
      let cell = (platform * versions + version) << 3 | Int(attempt.start.rawValue & 7)
      if slots[cell] < 0 {
        slots[cell] = Int32(truncatingIfNeeded: cells.count)
        cells.append((cell, .init()))
      }
      cells[Int(slots[cell])].tally.add(attempt, cutOff, options, vocabulary)
    }
    for (cell, tally) in cells {
      slots[cell] = -1
      let number = cell >> 3
      let group = Group(
        channel: channel, platform: question.profiles.platforms[number / versions],
        appVersion: question.profiles.versions[number % versions])
      add(
        tally, release,
        AttemptWalk.Key(
          group: group.split(by: by),
          mechanism: by.contains(.mechanism) ? FirstTime(rawValue: Int64(cell & 7)).trigger : nil))
    }
  }

  private mutating func add(_ tally: AttemptWalk.Tally, _ release: Int, _ key: AttemptWalk.Key) {
    var list = tallies[key] ?? Array(repeating: .init(), count: places.count)
    list[release] = list[release].adding(tally)
    tallies[key] = list
  }

  mutating func add(_ other: AttemptCounting) {
    emulators += other.emulators
    for (key, list) in other.tallies { for (release, tally) in list.enumerated() { add(tally, release, key) } }
  }
}
