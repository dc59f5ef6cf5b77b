import Lifecycle
import Store

/// Sorts the wake-ups of device after device into the groups asked for.
struct WakeTally: GroupTally {
  var newest: NewestContact
  var counts = GroupCounts { WakeCounts() }
  private let question: WakeCounting
  private var wakeUps: [WakeUp] = []
  private var shares: [Share] = []
  private var hours: [(group: Int, pushes: Int)] = []
  /// Where another cutoff is to be put in later: what it takes.
  private(set) var open: OpenWakeUps?

  /// What one device has in one group.
  private struct Share {
    var group: Int
    var sums = WakeCounts.Sums()
    /// Where they are kept.
    var young: [OpenWakeUps.Young] = []
  }

  init(_ question: WakeCounting) {
    self.question = question
    newest = NewestContact(until: question.cutOff)
    if question.keepsOpen { open = OpenWakeUps() }
    if question.options.by.isEmpty { _ = counts.index(of: Labels()) }
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    try newest.note(page)
    try page.eachInBackground(includesEmulators: question.extent.includesEmulators) { _, index, facts in
      open?.facts.note(facts)
      addWakeUps(facts, index, page)
      addPushHours(facts, index, page)
    }
  }

  private mutating func addWakeUps(_ facts: [WakeFact], _ index: Int?, _ page: borrowing ShardPage) {
    WakeUp.collect(facts, into: &wakeUps)
    if wakeUps.isEmpty { return }
    shares.removeAll(keepingCapacity: true)
    let platform = index.map { Int(page.platforms[$0]) } ?? 0
    var refreshedAt: Timestamp?
    for wakeUp in wakeUps {
      let before = refreshedAt
      if wakeUp.trigger == .bgRefresh { refreshedAt = wakeUp.start }
      let isOver = wakeUp.isOver(at: question.cutOff)
      guard question.extent.includes(wakeUp.start), isOver || open != nil else { continue }
      var key = GroupKey(kind: Int64(wakeUp.trigger.code), channel: wakeUp.channel, platform: platform)
      guard question.splits.fill(&key, at: wakeUp.start, network: wakeUp.network, index, page),
        let group = counts.index(of: key, { question.labels(key) })
      else { continue }
      let interval = wakeUp.trigger == .bgRefresh ? before.map { wakeUp.start - $0 } : nil
      guard isOver else {
        shares[share(group)].young.append(OpenWakeUps.Young(wakeUp: wakeUp, interval: interval))
        continue
      }
      shares[share(group)].sums.add(wakeUp, interval)
      counts.list[group].count(wakeUp, interval)
    }
    for share in shares where share.sums.wakeUps > 0 { counts.list[share.group].add(share.sums) }
    if open != nil { keepYoung() }
  }

  private mutating func keepYoung() {
    for share in shares where !share.young.isEmpty {
      let device = OpenWakeUps.Device(sums: share.sums, young: share.young)
      counts.labels(at: share.group).map { open?.add(device, $0) }
    }
  }

  /// A device counts once in each of its groups. It has few: they are searched one by one.
  private mutating func share(_ group: Int) -> Int {
    if let known = shares.firstIndex(where: { $0.group == group }) { return known }
    shares.append(Share(group: group))
    return shares.count - 1
  }

  /// Facts come in order of time, so an hour's are next to each other.
  private mutating func addPushHours(_ facts: [WakeFact], _ index: Int?, _ page: borrowing ShardPage) {
    var hour = Int64.min
    for fact in facts where fact.stage == .pushSent {
      guard fact.outcome != .rejected, question.extent.includes(fact.at) else { continue }
      var key = GroupKey(kind: Int64(Trigger.silentPush.code), channel: fact.channel)
      key.platform = index.map { Int(page.platforms[$0]) } ?? 0
      if key.platform == 0 { key.platform = -Int(fact.platform) }
      guard question.splits.fill(&key, at: fact.at, index, page),
        let group = counts.index(of: key, { question.labels(key) })
      else { continue }
      let own = fact.at.seconds / 3600
      if own != hour { countHours() }
      hour = own
      if let known = hours.firstIndex(where: { $0.group == group }) {
        hours[known].pushes += 1
      } else {
        hours.append((group, 1))
      }
    }
    countHours()
  }

  private mutating func countHours() {
    for (group, pushes) in hours { counts.list[group].pushHours.count(pushes) }
    hours.removeAll(keepingCapacity: true)
  }
}

extension WakeTally {
  mutating func add(_ other: Self, times: Int) {
    newest.add(other.newest, times: times)
    counts.add(other.counts, times: times)
    if let more = other.open { open?.add(more) }
  }

  /// As it was counted before, at a cutoff.
  init(_ question: WakeCounting, _ kept: KeptWakeUps, dataThrough: Timestamp?) {
    self.init(question)
    dataThrough.map { newest.note($0) }
    for (labels, sums, devices) in kept.groups {
      let group = counts.index(of: labels)
      counts.list[group].add(sums)
      for device in devices { device.end(at: question.cutOff, &counts.list[group]) }
    }
  }
}

extension WakeCounting {
  /// nil where that is not asked for.
  func labels(_ key: GroupKey) -> Labels? {
    guard extent.includes(key, names) else { return nil }
    let trigger = Trigger(code: UInt8(key.kind)) ?? .unknown
    return names.labels(key, by: options.by, splits.slices, kind: trigger.rawValue)
  }
}

/// What is asked, the same for every shard; a class, so that nobody copies all that it holds.
final class WakeCounting {
  let names: GroupNames
  let extent: FleetScope
  let options: WakeUps.Options
  let end: CutOff
  var cutOff: Timestamp { end.at }
  let splits: SliceSplits
  /// Whether another cutoff is to be put in later: then facts after this one are read, too.
  let keepsOpen: Bool

  init(
    _ vocabulary: Vocabulary, _ extent: FleetScope, _ options: WakeUps.Options = WakeUps.Options(),
    cutOff fixed: CutOff? = nil, keepsOpen: Bool = false
  ) {
    (self.extent, self.options, self.keepsOpen) = (extent, options, keepsOpen)
    end = fixed ?? CutOff(vocabulary, app: extent.app, now: extent.now)
    names = GroupNames(vocabulary)
    splits = SliceSplits(options.by, only: extent.only, names.profiles)
  }

  var need: Need {
    let end = keepsOpen ? OpenBackground.endOfTime : cutOff
    return Need(
      app: extent.app, extent.population, devices: splits.needs, wakes: .init(from: extent.earliestFact, until: end))
  }
}
