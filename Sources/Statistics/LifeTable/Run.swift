/// So many entries or exits of one kind at one tick in one word, which sorts by tick, then kind.
///
/// A table is a list of them: it costs 8 bytes where somebody came or went, however far apart ticks are. More than 127
/// of a kind at a tick take several, in any order.
///
///     tick (51 bits)  kind (5)  count (7)
///
/// Frozen: files that hold runs are in the world.
enum Run {
  /// Kind 0 enters, 1...15 are causes, 16... are censorings.
  static let kinds = 32
  static let entry = 0
  static let firstReason = 16
  static let lastTick: Tick = 1 << 51 - 1
  private static let countBits: Int64 = 7
  static let mostAtOnce: Int64 = 1 << countBits - 1

  static func kind(_ ending: Ending) -> Int {
    switch ending {
    case .event(let cause): Int(cause.rawValue)
    case .censored(let reason): firstReason + reason.column
    }
  }

  static func key(_ kind: Int, at tick: Tick) -> Int64 { min(tick, lastTick) << 5 | Int64(kind) }

  @inline(__always) static func tick(_ run: Int64) -> Tick { run >> (countBits + 5) }
  @inline(__always) static func kind(_ run: Int64) -> Int { kind(ofKey: key(run)) }
  @inline(__always) static func kind(ofKey key: Int64) -> Int { Int(key & 31) }
  @inline(__always) static func key(_ run: Int64) -> Int64 { run >> countBits }
  @inline(__always) static func run(_ count: Int64, ofKey key: Int64) -> Int64 { key << countBits | count }
  @inline(__always) static func count(_ run: Int64) -> Int64 { run & mostAtOnce }

  /// Whether an exit of this kind is an event of one of the causes.
  @inline(__always) static func isEvent(_ kind: Int, _ causes: CauseSet) -> Bool {
    causes.kinds >> UInt32(kind) & 1 == 1
  }
}

extension [Int64] {
  mutating func append(_ count: Int64, ofKey key: Int64) {
    var left = count
    while left > 0 {
      let part = Swift.min(left, Run.mostAtOnce)
      append(Run.run(part, ofKey: key))
      left -= part
    }
  }

  /// With one run for each tick and kind, or as many as its count takes: the same whatever it was put together from.
  var compacted: [Int64] {
    var (compact, place) = ([Int64](), 0)
    compact.reserveCapacity(count)
    while place < count {
      let key = Run.key(self[place])
      var sum: Int64 = 0
      while place < count, Run.key(self[place]) == key {
        sum += Run.count(self[place])
        place += 1
      }
      compact.append(sum, ofKey: key)
    }
    return compact
  }

  /// Two lists of runs as one; within a tick and kind the order does not matter.
  func merged(_ other: [Int64]) -> [Int64] {
    if isEmpty || other.isEmpty { return isEmpty ? other : self }
    let (long, short) = count >= other.count ? (self, other) : (other, self)
    if short.count * 32 <= long.count { return long.inserting(short) }
    return unsafe [Int64](unsafeUninitializedCapacity: count + other.count) { target, filled in
      unsafe merge(span, other.span, into: target)
      filled = count + other.count
    }
  }

  /// What lies between two of the few is moved at once.
  private func inserting(_ few: [Int64]) -> [Int64] {
    var (all, place) = ([Int64](), 0)
    all.reserveCapacity(count + few.count)
    for run in few {
      let end = partitioningIndex(from: place) { $0 > run }
      all += self[place..<end]
      all.append(run)
      place = end
    }
    all += self[place...]
    return all
  }
}

extension [Int64] {
  /// Ascending runs less others, of which none may be more than there is.
  func without(_ others: [Int64]) -> [Int64] {
    var (kept, place, rest) = ([Int64](), 0, others[...])
    kept.reserveCapacity(count)
    while let key = rest.first.map(Run.key) {
      let end = rest.firstIndex { Run.key($0) != key } ?? rest.endIndex
      var out = rest[..<end].reduce(0) { $0 + Run.count($1) }
      rest = rest[end...]
      let first = partitioningIndex(from: place) { Run.key($0) >= key }
      kept += self[place..<first]
      place = first
      while out > 0 {
        precondition(place < count && Run.key(self[place]) == key, "more was taken out than was put in")
        let taken = Swift.min(out, Run.count(self[place]))
        kept.append(Run.count(self[place]) - taken, ofKey: key)
        (out, place) = (out - taken, place + 1)
      }
    }
    kept += self[place...]
    return kept
  }
}

private func merge(
  _ left: Span<Int64>, _ right: Span<Int64>, into target: UnsafeMutableBufferPointer<Int64>
) {
  var (i, j, place) = (0, 0, 0)
  while i < left.count, j < right.count {
    // Which list is next cannot be predicted, so nothing branches on it.
    let isLeft = left[i] <= right[j] ? 1 : 0
    unsafe target[place] = isLeft == 1 ? left[i] : right[j]
    i += isLeft
    j += 1 - isLeft
    place += 1
  }
  while i < left.count {
    unsafe target[place] = left[i]
    (i, place) = (i + 1, place + 1)
  }
  while j < right.count {
    unsafe target[place] = right[j]
    (j, place) = (j + 1, place + 1)
  }
}
