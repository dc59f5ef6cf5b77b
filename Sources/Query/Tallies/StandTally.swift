import Console
import Lifecycle
import Store

/// The devices that stand at a stage, the first of them behind a place; as many as a page holds, and one more. Which these are
/// does not depend on the order in which devices come.
struct StandTally: Tally {
  struct Device {
    var position: DevicePosition
    var platform: Int
    var version: Int
    var lastContact: Int64?
  }

  var newest: NewestContact
  private(set) var devices = 0
  /// In order of position.
  private(set) var list: [Device] = []
  private let question: StandCounting

  init(_ question: StandCounting) {
    self.question = question
    newest = NewestContact(until: question.journeys.cutOff)
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    try newest.note(page)
    for journeys in page.journeys where journeys.release == question.journeys.target {
      try count(journeys, page)
    }
  }

  private mutating func count(_ journeys: Snapshot.Journeys, _ page: borrowing ShardPage) throws {
    var join = SortedJoin(page.devices.devices)
    let columns = FunnelColumns(journeys.shard)
    var later = question.journeys.later(journeys, page)
    let channel = question.journeys.names.vocabulary.name(journeys.channel)
    for (place, hash) in journeys.shard.devices.enumerated() {
      guard let index = join.index(of: hash), !question.journeys.leavesOut(index, page),
        question.journeys.includes(index, page),
        let newerAt = later.first(hash, platform: Int(page.platforms[index])), newerAt == .max,
        let journey = FunnelJourney(columns, place, newerAt: newerAt, until: question.journeys.cutOff.rawValue),
        let since = question.since(journey, journeys.shard, place)
      else { continue }
      try add(DevicePosition(since: since.rawValue, device: hash, channel: channel), index, page)
    }
  }

  private mutating func add(_ position: DevicePosition, _ index: Int, _ page: borrowing ShardPage) throws {
    let (cutOff, profiles) = (question.journeys.cutOff.rawValue, question.journeys.names.profiles)
    let contact = try NewestContact.of(index, page, until: cutOff)
    if let seen = question.options.seen, cutOff - (contact ?? .min / 2) > seen.rawValue { return }
    devices += 1
    insert(
      Device(
        position: position, platform: Int(page.platforms[index]),
        version: profiles.version(page.devices, index, at: cutOff), lastContact: contact))
  }

  private mutating func insert(_ device: Device) {
    if let after = question.options.after, device.position <= after { return }
    let most = question.options.limit + 1
    if list.count == most, let last = list.last, last.position <= device.position { return }
    list.insert(device, at: list.firstPlace { $0.position > device.position })
    if list.count > most { list.removeLast() }
  }

  /// Nothing is ever taken out of a page: it is kept nowhere.
  mutating func add(_ other: StandTally, times: Int) {
    precondition(times > 0, "a list of devices cannot be taken out")
    newest.add(other.newest, times: times)
    devices += other.devices
    for device in other.list { insert(device) }
  }
}

/// What is asked, the same for every shard.
final class StandCounting: Counting {
  let journeys: StageCounting
  let options: Devices.Options

  init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ options: Devices.Options) {
    journeys = StageCounting(vocabulary, chosen, Funnel.Options())
    self.options = options
  }

  var need: Need { journeys.need }
  var start: StandTally { StandTally(self) }

  /// Since when a device stands where it is asked for, and long enough; nil where it stands elsewhere.
  func since(_ journey: FunnelJourney, _ shard: JourneyShard, _ place: Int) -> Timestamp? {
    let cutOff = journeys.cutOff
    guard let stand = journey.stand(shard, place, until: cutOff), stand.at == options.at else { return nil }
    return cutOff - stand.since >= options.older ? stand.since : nil
  }

  func row(_ device: StandTally.Device) -> Devices.Device {
    let (names, hash) = (journeys.names, hexadecimal(device.position.device))
    let since = Timestamp(rawValue: device.position.since)
    return Devices.Device(
      device: hash, since: since, secondsSince: (journeys.chosen.selection.now - since).secondsRoundedDown,
      lastContact: device.lastContact.map(Timestamp.init(rawValue:)),
      platform: names.profiles.platforms[device.platform],
      appVersion: names.profiles.versions[device.version], channel: device.position.channel,
      trail: ShellCommand("uptake", "breadcrumbs").option("hashed").option("app", journeys.chosen.selection.app)
        .argument(hash).description)
  }
}

extension FunnelJourney {
  private static let stands: [Devices.Stand] = [
    .available, .downloadStarted, .downloadCompleted, .verified, .ready, .applied, .confirmed,
  ]
  private static let failures: [(stand: Devices.Stand, milestone: Milestone)] = [
    (.failed, .failed), (.rolledBack, .rolledBack), (.crashed, .crashed),
  ]

  /// The furthest stage, or the last that went wrong since; what went wrong before it was mended.
  fileprivate func stand(
    _ shard: JourneyShard, _ place: Int, until cutOff: Timestamp
  ) -> (at: Devices.Stand, since: Timestamp)? {
    guard let furthest = Self.stands.indices.last(where: { reached($0) != nil }), let reached = reached(furthest) else {
      return nil
    }
    let wrong = Self.failures.compactMap { stand, milestone -> (at: Devices.Stand, since: Timestamp)? in
      let first = shard.first(milestone, place)
      return first.happened && first.at <= cutOff && first.at >= reached ? (stand, first.at) : nil
    }
    return wrong.max { $0.since < $1.since } ?? (Self.stands[furthest], reached)
  }
}
