import Lifecycle
import Store

/// What is counted of the background work of some devices; sums only.
struct BackgroundSums: Mergeable {
  /// Among mature pushes that were neither replaced nor sent to a device that fell silent.
  var lost = RateSums()
  /// Of all pushes, however young, those that the gateway refused.
  var sent = 0
  var rejected = 0
  /// Signs that a push arrived, as in `PushCounts`. Without any nobody knows how many were lost.
  var receipts = 0
  /// Among refreshes: ran out of their budget, or nobody reported their end.
  var overrun = RateSums()
  /// Refreshes whose end was reported, those that may still be running among them. Without any nobody knows how many overran.
  var ended = 0
  /// From one refresh of a device to its next.
  var intervals = IntervalCounts()

  mutating func add(_ other: Self, times: Int) {
    lost.add(other.lost, times: times)
    sent += times * other.sent
    rejected += times * other.rejected
    receipts += times * other.receipts
    overrun.add(other.overrun, times: times)
    ended += times * other.ended
    intervals.add(other.intervals, times: times)
  }
}

/// How the operating system treated the background work of the devices that a selection looks at: all of it, whatever
/// the release. It says what answers about pushes and wake-ups say of the same, and counts nothing else of these.
struct BackgroundTally: Tally {
  private(set) var sums = BackgroundSums()
  /// The same by platform, as in `GroupKey`, where that is asked for.
  private var platforms: [Int: BackgroundSums] = [:]
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
    if facts.contains(where: { $0.stage == .pushSent || $0.trigger == .silentPush }) {
      match.match(facts, wakeUps) { question.names(of: $0) }
      let (receipts, included) = (receipts(platform), included(platform))
      let pushes = try pushes(index, platform, page)
      add(platform) { sums in
        sums.sent += included.sent
        sums.rejected += included.rejected
        sums.receipts += receipts
        sums.lost.add(pushes.lost, of: pushes.all)
      }
      open?.add(pushes)
    }
    let refreshes = refreshes(platform)
    add(platform) { $0.overrun.add(refreshes.overran, of: refreshes.all) }
    open?.add(refreshes)
    open?.note(facts)
  }

  private mutating func add(_ platform: Int, _ count: (inout BackgroundSums) -> Void) {
    count(&sums)
    if question.splitsPlatforms { count(&platforms[platform, default: BackgroundSums()]) }
  }

  /// Those of one device, whatever became of them.
  private mutating func included(_ platform: Int) -> (sent: Int, rejected: Int) {
    var (sent, rejected) = (0, 0)
    for push in match.pushes where places.contains(push.channel, platform == 0 ? -Int(push.platform) : platform) {
      sent += 1
      if push.isRejected { rejected += 1 }
    }
    return (sent, rejected)
  }

  /// Those of one device.
  private mutating func receipts(_ platform: Int) -> Int {
    var found = 0
    for push in match.pushes where push.receipt != nil && !push.isRejected {
      if places.contains(push.channel, platform == 0 ? -Int(push.platform) : platform) { found += 1 }
    }
    for orphan in match.orphans where places.contains(orphan.channel, platform) { found += 1 }
    return found
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
      if wakeUp.isFinished { add(platform) { $0.ended += 1 } }
      let isOver = wakeUp.isOver(at: question.cutOff)
      guard isOver || open != nil else { continue }
      found.add(wakeUp, since: before, isOver: isOver)
      if isOver, let before { add(platform) { $0.intervals.count(wakeUp.start - before) } }
    }
    return found
  }

  mutating func add(_ other: Self, times: Int) {
    sums.add(other.sums, times: times)
    for (platform, more) in other.platforms { platforms[platform, default: BackgroundSums()].add(more, times: times) }
    if let more = other.open { open?.add(more) }
  }
}

extension BackgroundTally {
  /// By the platforms' names, where that is asked for.
  var namedPlatforms: [String: BackgroundSums] {
    var named: [String: BackgroundSums] = [:]
    for (platform, sums) in platforms {
      named[question.names.platform(GroupKey(platform: platform)) ?? Group.unnamed, default: BackgroundSums()].add(sums)
    }
    return named
  }

  /// As it was counted before, at a cutoff.
  init(_ question: BackgroundCounting, _ kept: OpenBackground.Kept) {
    self.init(question)
    sums = kept.sums
    for device in kept.open.pushes { device.mature(at: question.cutOff, question.horizon, &sums.lost) }
    for device in kept.open.refreshes { device.mature(at: question.cutOff, &sums.overrun, &sums.intervals) }
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
  /// Whether what is counted is to be told by platform as well.
  let splitsPlatforms: Bool
  private let labels: [Int64: ReleaseLabel]

  convenience init(_ vocabulary: Vocabulary, _ selection: Selection) throws {
    var extent = try FleetScope(vocabulary, app: selection.app, now: selection.now)
    (extent.channels, extent.platforms, extent.level) = (selection.channels, selection.platforms, selection.level)
    (extent.includesEmulators, extent.population) = (selection.includesEmulators, selection.population)
    try extent.check(vocabulary)
    self.init(
      vocabulary, extent, CutOff(vocabulary, app: extent.app, now: extent.now).at, keepsOpen: false,
      splitsPlatforms: selection.by.contains(.platform))
  }

  init(
    _ vocabulary: Vocabulary, _ extent: FleetScope, _ cutOff: Timestamp, keepsOpen: Bool, splitsPlatforms: Bool = false
  ) {
    (self.extent, self.cutOff, self.keepsOpen, self.splitsPlatforms) = (extent, cutOff, keepsOpen, splitsPlatforms)
    names = GroupNames(vocabulary)
    labels = Timeline(vocabulary, app: extent.app).labels
  }

  var need: Need {
    let end = keepsOpen ? OpenBackground.endOfTime : cutOff
    return Need(app: extent.app, extent.population, wakes: .init(from: extent.earliestFact, until: end))
  }
  var start: BackgroundTally { BackgroundTally(self) }
  func covers(_ other: BackgroundCounting) -> Bool {
    extent.countsAlike(other.extent) && splitsPlatforms == other.splitsPlatforms && !keepsOpen && !other.keepsOpen
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
