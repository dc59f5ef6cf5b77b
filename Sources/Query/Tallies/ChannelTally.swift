import Lifecycle
internal import Statistics
internal import Store

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
