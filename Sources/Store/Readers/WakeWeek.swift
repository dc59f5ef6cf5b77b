import Lifecycle

/// One shard's facts of one week as they lie packed, beside those that are not folded yet; gone through in device order.
struct WakeWeek {
  /// The device at hand; means nothing once all are done.
  private(set) var device: UInt64 = 0
  private(set) var isDone = false
  /// Where facts of the device at hand lie.
  private var (isStored, isAdded) = (false, false)
  private let devices, counts, times, kinds, pushes, pushHashes, durations: PackedView
  /// By kind.
  private let whats, places: [Int64]
  private let added: WakeShard
  // Where the device at hand, or the next after it, has its first.
  private var (nextDevice, nextFact, nextPush, nextDuration, nextAdded) = (0, 0, 0, 0, 0)

  init(_ parts: PackedParts, _ added: WakeShard) {
    func view(_ part: WakeShard.Part) -> PackedView { PackedView(parts.bytes(part.rawValue)) }
    func values(_ part: WakeShard.Part) -> [Int64] { parts.read(part.rawValue) { PackedColumn.unpack($0) } }
    (devices, counts, times, kinds) = (view(.devices), view(.counts), view(.times), view(.kinds))
    (pushes, pushHashes, durations) = (view(.pushes), view(.pushHashes), view(.durations))
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

  /// Whether any device was sent a push about a release.
  func hasPushes(about release: Int64) -> Bool {
    whats.contains { WakeFact.pushedRelease($0) == release }
      || added.facts.contains { WakeFact.pushedRelease($0.what) == release }
  }

  /// Whether the device at hand was sent a push about a release.
  func isPushed(about release: Int64) -> Bool {
    if isAdded, added.facts(nextAdded).contains(where: { WakeFact.pushedRelease($0.what) == release }) { return true }
    guard isStored else { return false }
    for fact in nextFact..<nextFact + Int(counts[nextDevice])
    where WakeFact.pushedRelease(whats[Int(kinds[fact])]) == release { return true }
    return false
  }

  mutating func skip() {
    if isStored {
      let end = nextFact + Int(counts[nextDevice])
      while nextFact < end { pass(whats[Int(kinds[nextFact])]) }
      nextDevice += 1
    }
    if isAdded { nextAdded += 1 }
    arrive()
  }

  /// Passes over the devices before another.
  mutating func skip(to other: UInt64) { while !isDone, device < other { skip() } }

  private mutating func pass(_ what: Int64) {
    nextFact += 1
    nextPush += Int(what >> WakeFact.pushBit & 1)
    nextDuration += Int(what >> WakeFact.durationBit & 1)
  }

  /// Appends the facts of the device at hand in order of time, each once, and goes on to the next device.
  mutating func take(into facts: inout [WakeFact]) {
    let start = facts.count
    let others = isAdded ? added.facts(nextAdded) : []
    if isStored {
      let end = nextFact + Int(counts[nextDevice])
      while nextFact < end { facts.append(takeFact()) }
      nextDevice += 1
    }
    if !others.isEmpty {
      facts.replaceSubrange(start..., with: Set(facts[start...]).union(others).sorted())
      nextAdded += 1
    }
    arrive()
  }

  private mutating func takeFact() -> WakeFact {
    let kind = Int(kinds[nextFact])
    var fact = WakeFact(
      at: Timestamp(rawValue: times[nextFact]), what: whats[kind], place: places[kind], push: 0, milliseconds: -1)
    if fact.hasPush { fact.push = JourneyShard.hash(pushHashes[Int(pushes[nextPush])]) }
    if fact.hasDuration { fact.milliseconds = Int32(truncatingIfNeeded: durations[nextDuration]) }
    pass(fact.what)
    return fact
  }
}

extension WakeShard {
  /// The releases that pushes of a packed shard are about.
  static func pushedReleases(_ parts: PackedParts) -> Set<Int64> {
    let whats = parts.read(Part.kindWhats.rawValue) { PackedColumn.unpack($0) }
    return Set(whats.compactMap(WakeFact.pushedRelease))
  }
}

extension WakeFact {
  static let durationBit: Int64 = 11
  static let pushBit: Int64 = 12

  /// The release that it is about, of a sent push that names one.
  static func pushedRelease(_ what: Int64) -> Int64? {
    what & 31 == Int64(Stage.pushSent.code) && what >> 17 != 0 ? what >> 17 : nil
  }
}
