import Lifecycle
internal import Statistics
internal import Store

/// What is asked, the same for every shard; a class, so that no core copies all that it holds.
final class ChannelCounting: Counting {
  let extent: FleetScope
  let options: Channels.Options
  let end: CutOff
  let vocabulary: Vocabulary
  let names: GroupNames
  let splits: SliceSplits
  let splitsPlatforms: Bool

  init(_ vocabulary: Vocabulary, _ extent: FleetScope, _ options: Channels.Options) {
    (self.vocabulary, self.extent, self.options) = (vocabulary, extent, options)
    end = CutOff(vocabulary, app: extent.app, now: extent.now)
    names = GroupNames(vocabulary)
    splits = SliceSplits(options.by, only: extent.only, names.profiles)
    splitsPlatforms = options.by.contains(.platform)
  }

  var need: Need { Need(app: extent.app, extent.population, devices: splits.needs.union(.runs)) }
  var start: ChannelTally { ChannelTally(self) }

  func findings(_ counted: ChannelTally) -> Findings<Channels> {
    let releases = Dictionary(
      uniqueKeysWithValues: Timeline(vocabulary, app: extent.app).releases.map { ($0.id, $0.label.rawValue) })
    var (rows, withheld): ([Channels], [Withheld]) = ([], [])
    for (key, counts) in counted.counts {
      guard let release = releases[key.kind], extent.release.map({ $0.rawValue == release }) ?? true else { continue }
      let group = names.labels(key, by: options.by, splits.slices, kind: release)
      if extent.smallGroups.isShown(counts.devices) {
        rows.append(row(group, release, counts))
      } else {
        withheld.append(Withheld(group: group, release: release))
      }
    }
    return Findings(
      rows: rows.sorted { ($0.release, $0.group) < ($1.release, $1.group) },
      withheld: withheld.sorted { ($0.release ?? "", $0.group) < ($1.release ?? "", $1.group) },
      warnings: cutOffWarnings(end), dataThrough: counted.newest.at, end: end,
      echo: ["by": .texts(options.by.map(\.rawValue))])
  }

  private func row(_ group: Labels, _ release: String, _ counts: ChannelTally.Counts) -> Channels {
    let moves = extent.smallGroups.sifted(
      counts.moves.map {
        Channels.Move(from: vocabulary.name($0.key.from), to: vocabulary.name($0.key.to), devices: $0.value)
      }
    ) { $0.devices }
    return Channels(
      group: group, release: release, devices: counts.devices, changed: counts.changed,
      share: Proportion(Int64(counts.changed), of: Int64(counts.devices)).wilson(level: extent.level),
      moves: moves.shown.sorted { ($1.devices, $0.from, $0.to) < ($0.devices, $1.from, $1.to) },
      movesWithheld: moves.withheld)
  }
}

/// Devices by the releases that they ran, and by those that they ran when they left a channel.
struct ChannelTally: Tally {
  struct Move: Hashable {
    var from: Int64
    var to: Int64
  }
  struct Counts: Mergeable {
    var devices = 0
    var changed = 0
    var moves: [Move: Int] = [:]

    mutating func add(_ other: Self, times: Int) {
      devices += times * other.devices
      changed += times * other.changed
      moves.add(other.moves, times: times)
    }
  }

  let question: ChannelCounting
  private(set) var newest: NewestContact
  /// By what is asked for beside the release, in the order in which it was met.
  private var groups: [GroupKey] = []
  private var indexes: [GroupKey: Int] = [:]
  /// Of each group by the number of a release: a device ran a score of releases, and nothing is looked up for them.
  private var lists: [[Counts]] = []
  /// The releases that the device at hand ran; and of each release whether it is among them.
  private var ran: [Int] = []
  private var isRan: [Bool]
  private var stays = Stays()
  private var sweep = ReachSweep()

  init(_ question: ChannelCounting) {
    self.question = question
    newest = NewestContact(until: question.end.at)
    isRan = Array(repeating: false, count: Int(question.vocabulary.releases.map(\.id).max() ?? 0) + 1)
  }

  /// By release, and by what else is asked for.
  var counts: [(key: GroupKey, value: Counts)] {
    zip(groups, lists).flatMap { group, list in
      list.enumerated().filter { $0.element.devices > 0 }.map { release, counts in
        var key = group
        key.kind = Int64(release)
        return (key, counts)
      }
    }
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    try newest.note(page)
    let runs = try page.runs()
    sweep.begin(runs)
    for index in page.devices.devices.indices where question.extent.includesEmulators || !page.emulators[index] {
      let platform = Int(page.platforms[index])
      var key = GroupKey(platform: question.splitsPlatforms ? platform : 0)
      guard question.includes(platform: platform), question.splits.fill(&key, at: question.end.at, index, page) else {
        continue
      }
      let moves = moves(page, runs, index)
      collect(runs, index, moves)
      if !ran.isEmpty { count(group(key), moves) }
    }
  }

  private mutating func group(_ key: GroupKey) -> Int {
    if groups.count == 1, groups[0] == key { return 0 }
    if let known = indexes[key] { return known }
    indexes[key] = groups.count
    groups.append(key)
    lists.append(Array(repeating: Counts(), count: isRan.count))
    return groups.count - 1
  }

  private mutating func count(_ group: Int, _ moves: [Int64: Set<Move>]) {
    for release in ran {
      isRan[release] = false
      lists[group][release].devices += 1
      guard !moves.isEmpty, let own = moves[Int64(release)] else { continue }
      lists[group][release].changed += 1
      for move in own { lists[group][release].moves[move, default: 0] += 1 }
    }
  }

  /// What the device said that it runs, on channels and in the time that are looked at; to the day, as runs are. Who left in
  /// that time counts also where it was silent between.
  private mutating func collect(_ runs: RunColumns, _ index: Int, _ moves: [Int64: Set<Move>]) {
    ran.removeAll(keepingCapacity: true)
    for run in runs.range(index) where runs.starts[run] <= question.end.at.rawValue {
      let said = runs.kind(run)
      // A release that the database does not know is as if nothing were said.
      let release = Int(said.release)
      guard said.claim == .running || said.claim == .applied, isRan.indices.contains(release) else { continue }
      guard !isRan[release], question.includes(channel: said.channel) else { continue }
      if question.touches(runs.starts[run], runs.ends[run]) || moves[said.release] != nil {
        isRan[release] = true
        ran.append(release)
      }
    }
  }

  /// Where the device went, by what it ran right before.
  private mutating func moves(_ page: borrowing ShardPage, _ runs: RunColumns, _ index: Int) -> [Int64: Set<Move>] {
    // Devices that always were on one channel have an outline that names it.
    if page.devices.channels[index] != 0 { return [:] }
    stays.load(runs, index, until: question.end.at.rawValue)
    sweep.load(index, until: question.end.at.rawValue)
    var moves: [Int64: Set<Move>] = [:]
    for (stay, next) in zip(stays.list, stays.list.dropFirst())
    where question.includes(channel: stay.channel) && question.extent.includes(Timestamp(rawValue: stay.end)) {
      moves[sweep.release(at: stay.end - 1), default: []].insert(Move(from: stay.channel, to: next.channel))
    }
    return moves
  }

  mutating func add(_ other: ChannelTally, times: Int) {
    newest.add(other.newest, times: times)
    for (key, theirs) in zip(other.groups, other.lists) {
      let own = group(key)
      for release in theirs.indices where theirs[release].devices > 0 {
        lists[own][release].add(theirs[release], times: times)
      }
    }
  }
}

extension ChannelCounting {
  fileprivate func includes(platform: Int) -> Bool {
    extent.platforms.isEmpty || names.profiles.platforms[platform].map(extent.platforms.contains) ?? false
  }
  /// Whether anything between two instants is in the time that is looked at.
  fileprivate func touches(_ start: Int64, _ end: Int64) -> Bool {
    (extent.since.map { end >= $0.rawValue } ?? true) && (extent.until.map { start < $0.rawValue } ?? true)
  }
  fileprivate func includes(channel: Int64) -> Bool {
    extent.channels.isEmpty || extent.channels.contains(vocabulary.name(channel))
  }
}
