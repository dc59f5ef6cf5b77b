import Lifecycle
import Statistics
import Store

/// Devices, and those of them that are silent for longer than they ever were.
struct SilentDevices: Mergeable, Equatable {
  var devices = 0
  var silent = 0

  mutating func add(_ other: Self, times: Int) {
    devices += times * other.devices
    silent += times * other.silent
  }

  var share: Proportion { Proportion(Int64(silent), of: Int64(devices)) }
}

/// How many devices fell silent: of those that took a release lately, and of those that did not.
///
/// Kept apart by platform and by how long they are silent at times: a holiday silences one kind of device, and not another.
struct SilenceTally: Tally {
  struct Kind: Hashable {
    var platform: Int
    var habit: Int
  }
  struct Sides: Mergeable {
    var taken = SilentDevices()
    var others = SilentDevices()

    mutating func add(_ other: Self, times: Int) {
      taken.add(other.taken, times: times)
      others.add(other.others, times: times)
    }
  }
  private(set) var kinds: [Kind: Sides] = [:]
  private let question: SilenceCounting
  /// Whether a random part of the devices was looked at.
  var isSample: Bool { question.isSample }
  private var room: [ClosedRange<Int64>] = []

  init(_ question: SilenceCounting) { self.question = question }

  mutating func count(_ page: borrowing ShardPage) throws {
    guard let channel = question.channel else { return }
    let runs = try page.runs()
    var takings = Takings(page.journeys(question.target, channel))
    var newer = question.newer.map { Takings(page.journeys($0, channel)) }
    let (cutOff, dayBefore) = (question.cutOff.rawValue, question.dayBefore.rawValue)
    for (index, device) in page.devices.devices.enumerated() where question.includes(index, page) {
      guard let habit = ContactHabit(runs, index, until: dayBefore, &room),
        let isTaken = question.isTaken(at: takings.first(device)),
        // What became of it since is the newer release's.
        newer.indices.allSatisfy({ newer[$0].first(device).map { $0 > dayBefore } ?? true })
      else { continue }
      let isSilent = habit.isOverdue(at: cutOff) && !runs.spoke(index, after: dayBefore, until: cutOff)
      let one = SilentDevices(devices: 1, silent: isSilent ? 1 : 0)
      let kind = Kind(platform: Int(page.platforms[index]), habit: habit.kind)
      if isTaken { kinds[kind, default: Sides()].taken.add(one) } else { kinds[kind, default: Sides()].others.add(one) }
    }
  }

  mutating func add(_ other: Self, times: Int) {
    for (kind, sides) in other.kinds { kinds[kind, default: Sides()].add(sides, times: times) }
  }

  /// Those with enough devices on both sides, in one order.
  func sides(atLeast fewest: Int) -> [Sides] {
    kinds.filter { $1.taken.devices >= fewest && $1.others.devices >= fewest }
      .sorted { ($0.key.platform, $0.key.habit) < ($1.key.platform, $1.key.habit) }.map(\.value)
  }

  /// Those that took it where too few others of their kind are left to hold them against.
  func alone(atLeast fewest: Int) -> SilentDevices {
    kinds.values.filter { $0.taken.devices >= fewest && $0.others.devices < fewest }
      .reduce(into: SilentDevices()) { $0.add($1.taken, times: 1) }
  }
}

/// What is asked about silences after one release on one channel, the same for every shard.
final class SilenceCounting: Counting {
  let selection: Selection
  let target: Int64
  /// nil where no device named it.
  var channel: Int64? { part.channel }
  let cutOff: Timestamp
  /// Who took the release by then is held against who did not.
  var dayBefore: Timestamp { cutOff - .days(1) }
  /// Those that came after the target.
  let newer: [Int64]
  private var shards: Range<Int>
  var isSample: Bool { shards.count < Need.allShards.count }
  private let part: ChannelPart

  /// - Parameters:
  ///   - chosen: on one channel.
  ///   - shards: how many are looked at.
  init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ channel: String, _ cutOff: Timestamp, shards: Int) {
    (selection, target, self.cutOff, self.shards) = (chosen.selection, chosen.target.id, cutOff, 0..<shards)
    newer = chosen.timeline.newer(than: chosen.target.id, channel: channel, platform: nil).sorted()
    part = ChannelPart(vocabulary, chosen.selection, channel)
  }

  var need: Need {
    let columns = JourneyColumns(Takings.milestones)
    var need = Need(
      app: selection.app, selection.population,
      journeys: Dictionary(uniqueKeysWithValues: ([target] + newer).map { ($0, columns) }),
      devices: part.needs.union(.runs))
    need.shards = shards
    return need
  }
  var start: SilenceTally { SilenceTally(self) }

  /// A scan of its own where it asks for more than it may cost, whichever channel the app's devices are on: where few took the release,
  /// fewer are looked at.
  func stored(_ snapshot: borrowing Snapshot) throws -> SilenceTally? {
    guard shards.count > 1 else { return nil }
    let part = try AppSize.shards(selection, snapshot)
    guard part.count < shards.count else { return nil }
    shards = part
    return sum(try snapshot.count(need) { start })
  }

  func sum(stored: SilenceTally, of wider: SilenceCounting) -> SilenceTally? { stored }

  /// However many are looked at: devices that only check are found to have updated once times are counted between the checks, and
  /// then fewer would do.
  func covers(_ other: SilenceCounting) -> Bool {
    (target, channel, cutOff) == (other.target, other.channel, other.cutOff) && selection == other.selection
  }

  func includes(_ index: Int, _ page: borrowing ShardPage) -> Bool { part.includes(index, page, at: dayBefore) }

  /// Whether a device that took it then is one of those that are asked about; nil where it took it long before.
  func isTaken(at first: Int64?) -> Bool? {
    guard let first, first <= dayBefore.rawValue else { return false }
    return first > (dayBefore - ContactHabit.recent).rawValue ? true : nil
  }
}
