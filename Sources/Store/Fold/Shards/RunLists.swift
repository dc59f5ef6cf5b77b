import Lifecycle

/// The contact runs of a shard's devices, those of one device behind those of another.
struct RunLists {
  /// Where each device's runs begin in `runs`; one more at the end.
  var offsets: [Int] = [0]
  /// Of each device in order of key and start, none touching the next of its key.
  var runs: [ContactRun] = []

  subscript(index: Int) -> ArraySlice<ContactRun> { runs[offsets[index]..<offsets[index + 1]] }

  private mutating func append(_ more: [ContactRun]) {
    runs += more
    offsets.append(runs.count)
  }

  /// Those of some devices in a row, at once.
  private mutating func append(_ other: RunLists, _ range: Range<Int>) {
    if range.isEmpty { return }
    runs += other.runs[other.offsets[range.lowerBound]..<other.offsets[range.upperBound]]
    offsets.append(other.offsets, range)
  }

  private mutating func reserve(_ devices: Int, runs count: Int) {
    offsets.reserveCapacity(devices + 1)
    runs.reserveCapacity(count)
  }

  /// What both say of the same devices.
  func union(_ other: RunLists) -> RunLists {
    if other.runs.isEmpty { return self }
    var (both, next) = (RunLists(), 0)
    both.reserve(offsets.count, runs: runs.count + other.runs.count)
    for index in 0..<offsets.count - 1 where other.offsets[index] < other.offsets[index + 1] {
      both.append(self, next..<index)
      both.runs.add(self[index], other[index])
      both.offsets.append(both.runs.count)
      next = index + 1
    }
    both.append(self, next..<offsets.count - 1)
    return both
  }

  /// With more contacts in them, for these devices and those of the facts, in order.
  ///
  /// - Parameters:
  ///   - facts: in order of device.
  ///   - known: whose runs these are; of nobody where there are none at all.
  func merging(_ facts: ArraySlice<DeviceFact>, of known: [UInt64]) -> RunLists {
    var stored = self
    if runs.isEmpty { stored.offsets = Array(repeating: 0, count: known.count + 1) }
    var (merged, own) = (RunLists(), [ContactRun]())
    merged.reserve(known.count, runs: runs.count)
    var (old, next) = (0, facts.startIndex)
    while next < facts.endIndex {
      let device = facts[next].device
      let place = known.firstPlace(from: old) { $0 >= device }
      merged.append(stored, old..<place)
      old = place
      own.removeAll(keepingCapacity: true)
      if old < known.count, known[old] == device {
        own += stored[old]
        old += 1
      }
      while next < facts.endIndex, facts[next].device == device {
        own.note(facts[next].key, at: facts[next].at)
        next += 1
      }
      merged.append(own)
    }
    merged.append(stored, old..<known.count)
    return merged
  }
}

extension ContactRun {
  fileprivate var place: (UInt64, Timestamp) { (key, start) }

  /// Whether a run that begins no earlier is the same one.
  fileprivate func reaches(_ next: ContactRun) -> Bool {
    key == next.key && next.start - end <= Self.longestSilence
  }
}

extension [ContactRun] {
  /// What both say of one device.
  func union(_ more: ArraySlice<ContactRun>) -> [ContactRun] {
    var both: [ContactRun] = []
    both.add(self[...], more)
    return both
  }

  /// Takes in, behind all there are, what two lists say of one device.
  fileprivate mutating func add(_ own: ArraySlice<ContactRun>, _ more: ArraySlice<ContactRun>) {
    if more.isEmpty { return append(contentsOf: own) }
    let first = count
    var (one, other) = (own.startIndex, more.startIndex)
    while one < own.endIndex || other < more.endIndex {
      let isOwn = other == more.endIndex || one < own.endIndex && own[one].place <= more[other].place
      let run = isOwn ? own[one] : more[other]
      if isOwn { one += 1 } else { other += 1 }
      if count > first, self[count - 1].reaches(run) {
        self[count - 1].end = Swift.max(self[count - 1].end, run.end)
      } else {
        append(run)
      }
    }
  }

  /// Puts in a contact; runs stay in order of key and start, and none touches the next of its key.
  mutating func note(_ key: UInt64, at: Timestamp) {
    let next = firstPlace { ($0.key, $0.start) > (key, at) }
    if next > 0, self[next - 1].key == key, at - self[next - 1].end <= ContactRun.longestSilence {
      self[next - 1].end = Swift.max(self[next - 1].end, at)
      join(next)
    } else if next < count, self[next].key == key, self[next].start - at <= ContactRun.longestSilence {
      self[next].start = at
    } else {
      insert(ContactRun(key: key, start: at, end: at), at: next)
    }
  }

  /// Makes one of a run and the one before it where a contact closed the gap between them.
  private mutating func join(_ next: Int) {
    guard next < count, self[next - 1].reaches(self[next]) else { return }
    self[next - 1].end = Swift.max(self[next - 1].end, self[next].end)
    remove(at: next)
  }
}
