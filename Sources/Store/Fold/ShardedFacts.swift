/// A fact about one device.
protocol OfDevice {
  var device: UInt64 { get }
}

/// Names a shard: which of the 64, and of what.
protocol ShardPlace: Mixed, Comparable {
  var shard: Int { get set }
}

/// Facts by the shard they change, each shard's in order of device and then of arrival: one array, sorted by counting.
struct ShardedFacts<Place: ShardPlace, Fact: OfDevice> {
  private let facts: [Fact]
  private let ranges: [Place: Range<Int>]

  var keys: Dictionary<Place, Range<Int>>.Keys { ranges.keys }
  subscript(place: Place) -> ArraySlice<Fact>? { ranges[place].map { facts[$0] } }
  /// In order of place.
  var sorted: [(place: Place, facts: ArraySlice<Fact>)] {
    ranges.keys.sorted().map { place in (place, self[place] ?? []) }
  }

  /// Leaves nothing behind in `gathered`.
  init(_ gathered: inout GatheredFacts<Place, Fact>) {
    let starts = gathered.starts
    var facts = gathered.takeByShard(starts)
    var ranges: [Place: Range<Int>] = [:]
    for (bucket, place) in gathered.places where starts[bucket] < starts[bucket + 1] {
      ranges[place] = starts[bucket]..<starts[bucket + 1]
    }
    facts.withUnsafeMutableBufferPointer { facts in
      var sorter = DeviceSort<Fact>()
      for range in ranges.values { sorter.sort(UnsafeMutableBufferPointer(rebasing: facts[range])) }
    }
    self.facts = facts
    self.ranges = ranges
  }
}

/// Facts in the order in which they are read, each with the number of its shard.
struct GatheredFacts<Place: ShardPlace, Fact: OfDevice> {
  private var groups = Numbering<Place>()
  private var facts: [Fact] = []
  private var buckets: [UInt32] = []
  private var counts: [Int] = []

  /// - Parameter place: of any shard; the fact's own is put into it.
  mutating func add(_ fact: Fact, _ place: Place) {
    var group = place
    group.shard = 0
    let bucket = groups.number(group) * Shards.count + Shards.shard(fact.device)
    if bucket >= counts.count { counts += repeatElement(0, count: Shards.count) }
    counts[bucket] += 1
    buckets.append(UInt32(bucket))
    facts.append(fact)
  }

  /// Where each bucket begins; one more at the end.
  var starts: [Int] {
    var total = 0
    return [0]
      + counts.map { count in
        total += count
        return total
      }
  }

  var places: [(bucket: Int, place: Place)] {
    groups.keys.enumerated().flatMap { number, group in
      (0..<Shards.count).map { shard in
        var place = group
        place.shard = shard
        return (number * Shards.count + shard, place)
      }
    }
  }

  mutating func takeByShard(_ starts: [Int]) -> [Fact] {
    var next = starts
    let sorted = [Fact](unsafeUninitializedCapacity: facts.count) { room, initialized in
      guard let start = room.baseAddress else { return }
      for (index, bucket) in buckets.enumerated() {
        (start + next[Int(bucket)]).initialize(to: facts[index])
        next[Int(bucket)] += 1
      }
      initialized = facts.count
    }
    facts = []
    buckets = []
    return sorted
  }
}

/// Sorts the facts of a shard by device, equal devices in the order they are in.
///
/// Hashes of devices are even, so counting their next bits puts nearly everything in its place; what is left is done by
/// insertion. Where hashes are not even, by an ordinary sort.
struct DeviceSort<Fact: OfDevice> {
  private var spread: [Fact] = []
  private var next: [Int] = []

  mutating func sort(_ facts: UnsafeMutableBufferPointer<Fact>) {
    if facts.count > 32 { scatter(facts) }
    guard !Self.insert(facts) else { return }
    var facts = facts
    facts.sort { $0.device < $1.device }
  }

  private mutating func scatter(_ facts: UnsafeMutableBufferPointer<Fact>) {
    let bits = UInt64(Int.bitWidth - facts.count.leadingZeroBitCount)
    func cell(_ fact: Fact) -> Int { Int((fact.device << Shards.bits) >> (64 - bits)) }
    next.removeAll(keepingCapacity: true)
    next.append(contentsOf: repeatElement(0, count: 1 << Int(bits) + 1))
    spread.removeAll(keepingCapacity: true)
    spread.append(contentsOf: facts)
    for fact in facts { next[cell(fact) + 1] += 1 }
    for index in next.indices.dropFirst() { next[index] += next[index - 1] }
    for fact in spread {
      let place = cell(fact)
      facts[next[place]] = fact
      next[place] += 1
    }
  }

  /// False where that would take too long.
  private static func insert(_ facts: UnsafeMutableBufferPointer<Fact>) -> Bool {
    var moves = 16 * facts.count
    for index in facts.indices.dropFirst() where facts[index].device < facts[index - 1].device {
      let fact = facts[index]
      var place = index
      while place > 0, fact.device < facts[place - 1].device {
        facts[place] = facts[place - 1]
        place -= 1
      }
      facts[place] = fact
      moves -= index - place
      if moves < 0 { return false }
    }
    return true
  }
}
