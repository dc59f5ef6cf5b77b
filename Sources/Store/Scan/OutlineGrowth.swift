import Lifecycle

/// What contacts that are not folded make of outlines, without the runs these were derived from.
///
/// Most contacts come after all others of their device, on its channel, and say what it runs already, or that it applied
/// something: spans grow by them, and nothing else changes that an outline tells. Nearly all of these make the last span
/// longer, which is done where it lies. Devices of which anything else is said are left for who reads their runs.
struct OutlineGrowth {
  /// Devices that were known and have spans or profiles more, with their new outlines.
  private(set) var grown = DeviceOutlines()
  /// Facts about all other devices, in order of device.
  private(set) var rest: [DeviceFact] = []
  var restDevices: [UInt64] { rest.map(\.device) }
  /// Whether any of these is stored.
  private(set) var needsRuns = false
  private let hasBuckets: Bool
  private var own: [DeviceFact] = []

  /// - Parameters:
  ///   - outlines: where devices grow that keep their number of spans and profiles.
  ///   - facts: in order of device.
  init(_ outlines: inout DeviceOutlines, _ facts: ArraySlice<DeviceFact>, _ columns: DeviceColumns) {
    hasBuckets = columns.contains(.buckets)
    var (place, next) = (0, facts.startIndex)
    while next < facts.endIndex {
      let device = facts[next].device
      let end = facts[next...].firstIndex { $0.device != device } ?? facts.endIndex
      place = outlines.devices.firstPlace(from: place) { $0 >= device }
      let isKnown = place < outlines.devices.count && outlines.devices[place] == device
      own.removeAll(keepingCapacity: true)
      own += facts[next..<end]
      if own.count > 1 { own.sort { $0.at < $1.at } }
      if isKnown, let running = running(outlines, place) {
        if !extends(&outlines, place, running: running) { add(outlines, place, running: running) }
      } else {
        rest += facts[next..<end]
        needsRuns = needsRuns || isKnown
      }
      next = end
    }
  }

  /// What the device runs after its new contacts; nil where spans alone do not tell what these change.
  private func running(_ outlines: DeviceOutlines, _ index: Int) -> Int64? {
    let channel = outlines.channels[index]
    guard channel != 0, outlines.spanOffsets[index] < outlines.spanOffsets[index + 1] else { return nil }
    let last = outlines.spanEnds[outlines.spanOffsets[index + 1] - 1]
    return Self.running(after: own, in: channel, from: last, outlines.running[index])
  }

  /// - Parameters:
  ///   - contacts: of one device, in order of time.
  ///   - last: its last contact before.
  ///   - known: what it ran then.
  ///   - applies: whether it may say that it applied a release.
  static func running(
    after contacts: some Sequence<DeviceFact>, in channel: Int64, from last: Int64, _ known: Int64,
    applies: (Int64) -> Bool = { _ in true }
  ) -> Int64? {
    var (last, running) = (last, known)
    var previous: DeviceFact?
    for fact in contacts {
      let said = fact.said
      guard fact.follows(last, previous), said.channel == channel else { return nil }
      switch said.claim {
      case .silent: break
      case .running: guard said.release == running else { return nil }
      case .applied:
        guard applies(said.release) else { return nil }
        running = said.release
      case .rolledBack: return nil
      }
      (last, previous) = (fact.at.rawValue, fact)
    }
    return running
  }

  /// False, and nothing changed, where the device has a span or a profile more.
  private func extends(_ outlines: inout DeviceOutlines, _ index: Int, running: Int64) -> Bool {
    let last = outlines.spanOffsets[index + 1] - 1
    let sightings = outlines.profileOffsets[index]..<outlines.profileOffsets[index + 1]
    var end = outlines.spanEnds[last]
    for fact in own {
      guard fact.at - Timestamp(rawValue: end) < DeviceOutlines.longestSilence,
        sightings.contains(where: { outlines.profiles[$0] == Int64(fact.profile) })
      else { return false }
      end = fact.at.rawValue
    }
    outlines.spanEnds[last] = end
    outlines.running[index] = running
    if hasBuckets { outlines.buckets[index] = own.reduce(outlines.buckets[index]) { min($0, $1.bucket) } }
    return true
  }

  private mutating func add(_ old: DeviceOutlines, _ index: Int, running: Int64) {
    grown.devices.append(old.devices[index])
    grown.channels.append(old.channels[index])
    grown.births.append(old.births[index])
    grown.birthTimes.append(old.birthTimes[index])
    grown.running.append(running)
    addSpans(old, old.spanOffsets[index]..<old.spanOffsets[index + 1])
    addProfiles(old, old.profileOffsets[index]..<old.profileOffsets[index + 1])
    if hasBuckets { grown.buckets.append(own.reduce(old.buckets[index]) { min($0, $1.bucket) }) }
  }

  private mutating func addSpans(_ old: DeviceOutlines, _ range: Range<Int>) {
    grown.spanStarts += old.spanStarts[range]
    grown.spanEnds += old.spanEnds[range]
    for fact in own {
      let last = grown.spanEnds.count - 1
      if fact.at - Timestamp(rawValue: grown.spanEnds[last]) < DeviceOutlines.longestSilence {
        grown.spanEnds[last] = fact.at.rawValue
      } else {
        grown.spanStarts.append(fact.at.rawValue)
        grown.spanEnds.append(fact.at.rawValue)
      }
    }
    grown.spanOffsets.append(grown.spanStarts.count)
  }

  private mutating func addProfiles(_ old: DeviceOutlines, _ range: Range<Int>) {
    let first = grown.profiles.count
    grown.profiles += old.profiles[range]
    grown.profileTimes += old.profileTimes[range]
    for fact in own {
      let profile = Int64(fact.profile)
      if let known = grown.profiles[first...].firstIndex(of: profile) {
        grown.profileTimes[known] = min(grown.profileTimes[known], fact.at.rawValue)
      } else {
        let place = grown.profiles[first...].firstIndex { $0 > profile } ?? grown.profiles.endIndex
        grown.profiles.insert(profile, at: place)
        grown.profileTimes.insert(fact.at.rawValue, at: place)
      }
    }
    grown.profileOffsets.append(grown.profiles.count)
  }
}
