import Lifecycle

/// Finds the devices of a shard of which more was heard, since they were summarised or after the cut-off, than that they are
/// still there.
///
/// A release that ended asks when devices were there before its end, what they first said after it was published, and when they ran
/// it. Of a device that spoke after the end, and before the limit, later contacts change none of this, as long as they
/// say what it ran already; what it said before the publication, and may say again, is told by `ChangeSpan.early`. Finds too many
/// rather than too few. Costs a look at each device and at each first time of the releases. Tested in
/// Tests/QueryTests/EndedReleasesTests against counting everything from devices.
struct ChangedDevices {
  private let span: ChangeSpan
  private var found: [UInt64] = []
  /// A device that has an outline. Where it was not heard of late, no journey says anything late: what it is told by was a
  /// contact.
  private var isAnyHeardLate = false

  /// - Parameters:
  ///   - outlines: as they were known.
  ///   - facts: what came since, in order of device.
  init(
    _ outlines: DeviceOutlines, _ facts: ArraySlice<DeviceFact>, _ profiles: ProfileTable, _ span: ChangeSpan
  ) {
    self.span = span
    var next = facts.startIndex
    for (index, device) in outlines.devices.enumerated() {
      while next < facts.endIndex, facts[next].device < device {
        found.append(facts[next].device)
        next += 1
      }
      let first = next
      while next < facts.endIndex, facts[next].device == device { next += 1 }
      isAnyHeardLate = isAnyHeardLate || isHeard(outlines, index, after: span.late)
      if first == next, outlines.channels[index] != 0, !isHeard(outlines, index, after: span.limit) { continue }
      if !isSettled(outlines, index) || !Self.isPlain(facts[first..<next], outlines, index, profiles) {
        found.append(device)
      }
    }
    found += facts[next...].map(\.device)
  }

  /// All of them.
  init(all devices: [UInt64], _ span: ChangeSpan) { (self.span, found) = (span, devices) }

  /// In order.
  var devices: [UInt64] {
    var unique: [UInt64] = []
    for device in found.sorted() where unique.last != device { unique.append(device) }
    return unique
  }
}

// MARK: by outlines

extension ChangedDevices {
  @inline(__always)
  private func isHeard(_ outlines: DeviceOutlines, _ index: Int, after instant: Int64) -> Bool {
    outlines.channels[index] != 0 && outlines.spanEnds[outlines.spanOffsets[index + 1] - 1] > instant
  }

  /// Whether nothing that was heard after the limit, or later than what was known, can bear on what ended.
  private func isSettled(_ outlines: DeviceOutlines, _ index: Int) -> Bool {
    guard outlines.channels[index] != 0, outlines.births[index] != DeviceOutlines.unclear,
      outlines.births[index] == 0 || outlines.birthTimes[index] <= span.limit
    else { return false }
    if !outlines.buckets.isEmpty, outlines.buckets[index] != .max, outlines.buckets[index] >> 7 > span.limit {
      return false
    }
    return lastKnown(outlines, index) > span.ended
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

  /// Whether facts about a device lengthen its last span and say nothing new of it but what it applied.
  private static func isPlain(
    _ facts: ArraySlice<DeviceFact>, _ outlines: DeviceOutlines, _ index: Int, _ profiles: ProfileTable
  ) -> Bool {
    if facts.isEmpty { return true }
    var (last, running) = (outlines.spanEnds[outlines.spanOffsets[index + 1] - 1], outlines.running[index])
    for fact in facts.count == 1 ? facts : facts.sorted(by: { $0.at < $1.at })[...] {
      let said = ContactRun(key: fact.key, start: fact.at, end: fact.at)
      guard fact.at.rawValue > last, fact.at.rawValue - last < DeviceOutlines.longestSilence.rawValue,
        said.channel == outlines.channels[index], !profiles.moves(outlines, index, Int64(fact.profile)),
        outlines.buckets.isEmpty || fact.bucket >= outlines.buckets[index]
      else { return false }
      switch said.claim {
      case .silent: break
      case .running: guard said.release == running else { return false }
      case .applied: running = said.release
      case .rolledBack: return false
      }
      last = fact.at.rawValue
    }
    return true
  }
}

// MARK: by journeys

extension ChangedDevices {
  /// The first of them counts as a claim.
  private static let claims: [Milestone] = [.applied, .confirmed, .running]

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
      note(journeys, journeys.column(milestone) ?? []) { $0 &+ 1 > limit + 1 }
    }
    let bucketLimit = span.late << 7 | 127
    note(journeys, journeys.buckets) { $0 &+ 1 > bucketLimit + 1 }
  }

  private mutating func noteEarly(_ journeys: JourneyShard, before instant: Int64) {
    for milestone in Self.claims {
      note(journeys, journeys.column(milestone) ?? []) { $0 < instant << 3 }
    }
  }

  /// - Parameter isMet: adding one to what never happened makes it the least of all numbers.
  @inline(__always)
  private mutating func note(_ journeys: JourneyShard, _ column: [Int64], _ isMet: (Int64) -> Bool) {
    // Without branches, so that several are looked at at once: nearly always there is none.
    var met = 0
    for value in column { met &+= isMet(value) ? 1 : 0 }
    guard met > 0 else { return }
    for (index, value) in column.enumerated() where isMet(value) { found.append(journeys.devices[index]) }
  }

  /// First times that were not known, and earlier ones; of failures at one instant the reason may be another.
  private mutating func noteChanged(_ journeys: JourneyShard, _ facts: ArraySlice<JourneyFact>) {
    var join = SortedJoin(journeys.devices)
    for fact in facts {
      guard let index = join.index(of: fact.device) else {
        found.append(fact.device)
        continue
      }
      let known = journeys.first(fact.milestone, index).rawValue
      let isKnown = fact.milestone == .failed ? known < fact.first : known <= fact.first
      let bucket = journeys.buckets.isEmpty ? .max : journeys.buckets[index]
      if !isKnown || fact.namedBucket >= 0 && fact.bucket < bucket { found.append(fact.device) }
    }
  }
}
