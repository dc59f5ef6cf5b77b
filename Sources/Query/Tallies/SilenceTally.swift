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
struct SilenceTally: Tally {
  private(set) var taken = SilentDevices()
  private(set) var others = SilentDevices()
  private let question: SilenceCounting
  private var room: [ClosedRange<Int64>] = []

  init(_ question: SilenceCounting) { self.question = question }

  mutating func count(_ page: borrowing ShardPage) throws {
    guard let channel = question.channel else { return }
    let runs = try page.runs()
    var takings = Takings(page.journeys(question.target, channel))
    let (cutOff, dayBefore) = (question.cutOff.rawValue, question.dayBefore.rawValue)
    for (index, device) in page.devices.devices.enumerated() where question.includes(index, page) {
      guard let habit = ContactHabit(runs, index, until: dayBefore, &room),
        let isTaken = question.isTaken(at: takings.first(device))
      else { continue }
      let isSilent = habit.isOverdue(at: cutOff) && !runs.spoke(index, after: dayBefore, until: cutOff)
      let one = SilentDevices(devices: 1, silent: isSilent ? 1 : 0)
      if isTaken { taken.add(one) } else { others.add(one) }
    }
  }

  mutating func add(_ other: Self, times: Int) {
    taken.add(other.taken, times: times)
    others.add(other.others, times: times)
  }
}

/// When devices took a release: had it ready, launched it, or said that they run it. Asked for in order of device.
private struct Takings {
  static let milestones: [Milestone] = [.ready, .applied, .confirmed, .running]
  private let columns: [[Int64]]
  private var join: SortedJoin

  init(_ shard: JourneyShard?) {
    columns = Self.milestones.compactMap { shard?.column($0) }
    join = SortedJoin(shard?.devices ?? [])
  }

  /// nil where a device never did.
  mutating func first(_ device: UInt64) -> Int64? {
    guard let place = join.index(of: device), let first = columns.lazy.map({ $0[place] }).min(), first != .max else {
      return nil
    }
    return FirstTime(rawValue: first).at.rawValue
  }
}

/// What is asked about silences after one release on one channel, the same for every shard.
final class SilenceCounting: Counting {
  let selection: Selection
  let target: Int64
  /// nil where no device named it.
  let channel: Int64?
  let cutOff: Timestamp
  /// Who took the release by then is held against who did not.
  var dayBefore: Timestamp { cutOff - .days(1) }
  private let shards: Range<Int>
  private let slices: DeviceSlices
  /// By the number of a platform.
  private let platforms: [Bool]

  /// - Parameters:
  ///   - chosen: on one channel.
  ///   - shards: how many are looked at.
  init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ channel: String, _ cutOff: Timestamp, shards: Int) {
    let profiles = ProfileTable(vocabulary)
    (selection, target, self.cutOff, self.shards) = (chosen.selection, chosen.target.id, cutOff, 0..<shards)
    self.channel = vocabulary.names.first { $0.value == channel }?.key
    slices = DeviceSlices(profiles, by: [], only: chosen.selection.only)
    platforms = profiles.platforms.map { chosen.selection.includes(Group(channel: channel, platform: $0)) }
  }

  var need: Need {
    let columns = JourneyColumns([.ready, .applied, .confirmed, .running])
    var need = Need(
      app: selection.app, selection.population, journeys: [target: columns], devices: slices.needs.union(.runs))
    need.shards = shards
    return need
  }
  var start: SilenceTally { SilenceTally(self) }

  func covers(_ other: SilenceCounting) -> Bool {
    (target, channel, cutOff, shards) == (other.target, other.channel, other.cutOff, other.shards)
      && selection == other.selection
  }

  func includes(_ index: Int, _ page: borrowing ShardPage) -> Bool {
    page.devices.channels[index] == channel && platforms[Int(page.platforms[index])]
      && (selection.includesEmulators || !page.emulators[index])
      && slices.number(page.devices, index, at: dayBefore.rawValue) >= 0
  }

  /// Whether a device that took it then is one of those that are asked about; nil where it took it long before.
  func isTaken(at first: Int64?) -> Bool? {
    guard let first, first <= dayBefore.rawValue else { return false }
    return first > (dayBefore - ContactHabit.recent).rawValue ? true : nil
  }
}
