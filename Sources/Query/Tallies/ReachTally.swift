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
  private(set) lazy var moments = ReachMoments(self)

  init(
    _ vocabulary: Vocabulary, _ chosen: Chosen, windows: [Milliseconds], instants: [Timestamp], past: [Timestamp],
    cutOff: Timestamp
  ) {
    (self.vocabulary, self.chosen, self.windows) = (vocabulary, chosen, windows)
    (self.instants, self.past, self.cutOff) = (instants, past, cutOff)
    profiles = ProfileTable(vocabulary.profiles)
    splitsVersions = chosen.selection.by.contains(.appVersion)
    _ = moments
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
    for index in page.devices.devices.indices {
      if page.emulators[index], !question.chosen.selection.includesEmulators { continue }
      sweep.load(runs, index, until: question.cutOff.rawValue)
      count(page, index, platform: Int(page.platforms[index]))
    }
  }

  private mutating func count(_ page: borrowing ShardPage, _ index: Int, platform: Int) {
    var (segment, channel): (ReachSegment?, Int64) = (nil, 0)
    for (moment, instant) in question.moments.instants.enumerated() {
      guard let contact = sweep.contact(at: instant) else { continue }
      if instant == question.cutOff.rawValue { newest.note(Timestamp(rawValue: contact)) }
      let looks = question.moments.looks[moment]
      guard looks.contains(where: { contact > $0.after }) else { continue }
      if segment == nil || channel != sweep.channel {
        channel = sweep.channel
        segment = self.segment(channel, platform)
      }
      guard let segment, segment.isIncluded else { continue }
      let release = sweep.release(at: instant)
      let standing = segment.standing(release)
      let eligibility = segment.rules.eligibility(
        runs: standing, at: instant,
        journey: {
          page.journeys(segment.rules.target, channel).flatMap { shard in
            shard.devices.index(ofDevice: page.devices.devices[index]).map {
              JourneyTable(shard).row($0, isStaged: true)
            }
          }
        }, bucket: { page.devices.bucket(index) })
      let version = question.splitsVersions ? question.profiles.version(page.devices, index, at: instant) : 0
      segment.add(looks, contact: contact, version: version, release, standing, eligibility)
    }
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
        cells[group.split(by: question.chosen.selection.by), default: question.empty].add(cell)
      }
    }
    return cells
  }
}

extension ReachTally.Cell {
  /// In the order that `ReachMoments` numbers counts in.
  fileprivate mutating func add(_ cell: ReachCell) {
    var number = 0
    func next(_ sum: inout ReachCounts) {
      sum.add(cell.tallies[number], cell.byRelease(number))
      number += 1
    }
    for index in now.indices { next(&now[index]) }
    for index in series.indices { next(&series[index]) }
    for index in past.indices { next(&past[index]) }
  }
}
