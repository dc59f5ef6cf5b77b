import Lifecycle
import Store

/// Of which releases first attempts and stages are counted for a summary, the same for every shard; all that is known of them, whenever it
/// happened.
final class OpenCounting {
  struct Target {
    let index: Int
    let countsAttempts: Bool
    let stages: StageCounting?
    let grid: LookGrid?
  }
  let selection: Selection
  let timeline: Timeline
  let vocabulary: Vocabulary
  let profiles: ProfileTable
  /// What is younger is kept instant by instant.
  let since: Timestamp
  static let endOfTime = Timestamp(rawValue: 1 << 52)
  /// By the number of a release.
  let targets: [Int64: Target]

  init(
    _ vocabulary: Vocabulary, _ app: String, _ timeline: Timeline, attempts: [ReleaseRecord], stages: [ReleaseRecord],
    since: Timestamp
  ) {
    (self.vocabulary, self.timeline, self.since) = (vocabulary, timeline, since)
    selection = Selection(app: app, release: ReleaseLabel(rawValue: ""), now: since)
    profiles = ProfileTable(vocabulary)
    var targets: [Int64: Target] = [:]
    let (tried, staged) = (Set(attempts.map(\.id)), Set(stages.map(\.id)))
    for (index, record) in timeline.releases.enumerated() where tried.union(staged).contains(record.id) {
      let chosen = ReleaseScope(record, of: app, timeline, now: since)
      targets[record.id] = Target(
        index: index, countsAttempts: tried.contains(record.id),
        stages: staged.contains(record.id)
          ? StageCounting(vocabulary, chosen, cutOff: CutOff(at: Self.endOfTime)) : nil,
        grid: timeline.endlessLooks(at: record.id))
    }
    self.targets = targets
  }

  var attempted: Set<Int64> { Set(targets.filter(\.value.countsAttempts).keys) }
  var staged: Set<Int64> { Set(targets.filter { $0.value.stages != nil }.keys) }

  /// Releases whose journeys are looked at for stages, of whichever release.
  var stagesNeed: Set<Int64> {
    targets.values.reduce(into: []) { all, target in
      if let stages = target.stages { all.formUnion(stages.need.journeys.keys) }
    }
  }

  /// One of these needs at a time is in memory: each of thousands of releases needs all that came after it.
  var need: Need {
    let attempts = JourneyColumns(Attempt.milestones).union(.reasons)
    let own = Need(app: selection.app, selection.population, journeys: targets.mapValues { _ in attempts })
    return targets.values.reduce(own) { need, target in
      target.stages.flatMap { need.union($0.need) } ?? need
    }
  }
}

extension Timeline {
  /// The grid that looks at a release are counted by, whichever channels and platforms will be looked at; nil where it came to none.
  func endlessLooks(at release: Int64) -> LookGrid? {
    let published = record(release)?.publications.map(\.publishedAt) ?? []
    let starts = channels.compactMap { start(release, channel: $0, platform: nil)?.publishedAt }
    return (published + starts).min().map(LookGrid.endless)
  }
}

/// First attempts at some releases and how far devices got with them, segment by segment, with the cutoff left open.
struct OpenTally: Tally {
  struct Cell {
    let release: Int64
    let group: Group
    var attempts = OpenAttempts()
    var stages = OpenStages()
  }
  private let question: OpenCounting
  private(set) var cells: [Cell] = []
  private(set) var emulators = OpenEmulators()
  private var indexes: [Int64: [Group: Int]] = [:]

  init(_ question: OpenCounting) { self.question = question }

  mutating func count(_ page: borrowing ShardPage) throws {
    for journeys in page.journeys {
      guard let target = question.targets[journeys.release] else { continue }
      var found = [Int](repeating: -1, count: question.profiles.platforms.count)
      if target.countsAttempts { try countAttempts(journeys, target, page, &found) }
      if let stages = target.stages { countStages(journeys, stages, page, &found) }
    }
  }

  private mutating func countAttempts(
    _ journeys: Snapshot.Journeys, _ target: OpenCounting.Target, _ page: borrowing ShardPage, _ found: inout [Int]
  ) throws {
    let segments = Segments(
      journeys, question.selection, question.timeline, question.profiles, question.vocabulary)
    let columns = AttemptColumns(journeys.shard)
    var join = SortedJoin(page.devices.devices)
    for (journey, device) in journeys.shard.devices.enumerated() {
      guard let index = join.index(of: device) else { continue }
      if page.emulators[index] {
        if columns.isKnown(journey, by: OpenCounting.endOfTime) { emulators.note(device, knownOf: target.index) }
        continue
      }
      let platform = Int(page.platforms[index])
      let attempt = try columns.attempt(journey) {
        try page.isChange(index, to: journeys, since: segments.since[platform], before: $0)
      }
      guard let attempt else { continue }
      cells[cell(journeys, platform, &found)].attempts.add(
        attempt, since: question.since, question.vocabulary, target.grid)
    }
  }

  private mutating func countStages(
    _ journeys: Snapshot.Journeys, _ stages: StageCounting, _ page: borrowing ShardPage, _ found: inout [Int]
  ) {
    let columns = FunnelColumns(journeys.shard)
    var (join, later) = (SortedJoin(page.devices.devices), stages.later(journeys, page))
    for (place, device) in journeys.shard.devices.enumerated() {
      guard let index = join.index(of: device), !page.emulators[index],
        case let platform = Int(page.platforms[index]), let newerAt = later.first(device, platform: platform),
        let journey = FunnelJourney(columns, place, newerAt: newerAt, until: OpenCounting.endOfTime.rawValue)
      else { continue }
      cells[cell(journeys, platform, &found)].stages.add(journey, since: question.since)
    }
  }

  /// - Parameter found: by the number of a platform; -1 where it was not looked up yet.
  private mutating func cell(_ journeys: Snapshot.Journeys, _ platform: Int, _ found: inout [Int]) -> Int {
    if found[platform] < 0 {
      let name = question.vocabulary.name(journeys.channel)
      found[platform] = cell(journeys.release, Group(channel: name, platform: question.profiles.platforms[platform]))
    }
    return found[platform]
  }

  private mutating func cell(_ release: Int64, _ group: Group) -> Int {
    if let known = indexes[release]?[group] { return known }
    indexes[release, default: [:]][group] = cells.count
    cells.append(Cell(release: release, group: group))
    return cells.count - 1
  }

  mutating func add(_ other: OpenTally, times: Int) {
    precondition(times > 0, "nothing is taken out of a summary that is being made")
    for more in other.cells {
      let index = cell(more.release, more.group)
      cells[index].attempts.add(more.attempts)
      cells[index].stages.add(more.stages)
    }
    emulators.add(other.emulators)
  }

  /// - Parameter byHour: whether what is young is to lie in columns by hour.
  func parts(byHour: Bool) -> [SummaryPart] { cells.parts(question.vocabulary, byHour: byHour) }
}

extension [OpenTally.Cell] {
  func parts(_ vocabulary: Vocabulary, byHour: Bool) -> [SummaryPart] {
    let confirmed = Set(filter(\.stages.hasConfirmed).map(\.release))
    return onAllCores(self) { cell in
      cell.attempts.parts(release: cell.release, cell.group, vocabulary, byHour: byHour)
        + cell.stages.parts(
          release: cell.release, cell.group, isConfirmed: confirmed.contains(cell.release), byHour: byHour)
    }.flatMap(\.self)
  }
}

/// Emulators by the releases that anything was heard of from them: an answer about several releases counts each once.
struct OpenEmulators {
  /// By hash, only while a summary is made; releases by their index on the timeline.
  private var releases: [UInt64: Set<Int>] = [:]

  mutating func note(_ device: UInt64, knownOf release: Int) { releases[device, default: []].insert(release) }
  mutating func add(_ other: OpenEmulators) { releases.merge(other.releases) { $0.union($1) } }

  /// How many are known of the same releases.
  var counts: [[Int]: Int] { Dictionary(releases.values.map { ($0.sorted(), 1) }, uniquingKeysWith: +) }
  var parts: [SummaryPart] { [counts.emulatorPart] }
}

extension [[Int]: Int] {
  var emulatorPart: SummaryPart {
    let values = sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap { releases, devices in
      ([devices, releases.count] + releases).map(Int64.init)
    }
    return SummaryPart(release: 0, channel: "", platform: "", number: SummaryPart.emulators, values: values)
  }

  /// As `emulatorPart` stores them.
  init(emulators stored: [Int64]) {
    self = [:]
    var rest = stored.map { Int($0) }[...]
    while let devices = rest.popFirst(), let length = rest.popFirst() {
      let releases = Array(rest.prefix(Swift.max(length, 0)))
      self[releases, default: 0] += devices
      rest = rest.dropFirst(releases.count)
    }
  }

  /// How many are known of any of some releases.
  func emulators(on releases: Set<Int>) -> Int {
    reduce(0) { $0 + ($1.key.contains(where: releases.contains) ? $1.value : 0) }
  }
}
