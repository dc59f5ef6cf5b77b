import Lifecycle
import Store

/// What is asked about reach, the same for every shard; a class, so that no core copies all that it holds.
final class ReachQuestion {
  let chosen: Chosen
  let windows: [Milliseconds]
  let instants: [Timestamp]
  let past: [Timestamp]
  let cutOff: Timestamp
  let vocabulary: Vocabulary
  let profiles: ProfileTable
  let splitsVersions: Bool
  let moments: ReachMoments
  /// The greatest number of a release.
  let releases: Int

  init(
    _ vocabulary: Vocabulary, _ chosen: Chosen, windows: [Milliseconds], instants: [Timestamp], past: [Timestamp],
    cutOff: Timestamp
  ) {
    (self.vocabulary, self.chosen, self.windows) = (vocabulary, chosen, windows)
    (self.instants, self.past, self.cutOff) = (instants, past, cutOff)
    profiles = ProfileTable(vocabulary.profiles)
    splitsVersions = chosen.selection.by.contains(.appVersion)
    moments = ReachMoments(series: instants, past: past, cutOff: cutOff)
    releases = Int(vocabulary.releases.map(\.id).max() ?? 0)
  }

  var need: Need {
    let offers = JourneyColumns(JourneyTable.offers + JourneyTable.update).union(.buckets)
    return Need(
      app: chosen.selection.app, journeys: [chosen.target.id: offers], devices: [.runs, .buckets])
  }

  var empty: ReachTally.Cell {
    ReachTally.Cell(
      now: Array(repeating: ReachCounts(), count: windows.count),
      series: Array(repeating: ReachCounts(), count: instants.count),
      past: Array(repeating: ReachCounts(), count: past.count))
  }
}

/// What every device ran, now for several reach windows and at past instants for the first of them.
struct ReachTally: Tally {
  struct Cell {
    var now: [ReachCounts]
    var series: [ReachCounts]
    var past: [ReachCounts]
  }
  let question: ReachQuestion
  private var segments: [Int64: [ReachSegment?]] = [:]
  private(set) var newest: NewestContact
  private var sweep = ReachSweep()

  init(_ question: ReachQuestion) {
    self.question = question
    newest = NewestContact(until: question.cutOff)
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    let runs = try page.runs()
    sweep.begin(runs)
    let (first, cutOff) = (question.moments.instants[0], question.cutOff.rawValue)
    for index in page.devices.devices.indices {
      if page.emulators[index], !question.chosen.selection.includesEmulators { continue }
      sweep.load(runs, index, from: first, until: cutOff)
      count(page, index, platform: Int(page.platforms[index]))
    }
  }

  private mutating func count(_ page: borrowing ShardPage, _ index: Int, platform: Int) {
    let (instants, window) = (question.moments.instants, question.windows[0].rawValue)
    var device = ReachDevice(index, platform)
    var (begun, last): (Int, (cell: ReachCell, state: ReachState)?) = (0, nil)
    for (moment, instant) in instants.enumerated() {
      let contact = sweep.contact(at: instant)
      let isReachable = contact > instant - window
      let now = isReachable ? state(&device, page, instant) : nil
      if moment == question.moments.cutOff {
        if contact != .min { newest.note(Timestamp(rawValue: contact)) }
        countNarrow(now, &device, page, contact)
      }
      if let now, let last, now.cell === last.cell, now.state == last.state { continue }
      if let last { last.cell.add(last.state, begun..<moment) }
      (begun, last) = (moment, now)
    }
    if let last { last.cell.add(last.state, begun..<instants.count) }
  }

  /// The other reach windows, which look at the cutoff alone.
  private mutating func countNarrow(
    _ now: (cell: ReachCell, state: ReachState)?, _ device: inout ReachDevice, _ page: borrowing ShardPage,
    _ contact: Int64
  ) {
    let cutOff = question.cutOff.rawValue
    for (index, window) in question.windows.dropFirst().enumerated() where contact > cutOff - window.rawValue {
      if let (cell, state) = now ?? state(&device, page, cutOff) { cell.add(state, narrow: index) }
    }
  }

  /// nil where the device is not where the question looks.
  @inline(__always)
  private mutating func state(
    _ device: inout ReachDevice, _ page: borrowing ShardPage, _ instant: Int64
  ) -> (cell: ReachCell, state: ReachState)? {
    if device.segment == nil || device.channel != sweep.channel {
      device.turn(to: segment(sweep.channel, device.platform), sweep.channel)
    }
    guard let segment = device.segment, segment.isIncluded else { return nil }
    let release = sweep.release(at: instant)
    let standing = segment.standing(release)
    var eligibility = segment.rules.eligibility(runs: standing, at: instant)
    if eligibility == nil { eligibility = segment.rules.eligibility(at: instant, device.offer(page)) }
    let version = question.splitsVersions ? question.profiles.version(page.devices, device.index, at: instant) : 0
    return (
      segment.cell(version),
      ReachState(release: Int(release), standing: standing, eligibility: eligibility ?? .unknown)
    )
  }

  private mutating func segment(_ channel: Int64, _ platform: Int) -> ReachSegment {
    if let known = segments[channel]?[platform] { return known }
    let platforms = question.profiles.platforms
    let group = Group(channel: question.vocabulary.name(channel), platform: platforms[platform])
    let made = ReachSegment(group, question)
    segments[channel, default: Array(repeating: nil, count: platforms.count)][platform] = made
    return made
  }

  mutating func add(_ other: ReachTally) {
    newest.add(other.newest)
    for (channel, platforms) in other.segments {
      for (platform, theirs) in platforms.enumerated() {
        if let theirs { segment(channel, platform).add(theirs) }
      }
    }
  }

  /// By what the answer is split by.
  var cells: [Group: Cell] {
    var cells: [Group: Cell] = [:]
    for segment in segments.values.joined().compactMap(\.self) {
      for (version, cell) in segment.cells.enumerated() {
        guard let cell else { continue }
        var group = segment.group
        if question.splitsVersions { group.appVersion = question.profiles.versions[version] }
        cells[group.split(by: question.chosen.selection.by), default: question.empty].add(cell, question.moments)
      }
    }
    return cells
  }
}

extension ReachTally.Cell {
  fileprivate mutating func add(_ cell: ReachCell, _ moments: ReachMoments) {
    for index in now.indices {
      now[index].add(index == 0 ? cell.counts(at: moments.cutOff) : cell.counts(narrow: index - 1))
    }
    for (index, moment) in moments.series.enumerated() { series[index].add(cell.counts(at: moment)) }
    for (index, moment) in moments.past.enumerated() { past[index].add(cell.counts(at: moment)) }
  }
}

/// The device at hand, and what was found out about it in its channel.
private struct ReachDevice {
  let index: Int
  let platform: Int
  private(set) var channel: Int64 = 0
  private(set) var segment: ReachSegment?
  private var offer: ReachOffer?

  init(_ index: Int, _ platform: Int) { (self.index, self.platform) = (index, platform) }

  mutating func turn(to segment: ReachSegment, _ channel: Int64) {
    (self.segment, self.channel, offer) = (segment, channel, nil)
  }

  /// Read where it is first asked for.
  mutating func offer(_ page: borrowing ShardPage) -> ReachOffer {
    if let offer { return offer }
    let row = segment.flatMap { page.journeys($0.rules.target, channel) }.flatMap { shard in
      shard.devices.index(ofDevice: page.devices.devices[index]).map { JourneyTable(shard).row($0, isStaged: true) }
    }
    let found = ReachOffer(bucket: row?.bucket ?? page.devices.bucket(index), offeredAt: row?.offeredAt ?? .max)
    offer = found
    return found
  }
}
