import Lifecycle

/// Finds the devices of a shard that may count otherwise than a summary says, by what was heard since.
///
/// Who was heard of lately, and then again on its channel, running what it ran and saying nothing else, is there as it was: it has
/// been reachable all the time, and its time at risk ends where the cut-off does. Everything else counts twice: who is new or
/// was silent for long, comes late, says another release, channel, platform or bucket, or what a journey is told by; and whose
/// contact may be its first word since a publication, or the first beyond the cut-off. Finds too many rather than too few. Tested
/// in Tests/QueryTests/OpenSummaryTests against counting everything from devices.
struct HeardDevices {
  let outlines: DeviceOutlines
  let profiles: ProfileTable
  let span: HeardSpan

  /// Those of some devices; in order.
  ///
  /// - Parameters:
  ///   - some: in order.
  ///   - facts: everything about them that is not folded, in order of device.
  ///   - told: devices with news of their journeys.
  func changed(of some: [UInt64], _ facts: [DeviceFact], told: Set<UInt64>, unsettled: Set<UInt64>) -> [UInt64] {
    var (changed, place, next) = ([UInt64](), 0, 0)
    for device in some {
      while next < facts.count, facts[next].device < device { next += 1 }
      let first = next
      while next < facts.count, facts[next].device == device { next += 1 }
      place = outlines.devices.firstPlace(from: place) { $0 >= device }
      let isKnown = place < outlines.devices.count && outlines.devices[place] == device
      if !isKnown || told.contains(device) || unsettled.contains(device) || !isPlain(facts[first..<next], place) {
        changed.append(device)
      }
    }
    return changed
  }

  /// The newest contact that is stored; nil where the outline does not tell.
  func lastContact(_ index: Int) -> Int64? {
    let spans = outlines.spanOffsets[index]..<outlines.spanOffsets[index + 1]
    return outlines.channels[index] == 0 || spans.isEmpty ? nil : outlines.spanEnds[spans.upperBound - 1]
  }

  private func isPlain(_ facts: ArraySlice<DeviceFact>, _ index: Int) -> Bool {
    guard var last = lastContact(index), outlines.births[index] != DeviceOutlines.unclear,
      last > span.cutOff - HeardSpan.silence.rawValue
    else { return false }
    for fact in facts.count == 1 ? facts : facts.sorted(by: { $0.at < $1.at })[...] {
      guard isPlain(fact, index, after: last) else { return false }
      last = fact.at.rawValue
    }
    return true
  }

  private func isPlain(_ fact: DeviceFact, _ index: Int, after last: Int64) -> Bool {
    let said = ContactRun(key: fact.key, start: fact.at, end: fact.at)
    let (running, beyond) = (outlines.running[index], span.cutOff + HeardSpan.tolerance.rawValue)
    guard fact.at.rawValue > last, said.channel == outlines.channels[index],
      !profiles.moves(outlines, index, Int64(fact.profile)),
      outlines.buckets.isEmpty || fact.bucket >= outlines.buckets[index],
      fact.at.rawValue <= beyond || last > beyond
    else { return false }
    switch said.claim {
    case .silent: return true
    case .running: return said.release == running && last >= span.published[running] ?? .min
    case .applied, .rolledBack: return false
    }
  }
}
