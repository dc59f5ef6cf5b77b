import Lifecycle

/// One shard's facts of one week as they lie packed, gone through in device order.
struct WakeWeek {
  /// The device at hand; `.max`, which no packed device has, once all are done.
  private(set) var device: UInt64 = .max
  /// Facts of events that are not folded yet: others of the same week may say the same.
  let isUnfolded: Bool
  private let devices, counts, times, kinds, pushes, ids, durations: PackedView
  /// Of each fact that has one, in order. An id of many weeks is far away in memory: all of one week are looked up at once.
  private let pushIDs: [UInt64]
  private let kindList: [Kind]
  // Where the device at hand, or the next after it, has its first.
  private var (nextDevice, nextFact, nextPush, nextDuration) = (0, 0, 0, 0)

  /// What many facts have in common.
  private struct Kind {
    var what, place: Int64
    var hasPush: Bool { what >> WakeFact.pushBit & 1 == 1 }
    var hasDuration: Bool { what >> WakeFact.durationBit & 1 == 1 }
  }

  init(_ parts: PackedParts, isUnfolded: Bool = false) {
    func view(_ part: WakeShard.Part) -> PackedView { parts.view(part.rawValue) }
    (devices, counts, times, kinds) = (view(.devices), view(.counts), view(.times), view(.kinds))
    (pushes, ids, durations) = (view(.pushes), view(.pushHashes), view(.durations))
    pushIDs = Self.ids(pushes, ids)
    let (whats, places) = (view(.kindWhats), view(.kindPlaces))
    // Of weeks of which only the kinds were read there are no places.
    kindList = (0..<whats.count).map { Kind(what: whats[$0], place: $0 < places.count ? places[$0] : 0) }
    self.isUnfolded = isUnfolded
    arrive()
  }

  private static func ids(_ pushes: PackedView, _ ids: PackedView) -> [UInt64] {
    [UInt64](capacity: pushes.count) { found in
      for index in 0..<pushes.count { found.append(JourneyShard.hash(ids[Int(pushes[index])])) }
    }
  }

  /// Facts of events that are not folded yet.
  init(unfolded facts: ArraySlice<DeviceWakeFact>) {
    var parts = PackedParts()
    for (part, bytes) in WakeShard().merging(facts).packed {
      bytes.withUnsafeBytes { parts.append(part: part, $0) }
    }
    self.init(parts, isUnfolded: true)
  }

  /// Finds out which device is at hand.
  private mutating func arrive() {
    device = nextDevice < devices.count ? JourneyShard.hash(devices[nextDevice]) : .max
  }

  /// Passes over the devices before another.
  mutating func skip(to other: UInt64) {
    var end = nextFact
    while device < other {
      end += Int(counts[nextDevice])
      nextDevice += 1
      arrive()
    }
    while nextFact < end {
      let kind = kindList[Int(kinds[nextFact])]
      nextPush += kind.hasPush ? 1 : 0
      nextDuration += kind.hasDuration ? 1 : 0
      nextFact += 1
    }
  }

  /// Appends the facts of the device at hand in order of time, and goes on to the next device.
  mutating func take(into facts: inout [WakeFact]) {
    let count = Int(counts[nextDevice])
    facts.append(addingCapacity: count) { facts in
      for _ in 0..<count { facts.append(takeFact()) }
    }
    nextDevice += 1
    arrive()
  }

  @inline(__always)
  private mutating func takeFact() -> WakeFact {
    let kind = kindList[Int(kinds[nextFact])]
    var fact = WakeFact(
      at: Timestamp(rawValue: times[nextFact]), what: kind.what, place: kind.place, push: 0, milliseconds: -1)
    if kind.hasPush {
      fact.push = pushIDs[nextPush]
      nextPush += 1
    }
    if kind.hasDuration {
      fact.milliseconds = Int32(truncatingIfNeeded: durations[nextDuration])
      nextDuration += 1
    }
    nextFact += 1
    return fact
  }
}

/// The pushes of all devices of the week, whichever is at hand.
extension WakeWeek {
  /// The devices that were sent pushes about a release, in order.
  func pushedDevices(about release: Int64) -> [UInt64] {
    let isAbout = kindList.map { WakeFact.pushedRelease($0.what) == release }
    var (found, fact): ([UInt64], Int) = ([], 0)
    for index in 0..<(isAbout.contains(true) ? devices.count : 0) {
      let end = fact + Int(counts[index])
      if (fact..<end).contains(where: { isAbout[Int(kinds[$0])] }) { found.append(JourneyShard.hash(devices[index])) }
      fact = end
    }
    return found
  }

  /// The ids under which pushes were sent, in order.
  var sentIDs: [UInt64] {
    var (isSent, push) = ([Bool](repeating: false, count: ids.count), 0)
    for fact in 0..<kinds.count {
      let kind = kindList[Int(kinds[fact])]
      guard kind.hasPush else { continue }
      if WakeFact.isSent(kind.what) { isSent[Int(pushes[push])] = true }
      push += 1
    }
    return isSent.indices.filter { isSent[$0] }.map { JourneyShard.hash(ids[$0]) }
  }

  /// Whether any id of a push, whatever was said of it, is among others, in ascending order.
  func names(anyOf others: [UInt64]) -> Bool {
    var next = 0
    for index in 0..<ids.count {
      let id = JourneyShard.hash(ids[index])
      while next < others.count, others[next] < id { next += 1 }
      if next == others.count { return false }
      if others[next] == id { return true }
    }
    return false
  }
}

extension WakeShard {
  /// The releases that pushes of a packed shard are about; it need not be checked yet.
  static func pushedReleases(_ parts: PackedParts) -> Set<Int64> {
    let whats = parts.read(Part.kindWhats.rawValue) { PackedColumn.count($0) == nil ? [] : PackedColumn.unpack($0) }
    return Set(whats.compactMap(WakeFact.pushedRelease))
  }
}

extension WakeFact {
  static let durationBit: Int64 = 11
  static let pushBit: Int64 = 12

  static func isSent(_ what: Int64) -> Bool { what & 31 == Int64(Stage.pushSent.code) }

  /// The release that it is about, of a sent push that names one.
  static func pushedRelease(_ what: Int64) -> Int64? {
    isSent(what) && what >> 17 != 0 ? what >> 17 : nil
  }
}
