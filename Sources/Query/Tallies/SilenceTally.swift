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
  private let question: AftermathCounting
  private var room: [ClosedRange<Int64>] = []

  init(_ question: AftermathCounting) { self.question = question }

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
