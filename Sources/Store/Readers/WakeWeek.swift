import Lifecycle

/// One shard's facts of one week as they lie packed, beside those that are not folded yet; gone through in device order.
struct WakeWeek {
  /// The device at hand; means nothing once all are done.
  private(set) var device: UInt64 = 0
  private(set) var isDone = false
  /// Where facts of the device at hand lie.
  private var (isStored, isAdded) = (false, false)
  private let devices, counts, times, kinds, pushes, durations: PackedView
  /// The ids of pushes, in order. They are looked up all over the place, which is quick only where they lie unpacked.
  private let ids: [UInt64]
  /// By kind.
  private let whats, places: [Int64]
  private let added: WakeShard
  // Where the device at hand, or the next after it, has its first.
  private var (nextDevice, nextFact, nextPush, nextDuration, nextAdded) = (0, 0, 0, 0, 0)

  init(_ parts: PackedParts, _ added: WakeShard) {
    func view(_ part: WakeShard.Part) -> PackedView { parts.view(part.rawValue) }
    func values(_ part: WakeShard.Part) -> [Int64] { parts.read(part.rawValue) { PackedColumn.unpack($0) } }
    (devices, counts, times, kinds) = (view(.devices), view(.counts), view(.times), view(.kinds))
    (pushes, durations) = (view(.pushes), view(.durations))
    ids = parts.read(WakeShard.Part.pushHashes.rawValue) { bytes in
      var ids: [UInt64] = []
      PackedColumn.unpack(bytes, into: &ids, JourneyShard.hash)
      return ids
    }
    (whats, places) = (values(.kindWhats), values(.kindPlaces))
    self.added = added
    arrive()
  }

  /// Finds out which device is at hand.
  private mutating func arrive() {
    let stored = nextDevice < devices.count ? JourneyShard.hash(devices[nextDevice]) : nil
    let other = nextAdded < added.devices.count ? added.devices[nextAdded] : nil
    isDone = stored == nil && other == nil
    device = min(stored ?? .max, other ?? .max)
    (isStored, isAdded) = (stored == device, other == device)
  }

  /// Passes over the devices before another.
  mutating func skip(to other: UInt64) {
    guard !isDone, device < other else { return }
    var end = nextFact
    while nextDevice < devices.count, JourneyShard.hash(devices[nextDevice]) < other {
      end += Int(counts[nextDevice])
      nextDevice += 1
    }
    pass(to: end)
    while nextAdded < added.devices.count, added.devices[nextAdded] < other { nextAdded += 1 }
    arrive()
  }

  /// Passes over facts.
  private mutating func pass(to end: Int) {
    var (push, duration) = (nextPush, nextDuration)
    for fact in nextFact..<end {
      let what = whats[Int(kinds[fact])]
      push += Int(what >> WakeFact.pushBit & 1)
      duration += Int(what >> WakeFact.durationBit & 1)
    }
    (nextFact, nextPush, nextDuration) = (end, push, duration)
  }

  /// Appends the facts of the device at hand in order of time, each once, and goes on to the next device.
  mutating func take(into facts: inout [WakeFact]) {
    let start = facts.count
    if isStored {
      let end = nextFact + Int(counts[nextDevice])
      while nextFact < end { facts.append(takeFact()) }
      nextDevice += 1
    }
    if isAdded {
      facts.replaceSubrange(start..., with: Set(facts[start...]).union(added.facts(nextAdded)).sorted())
      nextAdded += 1
    }
    arrive()
  }

  private mutating func takeFact() -> WakeFact {
    let kind = Int(kinds[nextFact])
    var fact = WakeFact(
      at: Timestamp(rawValue: times[nextFact]), what: whats[kind], place: places[kind], push: 0, milliseconds: -1)
    if fact.hasPush { fact.push = ids[Int(pushes[nextPush])] }
    if fact.hasDuration { fact.milliseconds = Int32(truncatingIfNeeded: durations[nextDuration]) }
    pass(to: nextFact + 1)
    return fact
  }
}

/// The pushes of all devices of the week, whichever is at hand.
extension WakeWeek {
  /// The devices that were sent pushes about a release; those of one part of the week in order, each once.
  func pushedDevices(about release: Int64) -> [UInt64] {
    let isAbout = whats.map { WakeFact.pushedRelease($0) == release }
    var (found, fact): ([UInt64], Int) = ([], 0)
    for index in 0..<(isAbout.contains(true) ? devices.count : 0) {
      let end = fact + Int(counts[index])
      if (fact..<end).contains(where: { isAbout[Int(kinds[$0])] }) { found.append(JourneyShard.hash(devices[index])) }
      fact = end
    }
    for (index, device) in added.devices.enumerated()
    where added.facts(index).contains(where: { WakeFact.pushedRelease($0.what) == release }) { found.append(device) }
    return found
  }

  /// The ids under which pushes were sent; of each part of the week in order.
  var sentIDs: [UInt64] {
    var (isSent, push) = ([Bool](repeating: false, count: ids.count), 0)
    for fact in 0..<kinds.count {
      let what = whats[Int(kinds[fact])]
      guard what >> WakeFact.pushBit & 1 == 1 else { continue }
      if WakeFact.isSent(what) { isSent[Int(pushes[push])] = true }
      push += 1
    }
    let unfolded = added.facts.filter { WakeFact.isSent($0.what) && $0.hasPush }.map(\.push)
    return ids.indices.filter { isSent[$0] }.map { ids[$0] } + unfolded.sorted()
  }

  /// Whether any id of a push, whatever was said of it, is among others, in ascending order; what is not folded is not
  /// looked at.
  func names(anyOf others: [UInt64]) -> Bool {
    var next = 0
    for id in ids {
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
