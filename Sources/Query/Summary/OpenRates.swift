import Lifecycle
import Store

/// Pushes to one device that could have arrived.
struct DevicePushes: Comparable {
  private(set) var lost = 0
  private(set) var all = 0
  /// Those that are too young: `sent << 1`, and 1 where it is lost.
  private(set) var young: [Int64] = []

  mutating func add(_ push: SentPush, isLost: Bool, isYoung: Bool) {
    if isYoung { return young.append(push.sent.rawValue << 1 | (isLost ? 1 : 0)) }
    all += 1
    if isLost { lost += 1 }
  }

  /// Counts anew what was counted of the device.
  func mature(at cutOff: Timestamp, _ horizon: Milliseconds, _ rate: inout RateSums) {
    let mature = young.filter { cutOff - Timestamp(rawValue: $0 >> 1) >= horizon }
    if mature.isEmpty { return }
    rate.replace((lost, all), by: (lost + mature.count { $0 & 1 == 1 }, all + mature.count))
  }

  static func < (one: Self, other: Self) -> Bool {
    one.young == other.young
      ? (one.lost, one.all) < (other.lost, other.all) : one.young.lexicographicallyPrecedes(other.young)
  }
}

/// Background refreshes of one device.
struct DeviceRefreshes: Comparable {
  private(set) var overran = 0
  private(set) var all = 0
  /// Those that may not be over: `start << 1`, and 1 where nothing says that it ended in time.
  private(set) var young: [Int64] = []
  /// Of these since the refresh before; `.max` where there is none.
  private(set) var intervals: [Int64] = []

  mutating func add(_ wakeUp: WakeUp, since before: Timestamp?, isOver: Bool) {
    let overran = wakeUp.overran || !wakeUp.isFinished
    if isOver {
      all += 1
      if overran { self.overran += 1 }
    } else {
      young.append(wakeUp.start.rawValue << 1 | (overran ? 1 : 0))
      intervals.append(before.map { wakeUp.start - $0 }?.rawValue ?? .max)
    }
  }

  /// Counts anew what was counted of the device.
  func mature(at cutOff: Timestamp, _ rate: inout RateSums, _ counts: inout IntervalCounts) {
    var more = (overran: 0, all: 0)
    for (start, interval) in zip(young, intervals) where WakeUp.isOver(Timestamp(rawValue: start >> 1), at: cutOff) {
      more = (more.overran + Int(start & 1), more.all + 1)
      if interval != .max { counts.count(Milliseconds(rawValue: interval)) }
    }
    rate.replace((overran, all), by: (overran + more.overran, all + more.all))
  }

  static func < (one: Self, other: Self) -> Bool {
    one.numbers.lexicographicallyPrecedes(other.numbers)
  }
  private var numbers: [Int64] { young + intervals + [Int64(overran), Int64(all)] }
}

extension RateSums {
  /// Of one device another count.
  mutating func replace(_ old: (count: Int, of: Int), by new: (count: Int, of: Int)) {
    var before = RateSums()
    before.add(old.count, of: old.of)
    subtract(before)
    add(new.count, of: new.of)
  }
}

extension DevicePushes {
  static func list(_ columns: [[Int64]]) -> [Self]? {
    youngSlices(columns)?.map { device, young in
      Self(lost: Int(columns[0][device]), all: Int(columns[1][device]), young: Array(columns[3][young]))
    }
  }
}

extension DeviceRefreshes {
  static func list(_ columns: [[Int64]]) -> [Self]? {
    guard columns[4].count == columns[3].count else { return nil }
    return youngSlices(columns)?.map { device, young in
      Self(
        overran: Int(columns[0][device]), all: Int(columns[1][device]), young: Array(columns[3][young]),
        intervals: Array(columns[4][young]))
    }
  }
}
