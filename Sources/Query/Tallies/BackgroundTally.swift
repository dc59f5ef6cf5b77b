import Lifecycle
import Store

/// How the operating system treated the background work of the devices that a selection looks at: all of it, whatever
/// the release. It says what answers about pushes and wake-ups say of the same, and counts nothing else of these.
struct BackgroundTally: Tally {
  /// Among mature pushes that were neither replaced nor sent to a device that fell silent.
  private(set) var lost = RateSums()
  /// Among refreshes: ran out of their budget, or nobody reported their end.
  private(set) var overrun = RateSums()
  /// From one refresh of a device to its next.
  private(set) var intervals = IntervalCounts()
  private let question: BackgroundCounting
  private var places: IncludedPlaces
  private var match = PushMatch()
  private var wakeUps: [WakeUp] = []

  init(_ question: BackgroundCounting) {
    self.question = question
    places = IncludedPlaces(question.extent, question.names)
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    try page.eachInBackground(includesEmulators: question.extent.includesEmulators) { _, index, facts in
      WakeUp.collect(facts, into: &wakeUps)
      let platform = index.map { Int(page.platforms[$0]) } ?? 0
      if facts.contains(where: { $0.stage == .pushSent }) {
        match.match(facts, wakeUps) { question.names(of: $0) }
        try addPushes(index, platform, page)
      }
      addRefreshes(platform)
    }
  }

  /// Those of one device.
  private mutating func addPushes(_ index: Int?, _ platform: Int, _ page: borrowing ShardPage) throws {
    let (horizon, cutOff) = (question.horizon, question.cutOff)
    var (lost, all) = (0, 0)
    for push in match.pushes where !push.isRejected && push.isMature(horizon, until: cutOff) {
      guard places.contains(push.channel, platform == 0 ? -Int(push.platform) : platform) else { continue }
      let state = try push.state(horizon: horizon, until: cutOff) {
        try index.map { try page.spoke($0, after: push.sent.rawValue, until: cutOff.rawValue) } ?? false
      }
      switch state {
      case .lost: (lost, all) = (lost + 1, all + 1)
      case .delivered, .late, .pending: all += 1
      case .coalesced, .unreached: break
      }
    }
    self.lost.add(lost, of: all)
  }

  /// Those of one device.
  private mutating func addRefreshes(_ platform: Int) {
    var (overran, all, before) = (0, 0, Timestamp?.none)
    for wakeUp in wakeUps where wakeUp.trigger == .bgRefresh {
      defer { before = wakeUp.start }
      guard wakeUp.isOver(at: question.cutOff), places.contains(wakeUp.channel, platform) else { continue }
      all += 1
      if wakeUp.overran || !wakeUp.isFinished { overran += 1 }
      if let before { intervals.count(wakeUp.start - before) }
    }
    overrun.add(overran, of: all)
  }

  mutating func add(_ other: Self, times: Int) {
    lost.add(other.lost, times: times)
    overrun.add(other.overrun, times: times)
    intervals.add(other.intervals, times: times)
  }
}

/// What is asked about background work, the same for every shard.
final class BackgroundCounting: Counting {
  let extent: FleetScope
  let names: GroupNames
  let horizon = Push.Options().horizon
  let cutOff: Timestamp
  private let labels: [Int64: ReleaseLabel]

  init(_ vocabulary: Vocabulary, _ selection: Selection) throws {
    var extent = try FleetScope(vocabulary, app: selection.app, now: selection.now)
    (extent.channels, extent.platforms, extent.level) = (selection.channels, selection.platforms, selection.level)
    (extent.includesEmulators, extent.population) = (selection.includesEmulators, selection.population)
    try extent.check(vocabulary)
    self.extent = extent
    names = GroupNames(vocabulary)
    cutOff = CutOff(vocabulary, app: extent.app, now: extent.now).at
    labels = Timeline(vocabulary, app: extent.app).labels
  }

  var need: Need { Need(app: extent.app, extent.population, wakes: .init(from: extent.earliestFact, until: cutOff)) }
  var start: BackgroundTally { BackgroundTally(self) }
  func covers(_ other: BackgroundCounting) -> Bool { extent.countsAlike(other.extent) }

  func names(of push: SentPush) -> [String] { names.names(of: push, labels) }
}

/// Which channels and platforms an extent includes, by their numbers; each is looked up by name once.
struct IncludedPlaces {
  private let extent: FleetScope
  private let names: GroupNames
  private let areAll: Bool
  private var known: [(channel: Int64, platform: Int, isIncluded: Bool)] = []

  init(_ extent: FleetScope, _ names: GroupNames) {
    (self.extent, self.names) = (extent, names)
    areAll = extent.channels.isEmpty && extent.platforms.isEmpty
  }

  /// - Parameter platform: as in `GroupKey`.
  mutating func contains(_ channel: Int64, _ platform: Int) -> Bool {
    if areAll { return true }
    for place in known where place.channel == channel && place.platform == platform { return place.isIncluded }
    let isIncluded = extent.includes(GroupKey(channel: channel, platform: platform), names)
    known.append((channel, platform, isIncluded))
    return isIncluded
  }
}
