import Lifecycle
import Store

/// What every device ran, now for several reach windows and at past instants for the first of them.
struct ReachTally: Tally {
  struct Cell {
    var now: [ReachCounts]
    var series: [ReachCounts]
    var past: [ReachCounts]
  }
  let question: ReachCounting
  private var segments: [ReachSegment] = []
  /// What of segments is looked at for each device and instant, as plain columns: no references are counted.
  private var columns: [ReachColumn] = []
  /// By segment and then by the number of a release.
  private var standings: [ReachStanding] = []
  /// In the order in which segments met their slices.
  private var cells: [ReachCell] = []
  /// By channel and then by platform: -1 where none was met yet.
  private var indexes: [Int64: [Int]] = [:]
  private(set) var newest: NewestContact
  private var sweep = ReachSweep()

  private let instants: [Int64]
  private let cutOffMoment: Int
  private let hasNarrowWindows, looksAtSpans: Bool
  private let releaseCount: Int

  init(_ question: ReachCounting) {
    self.question = question
    (instants, cutOffMoment) = (question.moments.instants, question.moments.cutOff)
    hasNarrowWindows = question.windows.count > 1
    looksAtSpans = question.windows[0] >= DeviceOutlines.longestSilence
    releaseCount = question.releases + 1
    newest = NewestContact(until: question.cutOff)
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    try newest.note(page)
    sweep.begin(try page.runs())
    try count(page, oneByOne: false)
  }

  /// - Parameter oneByOne: of a page of few devices, whose runs are read one by one.
  mutating func count(_ page: borrowing ShardPage, oneByOne: Bool) throws {
    defer { sweep.end() }
    let (first, cutOff, includesEmulators) = (
      instants[0], question.cutOff.rawValue, question.chosen.selection.includesEmulators
    )
    for index in page.devices.devices.indices {
      if !includesEmulators, page.emulators[index] { continue }
      if oneByOne { sweep.begin(try page.runs(of: index)) }
      if looksAtSpans, page.devices.channels[index] != 0 {
        sweep.load(spans: page.devices, index, from: first, until: cutOff)
      } else {
        sweep.load(index, from: first, until: cutOff)
      }
      count(page, index, platform: Int(page.platforms[index]))
    }
  }

  private mutating func count(_ page: borrowing ShardPage, _ index: Int, platform: Int) {
    let window = question.windows[0].rawValue
    var device = ReachDevice(index: index, platform: platform)
    var (begun, last): (Int, ReachState?) = (0, nil)
    for moment in instants.indices {
      let instant = instants[moment]
      let contact = sweep.contact(at: instant)
      let now = contact > instant - window ? state(&device, page, instant) : nil
      if moment == cutOffMoment, hasNarrowWindows {
        // Spans tell no silences within them.
        let exact = contact < instant ? contact : sweep.newest(index, until: instant)
        countNarrow(now, &device, page, exact)
      }
      if now == last { continue }
      if let last { cells[last.cell].add(last, begun..<moment) }
      (begun, last) = (moment, now)
    }
    if let last { cells[last.cell].add(last, begun..<instants.count) }
  }

  /// The other reach windows, which look at the cutoff alone.
  private mutating func countNarrow(
    _ now: ReachState?, _ device: inout ReachDevice, _ page: borrowing ShardPage, _ contact: Int64
  ) {
    let cutOff = question.cutOff.rawValue
    for (index, window) in question.windows.dropFirst().enumerated() where contact > cutOff - window.rawValue {
      if let state = now ?? state(&device, page, cutOff) { cells[state.cell].add(state, narrow: index) }
    }
  }

  /// nil where the device is not where the question looks.
  @inline(__always)
  private mutating func state(
    _ device: inout ReachDevice, _ page: borrowing ShardPage, _ instant: Int64
  ) -> ReachState? {
    if device.segment < 0 || device.channel != sweep.channel {
      (device.channel, device.offer) = (sweep.channel, nil)
      device.segment = segment(sweep.channel, device.platform)
    }
    let column = columns[device.segment]
    guard column.isIncluded else { return nil }
    let said = Int(sweep.release(at: instant))
    // A release that the database does not know is as if nothing were said.
    let release = said < releaseCount ? said : 0
    let standing = standings[device.segment * releaseCount + release]
    let slice = question.slices.number(page.devices, device.index, at: instant)
    if slice < 0 { return nil }
    var eligibility = ReachEligibility.yes
    // Who runs the release was eligible whatever its bucket.
    if standing != .exactly, column.completeAt > instant {
      eligibility = column.publishedAt > instant ? .no : offer(&device, page).eligibility(at: instant)
    }
    return ReachState(
      cell: cell(device.segment, slice), release: release, standing: standing, eligibility: eligibility)
  }

  /// Looked up where it is first asked for.
  private func offer(_ device: inout ReachDevice, _ page: borrowing ShardPage) -> ReachOffer {
    if let known = device.offer { return known }
    let shard = page.journeys(question.chosen.target.id, device.channel)
    let row = shard.flatMap { shard in
      shard.devices.index(ofDevice: page.devices.devices[device.index]).map {
        JourneyTable(shard, until: question.cutOff.rawValue).row($0, isStaged: true)
      }
    }
    let found = segments[device.segment].rules.offer(
      bucket: row?.bucket ?? page.devices.bucket(device.index, until: question.cutOff.rawValue),
      offeredAt: row?.offeredAt ?? .max)
    device.offer = found
    return found
  }

  private mutating func segment(_ channel: Int64, _ platform: Int) -> Int {
    if let known = indexes[channel]?[platform], known >= 0 { return known }
    let platforms = question.profiles.platforms
    let group = Group(channel: question.vocabulary.name(channel), platform: platforms[platform])
    indexes[channel, default: Array(repeating: -1, count: platforms.count)][platform] = segments.count
    let segment = ReachSegment(group, question, slices: question.slices.count)
    segments.append(segment)
    columns.append(ReachColumn(segment))
    standings += (0..<releaseCount).map { segment.rules.standing(Int64($0)) }
    return segments.count - 1
  }

  @inline(__always)
  private mutating func cell(_ segment: Int, _ slice: Int) -> Int {
    if let known = segments[segment].met.index(of: slice) { return known }
    segments[segment].met.add(slice, at: cells.count)
    cells.append(ReachCell(question))
    return cells.count - 1
  }

  mutating func add(_ other: ReachTally, times: Int) {
    newest.add(other.newest, times: times)
    for (channel, platforms) in other.indexes {
      for (platform, theirs) in platforms.enumerated() where theirs >= 0 {
        let own = segment(channel, platform)
        for (slice, index) in other.segments[theirs].met.all {
          let mine = cell(own, slice)
          cells[mine].add(other.cells[index], times: times)
        }
      }
    }
  }

  /// As in `ReachSum`.
  var elsewhere: [String: Int] {
    var devices: [String: Int] = [:]
    for segment in segments where segment.isIncluded {
      guard let channel = question.elsewhere(segment.group) else { continue }
      for (_, index) in segment.met.all {
        devices[channel, default: 0] += cells[index].counts(at: question.moments.cutOff).reachable
      }
    }
    return devices
  }

  /// By what the answer is split by.
  var groups: [Group: Cell] {
    var groups: [Group: Cell] = [:]
    for segment in segments where segment.isIncluded {
      for (slice, index) in segment.met.all where !cells[index].isEmpty {
        var group = segment.group
        group.slices = question.slices.values(slice)
        groups[group.split(by: question.chosen.selection.by), default: question.empty].add(
          cells[index], question.moments)
      }
    }
    return groups
  }
}

/// A segment as far as every instant looks at it.
private struct ReachColumn {
  let isIncluded: Bool
  let publishedAt, completeAt: Int64

  init(_ segment: ReachSegment) {
    isIncluded = segment.isIncluded
    (publishedAt, completeAt) = (segment.publishedAt, segment.completeAt)
  }
}

/// The device at hand, and what was found out about it in its channel.
private struct ReachDevice {
  let index: Int
  let platform: Int
  var channel: Int64 = 0
  var segment = -1
  var offer: ReachOffer?

  init(index: Int, platform: Int) { (self.index, self.platform) = (index, platform) }
}
