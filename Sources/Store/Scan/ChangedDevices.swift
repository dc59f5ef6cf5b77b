import Lifecycle

/// Finds the devices of a shard of which more was heard, since they were summarised or after the cutoff, than that they are
/// still there.
///
/// A release that ended asks when devices were there before its end, what they first said after it was published, and when they ran
/// it. Later contacts change none of this as long as they come after the end and say what the device ran already; what it said
/// before the publication, and may say again, is told by `ChangeSpan.early`. Where outlines do not tell what a device said when, in
/// contacts after the cutoff, another between the end and the limit makes sure of that. Finds too many rather than too few. Costs a
/// look at each device, and at first times of the releases in shards where these may tell something. Tested in
/// Tests/QueryTests/EndedReleasesTests against counting everything from devices.
struct ChangedDevices {
  private let span: ChangeSpan
  private var found: [UInt64] = []
  /// Devices that were not known before, in order.
  private var fresh: [UInt64] = []
  /// Where no device was heard of late, no journey says anything late: what it is told by was a contact.
  private var isAnyHeardLate = false

  /// - Parameters:
  ///   - outlines: as they were known.
  ///   - facts: what came since, in order of device.
  ///   - lastContact: of a device that has no outline.
  init(
    _ outlines: DeviceOutlines, _ facts: ArraySlice<DeviceFact>, _ profiles: ProfileTable, _ span: ChangeSpan,
    lastContact: (Int) throws -> Int64
  ) rethrows {
    self.span = span
    var next = facts.startIndex
    for (index, device) in outlines.devices.enumerated() {
      while next < facts.endIndex, facts[next].device < device {
        note(fresh: facts[next].device)
        next += 1
      }
      let first = next
      while next < facts.endIndex, facts[next].device == device { next += 1 }
      let last = try outlines.lastContact(index) ?? lastContact(index)
      isAnyHeardLate = isAnyHeardLate || last > span.late
      if first == next, last <= span.limit { continue }
      if !isWhole(outlines, index)
        || last > span.limit && !span.areNewerLate && lastKnown(outlines, index) <= span.ended
        || !isPlain(facts[first..<next], outlines, index, profiles)
      {
        found.append(device)
      }
    }
    for fact in facts[next...] { note(fresh: fact.device) }
  }

  private mutating func note(fresh device: UInt64) { if fresh.last != device { fresh.append(device) } }

  /// All of them.
  init(all devices: [UInt64], _ span: ChangeSpan) { (self.span, found) = (span, devices) }

  /// None of which anything was known before.
  var areAllNew: Bool { found.isEmpty }

  /// In order.
  var devices: [UInt64] {
    var unique: [UInt64] = []
    for device in (found + fresh).sorted() where unique.last != device { unique.append(device) }
    return unique
  }
}

// MARK: by outlines

extension ChangedDevices {
  /// Whether everything that bears on what ended is told by its outline, and was known before the limit.
  private func isWhole(_ outlines: DeviceOutlines, _ index: Int) -> Bool {
    guard outlines.channels[index] != 0, outlines.births[index] != DeviceOutlines.unclear,
      outlines.births[index] == 0 || outlines.birthTimes[index] <= span.limit
    else { return false }
    return outlines.buckets.isEmpty || outlines.buckets[index] == .max || outlines.buckets[index] >> 7 <= span.limit
  }

  /// There was a contact then or later, up to the limit; `.min` where none is known. Spans hold silences of less than the margin.
  private func lastKnown(_ outlines: DeviceOutlines, _ index: Int) -> Int64 {
    for place in (outlines.spanOffsets[index]..<outlines.spanOffsets[index + 1]).reversed() {
      let (start, end) = (outlines.spanStarts[place], outlines.spanEnds[place])
      if end <= span.limit { return end }
      if start <= span.limit { return max(start, span.limit - ChangeSpan.margin.rawValue) }
    }
    return .min
  }

  /// Whether facts about a device come after all others, and after the end, and say nothing new of it but what it applied.
  private func isPlain(
    _ facts: ArraySlice<DeviceFact>, _ outlines: DeviceOutlines, _ index: Int, _ profiles: ProfileTable
  ) -> Bool {
    if facts.isEmpty { return true }
    var (last, running) = (outlines.spanEnds[outlines.spanOffsets[index + 1] - 1], outlines.running[index])
    var previous: DeviceFact?
    for fact in facts.count == 1 ? facts : facts.sorted(by: { $0.at < $1.at })[...] {
      let said = fact.said
      guard fact.follows(max(last, span.ended), previous), said.channel == outlines.channels[index],
        !profiles.moves(outlines, index, Int64(fact.profile)),
        outlines.buckets.isEmpty || fact.bucket >= outlines.buckets[index]
      else { return false }
      switch said.claim {
      case .silent: break
      case .running: guard said.release == running else { return false }
      case .applied: running = said.release
      case .rolledBack: return false
      }
      (last, previous) = (fact.at.rawValue, fact)
    }
    return true
  }
}

// MARK: by journeys

extension ChangedDevices {
  /// - Parameters:
  ///   - journeys: as they were known.
  ///   - facts: about the same, in order of device.
  mutating func note(_ journeys: JourneyShard, _ facts: ArraySlice<JourneyFact>?, _ place: ChangeSpan.Place) {
    if span.releases.contains(place.release) {
      if isAnyHeardLate { noteLate(journeys) }
      if let facts { noteChanged(journeys, facts) }
    }
    if let instant = span.early[place] { noteEarly(journeys, before: instant) }
  }

  private mutating func noteLate(_ journeys: JourneyShard) {
    let limit = span.late << 3 | 7
    for milestone in Milestone.allCases {
      note(journeys, journeys.column(milestone) ?? []) { first, index in
        first &+ 1 > limit + 1 && (index.map { milestone != .running || !journeys.isNamed($0, before: first) } ?? true)
      }
    }
    let bucketLimit = span.late << 7 | 127
    note(journeys, journeys.buckets) { bucket, _ in bucket &+ 1 > bucketLimit + 1 }
  }

  private mutating func noteEarly(_ journeys: JourneyShard, before instant: Int64) {
    for milestone in JourneyShard.claims {
      note(journeys, journeys.column(milestone) ?? []) { first, _ in first < instant << 3 }
    }
  }

  /// - Parameter isMet: adding one to what never happened makes it the least of all numbers. Told no index at first, when it may say
  ///   yes too often.
  @inline(__always)
  private mutating func note(_ journeys: JourneyShard, _ column: [Int64], _ isMet: (Int64, Int?) -> Bool) {
    // Without branches, so that several are looked at at once: nearly always there is none.
    var met = 0
    for value in column { met &+= isMet(value, nil) ? 1 : 0 }
    guard met > 0 else { return }
    for (index, value) in column.enumerated() where isMet(value, index) { found.append(journeys.devices[index]) }
  }

  /// First times that were not known, and earlier ones; of failures at one instant the reason may be another.
  private mutating func noteChanged(_ journeys: JourneyShard, _ facts: ArraySlice<JourneyFact>) {
    var join = SortedJoin(journeys.devices)
    for fact in facts {
      guard let index = join.index(of: fact.device) else {
        if fresh.index(ofDevice: fact.device) == nil { found.append(fact.device) }
        continue
      }
      let bucket = journeys.buckets.isEmpty ? .max : journeys.buckets[index]
      if !Self.isKnown(fact, journeys, index) || fact.namedBucket >= 0 && fact.bucket < bucket {
        found.append(fact.device)
      }
    }
  }

  private static func isKnown(_ fact: JourneyFact, _ journeys: JourneyShard, _ index: Int) -> Bool {
    let known = journeys.first(fact.milestone, index).rawValue
    if fact.milestone == .running, journeys.isNamed(index, before: fact.first) { return true }
    return fact.milestone == .failed ? known < fact.first : known <= fact.first
  }
}
