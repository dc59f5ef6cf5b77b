import Lifecycle
import Store

/// Sorts the wake-ups of device after device into the groups asked for.
struct WakeCounting: PageCounting {
  var newest: NewestContact
  var tallies = GroupTallies { WakeTally() }
  private let question: Question
  private var wakeUps: [WakeUp] = []
  private var shares: [Share] = []
  private var hours: [(place: Int, pushes: Int)] = []

  /// What is asked, the same for every shard; a class, so that nobody copies all that it holds.
  final class Question {
    let names: GroupNames
    let extent: Extent
    let options: WakeUps.Options
    let cutOff: Timestamp
    let splitsVersions: Bool

    init(_ vocabulary: Vocabulary, _ extent: Extent, _ options: WakeUps.Options, until cutOff: Timestamp) {
      (self.extent, self.options, self.cutOff) = (extent, options, cutOff)
      names = GroupNames(vocabulary)
      splitsVersions = options.by.contains(.appVersion)
    }
  }

  /// What one device has in one group.
  private struct Share {
    var place: Int
    var sums = WakeTally.Sums()
  }

  init(_ question: Question) {
    self.question = question
    newest = NewestContact(until: question.cutOff)
    if question.options.by.isEmpty { _ = tallies.place(of: Labels()) }
  }

  mutating func add(_ page: inout DevicePage, _ contacts: () throws -> ContactTimes) throws {
    try newest.note(page.outlines, contacts)
    var devices = PageDevices(page.outlines, question.names)
    while let device = page.wakes.next() {
      let place = devices.place(of: device)
      if let place, !question.extent.includesEmulators, devices.isEmulator(place) { continue }
      addWakeUps(page.wakes.facts, place, devices)
      addPushHours(page.wakes.facts, place, devices)
    }
  }

  private mutating func addWakeUps(_ facts: [WakeFact], _ place: Int?, _ devices: PageDevices) {
    WakeUp.collect(facts, into: &wakeUps)
    if wakeUps.isEmpty { return }
    shares.removeAll(keepingCapacity: true)
    let platform = place.map(devices.platform) ?? 0
    var refreshedAt: Timestamp?
    for wakeUp in wakeUps {
      let before = refreshedAt
      if wakeUp.trigger == .bgRefresh { refreshedAt = wakeUp.start }
      // What has just begun may still be running.
      guard question.extent.includes(wakeUp.start), question.cutOff - wakeUp.start >= WakeUp.longest else { continue }
      let version = question.version(at: wakeUp.start, place, devices)
      let key = GroupKey(
        kind: Int64(wakeUp.trigger.code), channel: wakeUp.channel, platform: platform, version: version)
      guard let place = tallies.place(of: key, { question.labels(key) }) else { continue }
      let interval = wakeUp.trigger == .bgRefresh ? before.map { wakeUp.start - $0 } : nil
      shares[share(place)].sums.add(wakeUp, interval)
      tallies.tallies[place].count(wakeUp, interval)
    }
    for share in shares { tallies.tallies[share.place].add(share.sums) }
  }

  /// A device counts once in each of its groups. It has few: they are searched one by one.
  private mutating func share(_ place: Int) -> Int {
    if let known = shares.firstIndex(where: { $0.place == place }) { return known }
    shares.append(Share(place: place))
    return shares.count - 1
  }

  /// Facts come in order of time, so an hour's are next to each other.
  private mutating func addPushHours(_ facts: [WakeFact], _ place: Int?, _ devices: PageDevices) {
    var hour = Int64.min
    for fact in facts where fact.stage == .pushSent {
      guard fact.outcome != .rejected, question.extent.includes(fact.at) else { continue }
      var key = GroupKey(kind: Int64(Trigger.silentPush.code), channel: fact.channel)
      key.platform = place.map(devices.platform) ?? 0
      if key.platform == 0 { key.platform = -Int(fact.platform) }
      key.version = question.version(at: fact.at, place, devices)
      guard let group = tallies.place(of: key, { question.labels(key) }) else { continue }
      let own = fact.at.seconds / 3600
      if own != hour { countHours() }
      hour = own
      if let known = hours.firstIndex(where: { $0.place == group }) {
        hours[known].pushes += 1
      } else {
        hours.append((group, 1))
      }
    }
    countHours()
  }

  private mutating func countHours() {
    for (place, pushes) in hours { tallies.tallies[place].pushHours[pushes, default: 0] += 1 }
    hours.removeAll(keepingCapacity: true)
  }

  static func counted(_ question: Question, _ snapshot: borrowing Snapshot) throws -> WakeCounting {
    let wakes = PageChoice.Wakes(from: question.extent.earliestFact, until: question.cutOff)
    let choice = PageChoice(app: question.extent.app, milestones: [:], wakes: wakes)
    return try counted(choice, snapshot) { WakeCounting(question) }
  }
}

extension WakeCounting.Question {
  func version(at instant: Timestamp, _ place: Int?, _ devices: PageDevices) -> Int {
    splitsVersions ? place.map { devices.version($0, at: instant) } ?? 0 : 0
  }

  /// nil where that is not asked for.
  func labels(_ key: GroupKey) -> Labels? {
    guard extent.includes(key, names) else { return nil }
    let trigger = Trigger(code: UInt8(key.kind)) ?? .unknown
    return names.labels(key, by: options.by, kind: trigger.rawValue)
  }
}
