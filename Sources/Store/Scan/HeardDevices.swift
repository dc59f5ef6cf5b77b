import Lifecycle

/// Finds the devices of a shard that may count otherwise than a summary says, by what was heard since.
///
/// Who was heard of lately, and then again on its channel, running what it ran and saying nothing else, is there as it was: it has
/// been reachable all the time, and its time at risk ends where the cutoff does; and who was silent for long and was heard of again only
/// after the cutoff is silent still. Everything else counts twice: who is new or
/// was silent for long, comes late, says another release, channel, platform or bucket, or what a journey is told by; and whose
/// contact may be its first word since a publication, or the first beyond the cutoff. Finds too many rather than too few. Tested
/// in Tests/QueryTests/OpenSummaryTests against counting everything from devices.
struct HeardDevices {
  let stored: DeviceLookup
  let profiles: ProfileTable
  let span: HeardSpan

  /// Those of some devices; in order.
  ///
  /// - Parameters:
  ///   - some: in order, and so are all others.
  ///   - contacts: all of them that are not folded.
  ///   - told: devices with news of their journeys.
  func changed(of some: [UInt64], _ contacts: HeardContacts, told: [UInt64], unsettled: [UInt64]) -> [UInt64] {
    var (changed, place, contacts) = ([UInt64](), 0, contacts)
    var (told, unsettled) = (SortedJoin(told), SortedJoin(unsettled))
    for device in some {
      contacts.goOn(to: device)
      place = stored.devices.firstPlace(from: place) { $0 >= device }
      let isKnown = place < stored.devices.count && stored.devices[place] == device
      let (isTold, isUnsettled) = (told.index(of: device) != nil, unsettled.index(of: device) != nil)
      if !isKnown || isTold || isUnsettled && (span.looksAtSleepers || !isAsleep(contacts, place))
        || !isPlain(contacts, place)
      {
        changed.append(device)
      }
    }
    return changed
  }

  /// Devices with news of their journeys on a release; some more than once.
  ///
  /// Which bucket a journey names is no news where its device named the same before: who asks for buckets asks the device where the journey
  /// names none. An earlier one than the journey's comes late, and is found by that.
  ///
  /// - Parameter facts: in order of device.
  func told(_ facts: ArraySlice<JourneyFact>, asksBuckets: Bool) -> [UInt64] {
    var (told, place) = ([UInt64](), 0)
    for fact in facts {
      if fact.milestone != .running {
        told.append(fact.device)
      } else if asksBuckets, fact.namedBucket >= 0 {
        place = stored.devices.firstPlace(from: place) { $0 >= fact.device }
        let isKnown = place < stored.devices.count && stored.devices[place] == fact.device
        if !isKnown || !stored.knows(fact, place) { told.append(fact.device) }
      }
    }
    return told
  }

  /// Those of some devices, in order, that were known to be emulators.
  func emulators(of some: [UInt64]) -> [UInt64] {
    stored.places(of: some).filter { profiles.isEmulator(stored.profiles($0)) }.map { stored.devices[$0] }
  }

  /// Whether nothing was heard of it for longer than the reach window before the cutoff, and something after it: at the cutoff it is
  /// as it was when it was summarised.
  private func isAsleep(_ contacts: HeardContacts, _ index: Int) -> Bool {
    let limit = span.cutOff - span.patience.rawValue - 2 * HeardSpan.tolerance.rawValue
    guard stored.channels[index] != 0, let last = stored.lastContact(index) else { return false }
    return !contacts.isEmpty && last <= limit && contacts.areAll(after: span.cutOff)
  }

  private func isPlain(_ contacts: HeardContacts, _ index: Int) -> Bool {
    guard stored.channels[index] != 0, stored.births[index] != DeviceOutlines.unclear,
      var last = stored.lastContact(index), isAwake(index, last, contacts), !contacts.isOvertaken
    else { return false }
    var previous: DeviceFact?
    return contacts.allSatisfy { fact in
      defer { (last, previous) = (fact.at.rawValue, fact) }
      return isPlain(fact, index, after: last, previous)
    }
  }

  private func isAwake(_ index: Int, _ last: Int64, _ contacts: HeardContacts) -> Bool {
    if let since = span.steadySince { return last > since && !profiles.nameSeveralPlatforms(stored.profiles(index)) }
    return last > span.cutOff - span.patience.rawValue || contacts.areAll(after: span.cutOff)
  }

  private func isPlain(_ fact: DeviceFact, _ index: Int, after last: Int64, _ previous: DeviceFact?) -> Bool {
    let said = fact.said
    let beyond = span.cutOff + HeardSpan.tolerance.rawValue
    guard fact.follows(max(last, span.ended?.ended ?? .min), previous), said.channel == stored.channels[index],
      stored.has(profile: Int64(fact.profile), index) || !profiles.moves(stored.profiles(index), Int64(fact.profile)),
      stored.buckets.count == 0 || fact.bucket >= stored.buckets[index],
      span.steadySince != nil || fact.at.rawValue <= beyond || last > beyond
    else { return false }
    switch said.claim {
    case .silent: return true
    case .running: return said.release == stored.running[index]
    case .applied, .rolledBack: return false
    }
  }
}
