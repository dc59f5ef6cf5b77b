import Lifecycle
import Store

/// Sorts what came of pushes by platform, device after device.
struct PushLossTally: Tally {
  var platforms: [Int: PushLosses] = [:]
  /// Of pushes about the releases that are looked at.
  var own: [Int: PushLosses] = [:]
  /// Whether any device reports that pushes arrive, of whichever platform.
  var areReceiptsReported: Bool { platforms.values.contains { $0.isAnyReceived } }
  private let question: PushLossCounting
  private var places: IncludedPlaces
  private var match = PushMatch()
  private var wakeUps: [WakeUp] = []

  init(_ question: PushLossCounting) {
    self.question = question
    places = IncludedPlaces(question.extent, question.names)
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    // Apart from the tally, or the whole of it would be copied for each device.
    let question = question
    try page.eachInBackground(includesEmulators: question.extent.includesEmulators) { _, index, facts in
      guard facts.contains(where: { $0.stage == .pushSent || $0.trigger == .silentPush }),
        question.includes(index, page)
      else { return }
      WakeUp.collect(facts, of: .silentPush, into: &wakeUps)
      match.match(facts, wakeUps) { question.names(of: $0) }
      let platform = index.map { Int(page.platforms[$0]) } ?? match.pushes.first.map { -Int($0.platform) } ?? 0
      guard places.contains(match.pushes.first?.channel ?? wakeUps.first?.channel ?? 0, platform) else { return }
      var (history, own) = (PushHistory(), PushHistory())
      try question.judge(match.pushes, facts, index, page, &history, &own)
      noteWakeUps(facts, &history)
      platforms[platform, default: PushLosses()].add(history)
      if own.sent > 0 { self.own[platform, default: PushLosses()].add(own) }
    }
  }

  /// A wake-up by a push right where the user was opening the app was a tap, or a push that had been held until then.
  private func noteWakeUps(_ facts: [WakeFact], _ history: inout PushHistory) {
    for wakeUp in wakeUps where question.extent.includes(wakeUp.start) && wakeUp.start <= question.cutOff {
      history.wakeUps += 1
      let near = facts[facts.firstPlace { $0.at >= wakeUp.start - PushMatch.launch }...]
        .prefix { $0.at <= wakeUp.start + PushMatch.launch }
      if near.contains(where: { $0.trigger == .foreground && $0.stage == .check }) { history.atLaunch += 1 }
    }
  }

  mutating func add(_ other: PushLossTally, times: Int) {
    for (platform, losses) in other.platforms { platforms[platform, default: PushLosses()].add(losses, times: times) }
    for (platform, losses) in other.own { own[platform, default: PushLosses()].add(losses, times: times) }
  }
}

/// What is asked about the fate of pushes, the same for every shard.
final class PushLossCounting: Counting {
  let extent: FleetScope
  let names: GroupNames
  let horizon = Push.Options().horizon
  let cutOff: Timestamp
  private let labels: [Int64: ReleaseLabel]
  private let slices: DeviceSlices
  private let shards: Range<Int>
  /// The releases whose pushes are counted apart as well.
  let own: Set<Int64>

  /// - Parameter shards: that are looked at.
  init(
    _ vocabulary: Vocabulary, _ extent: FleetScope, own: Set<Int64> = [], shards: Range<Int> = Need.allShards
  ) {
    (self.extent, self.own, self.shards) = (extent, own, shards)
    names = GroupNames(vocabulary)
    slices = DeviceSlices(names.profiles, by: [], only: extent.only)
    cutOff = CutOff(vocabulary, app: extent.app, now: extent.now).at
    labels = Timeline(vocabulary, app: extent.app).labels
  }

  var need: Need {
    var need = Need(
      app: extent.app, extent.population, devices: slices.needs, wakes: .init(from: extent.earliestFact, until: cutOff))
    need.shards = shards
    return need
  }
  var start: PushLossTally { PushLossTally(self) }
  /// - Parameter index: nil for a device that never spoke: it said nothing of itself.
  func includes(_ index: Int?, _ page: borrowing ShardPage) -> Bool {
    guard let index else { return !slices.leavesAnyOut }
    return slices.number(page.devices, index, at: cutOff.rawValue) >= 0
  }

  func names(of push: SentPush) -> [String] { names.names(of: push, labels) }
}

/// What became of each push to a device.
extension PushLossCounting {
  fileprivate func judge(
    _ pushes: [SentPush], _ facts: [WakeFact], _ index: Int?, _ page: borrowing ShardPage, _ history: inout PushHistory,
    _ ownHistory: inout PushHistory
  ) throws {
    var sent: [Timestamp] = []
    for push in pushes {
      let (isOwn, end) = (own.contains(push.release), cutOff - horizon)
      if !push.isRejected { sent.append(push.sent) }
      guard extent.includes(push.sent) else { continue }
      history.add(sent: push, until: cutOff)
      if isOwn { ownHistory.add(sent: push, until: cutOff) }
      guard !push.isRejected, push.isMature(horizon, until: cutOff) else { continue }
      let state = try push.state(horizon: horizon, until: cutOff) {
        try index.map { try page.spoke($0, after: push.sent.rawValue, until: cutOff.rawValue) } ?? false
      }
      let (ran, sooner) = (Self.ran(facts, after: push.sent, horizon), gained(facts, push))
      history.add(push, state, sent: sent[...], ranAfterwards: ran, gained: sooner, until: end)
      if isOwn { ownHistory.add(push, state, sent: sent[...], ranAfterwards: ran, gained: sooner, until: end) }
    }
  }

  private static func ran(_ facts: [WakeFact], after instant: Timestamp, _ horizon: Milliseconds) -> Bool {
    facts[facts.firstPlace { $0.at > instant }...].prefix { $0.at <= instant + horizon }
      .contains { $0.trigger == .bgRefresh }
  }

  /// Until the app would have run by itself after it woke for the push; nil of pushes after which that is not known yet.
  private func gained(_ facts: [WakeFact], _ push: SentPush) -> Milliseconds? {
    guard cutOff - PushLosses.mostGained - push.sent >= horizon else { return nil }
    guard push.arrival == .background, let woken = push.receipt else { return .seconds(0) }
    let next = facts[facts.firstPlace { $0.at > woken }...].first { fact in
      switch fact.trigger {
      case .bgRefresh, .foreground, .location: fact.stage != .pushSent
      case .silentPush, .unknown: false
      }
    }
    return next.map { $0.at - woken } ?? PushLosses.mostGained
  }
}
