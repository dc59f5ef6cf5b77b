import Lifecycle
import Store

/// How the operating system treated the background work of the devices that a selection looks at: all of it, whatever
/// the release. It says what answers about pushes and wake-ups say of the same, and counts nothing else of these.
struct BackgroundTally: Tally {
  /// Among mature pushes that were neither replaced nor sent to a device that fell silent.
  private(set) var lost = RateSums()
  /// Among refreshes: ran out of their budget, or nobody reported their end.
  private(set) var overrun = RateSums()
  /// Refreshes whose end was reported, those that may still be running among them. Without any nobody knows how many overran.
  private(set) var ended = 0
  /// From one refresh of a device to its next.
  private(set) var intervals = IntervalCounts()
  private let question: BackgroundCounting
  private var places: IncludedPlaces
  private var match = PushMatch()
  private var wakeUps: [WakeUp] = []
  /// Where another cutoff is to be put in later: what it takes.
  private(set) var open: OpenBackground?

  init(_ question: BackgroundCounting) {
    self.question = question
    if question.keepsOpen { open = OpenBackground() }
    places = IncludedPlaces(question.extent, question.names)
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    try page.eachInBackground(includesEmulators: question.extent.includesEmulators) { _, index, facts in
      try add(facts, index, page)
    }
  }

  /// What was said of one device.
  mutating func add(_ facts: [WakeFact], _ index: Int?, _ page: borrowing ShardPage) throws {
    WakeUp.collect(facts, into: &wakeUps)
    let platform = index.map { Int(page.platforms[$0]) } ?? 0
    if facts.contains(where: { $0.stage == .pushSent }) {
      match.match(facts, wakeUps) { question.names(of: $0) }
      let pushes = try pushes(index, platform, page)
      lost.add(pushes.lost, of: pushes.all)
      open?.add(pushes)
    }
    let refreshes = refreshes(platform)
    overrun.add(refreshes.overran, of: refreshes.all)
    open?.add(refreshes)
    open?.note(facts)
  }

  /// Those of one device.
  private mutating func pushes(_ index: Int?, _ platform: Int, _ page: borrowing ShardPage) throws -> DevicePushes {
    let (horizon, cutOff) = (question.horizon, question.cutOff)
    var found = DevicePushes()
    for push in match.pushes where !push.isRejected {
      let isYoung = !push.isMature(horizon, until: cutOff)
      if isYoung, open == nil { continue }
      guard places.contains(push.channel, platform == 0 ? -Int(push.platform) : platform) else { continue }
      let end = isYoung ? push.sent + horizon : cutOff
      let state = try push.state(horizon: horizon, until: end) {
        try index.map { try page.spoke($0, after: push.sent.rawValue, until: end.rawValue) } ?? false
      }
      switch state {
      case .lost: found.add(push, isLost: true, isYoung: isYoung)
      case .delivered, .late, .pending: found.add(push, isLost: false, isYoung: isYoung)
      case .coalesced, .unreached: break
      }
    }
    return found
  }

  /// Those of one device.
  private mutating func refreshes(_ platform: Int) -> DeviceRefreshes {
    var (found, before) = (DeviceRefreshes(), Timestamp?.none)
    for wakeUp in wakeUps where wakeUp.trigger == .bgRefresh {
      defer { before = wakeUp.start }
      guard places.contains(wakeUp.channel, platform) else { continue }
      if wakeUp.isFinished { ended += 1 }
      let isOver = wakeUp.isOver(at: question.cutOff)
      guard isOver || open != nil else { continue }
      found.add(wakeUp, since: before, isOver: isOver)
      if isOver, let before { intervals.count(wakeUp.start - before) }
    }
    return found
  }

  mutating func add(_ other: Self, times: Int) {
    lost.add(other.lost, times: times)
    overrun.add(other.overrun, times: times)
    ended += times * other.ended
    intervals.add(other.intervals, times: times)
    if let more = other.open { open?.add(more) }
  }
}

extension BackgroundTally {
  /// As it was counted before, at a cutoff.
  init(_ question: BackgroundCounting, _ kept: OpenBackground.Kept) {
    self.init(question)
    (lost, overrun, ended, intervals) = (kept.lost, kept.overrun, kept.ended, kept.intervals)
    for device in kept.open.pushes { device.mature(at: question.cutOff, question.horizon, &lost) }
    for device in kept.open.refreshes { device.mature(at: question.cutOff, &overrun, &intervals) }
  }
}

/// What is asked about background work, the same for every shard.
final class BackgroundCounting: Counting {
  let extent: FleetScope
  let names: GroupNames
  let horizon = Push.Options().horizon
  let cutOff: Timestamp
  /// Whether another cutoff is to be put in later: then facts after this one are read, too.
  let keepsOpen: Bool
  private let labels: [Int64: ReleaseLabel]

  convenience init(_ vocabulary: Vocabulary, _ selection: Selection) throws {
    var extent = try FleetScope(vocabulary, app: selection.app, now: selection.now)
    (extent.channels, extent.platforms, extent.level) = (selection.channels, selection.platforms, selection.level)
    (extent.includesEmulators, extent.population) = (selection.includesEmulators, selection.population)
    try extent.check(vocabulary)
    self.init(vocabulary, extent, CutOff(vocabulary, app: extent.app, now: extent.now).at, keepsOpen: false)
  }

  init(_ vocabulary: Vocabulary, _ extent: FleetScope, _ cutOff: Timestamp, keepsOpen: Bool) {
    (self.extent, self.cutOff, self.keepsOpen) = (extent, cutOff, keepsOpen)
    names = GroupNames(vocabulary)
    labels = Timeline(vocabulary, app: extent.app).labels
  }

  var need: Need {
    let end = keepsOpen ? OpenBackground.endOfTime : cutOff
    return Need(app: extent.app, extent.population, wakes: .init(from: extent.earliestFact, until: end))
  }
  var start: BackgroundTally { BackgroundTally(self) }
  func covers(_ other: BackgroundCounting) -> Bool {
    extent.countsAlike(other.extent) && !keepsOpen && !other.keepsOpen
  }

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
