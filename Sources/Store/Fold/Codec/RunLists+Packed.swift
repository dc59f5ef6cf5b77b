import Lifecycle

/// Contact runs in the `device` table: five packed columns.
extension RunLists {
  /// The numbers of their parts.
  struct Parts {
    let counts, keyPlaces, keys, starts, lengths: Int64
    var all: Set<Int64> { [counts, keyPlaces, keys, starts, lengths] }

    /// What nearly all contacts make.
    static let settled = Parts(counts: 1, keyPlaces: 2, keys: 3, starts: 4, lengths: 5)
    /// What came since those were written: in large shards they are not written anew for a few contacts.
    static let recent = Parts(counts: 20, keyPlaces: 21, keys: 22, starts: 23, lengths: 24)
  }

  func packed(as parts: Parts) -> [(part: Int64, bytes: [UInt8])] {
    let (keys, keyPlaces) = listedKeys
    return [
      (parts.counts, PackedColumn.pack(lengthsOf: offsets)), (parts.keyPlaces, PackedColumn.pack(keyPlaces)),
      (parts.keys, PackedColumn.pack(keys) { Int64(bitPattern: $0) }),
      (parts.starts, PackedColumn.pack(runs) { $0.start.rawValue }),
      (parts.lengths, PackedColumn.pack(runs) { ($0.end - $0.start).rawValue }),
    ]
  }

  /// The keys that occur, in order, and where each run's lies among them.
  private var listedKeys: (keys: [UInt64], places: [Int64]) {
    var numbering = Numbering<RunKey>()
    let numbers = runs.map { numbering.number(RunKey(key: $0.key)) }
    let order = numbering.keys.indices.sorted { numbering.keys[$0].key < numbering.keys[$1].key }
    var places = [Int64](repeating: 0, count: order.count)
    for (place, number) in order.enumerated() { places[number] = Int64(place) }
    return (order.map { numbering.keys[$0].key }, numbers.map { places[$0] })
  }

  struct RunKey: Mixed {
    var key: UInt64
    var mix: Int { Int(truncatingIfNeeded: key ^ key >> 26 ^ key >> 34 &* 41) }
  }

  /// Empty lists where there are none in the parts, which must have been checked.
  init(_ read: PackedParts, as parts: Parts) {
    read.read(parts.counts) { PackedColumn.unpack(lengths: $0, into: &offsets) }
    let keys = read.read(parts.keys) { PackedColumn.unpack($0) }
    let (places, starts, lengths) = (read.view(parts.keyPlaces), read.view(parts.starts), read.view(parts.lengths))
    runs.reserveCapacity(starts.count)
    for index in 0..<starts.count {
      let start = Timestamp(rawValue: starts[index])
      runs.append(
        ContactRun(
          key: UInt64(bitPattern: keys[Int(places[index])]), start: start,
          end: start + Milliseconds(rawValue: lengths[index])))
    }
  }

  /// All that is stored of some devices.
  ///
  /// - Parameter places: theirs among the devices of the parts.
  init(_ read: PackedParts, at places: [Int]) {
    let settled = Parts.settled
    var known: [Int] = []
    read.read(settled.counts) { PackedColumn.unpack(lengths: $0, into: &known) }
    let keys = read.read(settled.keys) { PackedColumn.unpack($0) }
    let (numbers, starts) = (read.view(settled.keyPlaces), read.view(settled.starts))
    let (lengths, recent) = (read.view(settled.lengths), RunLists(read, as: .recent))
    for place in places {
      let range = place + 1 < known.count ? known[place]..<known[place + 1] : 0..<0
      let own = range.map { run in
        ContactRun(
          key: UInt64(bitPattern: keys[Int(numbers[run])]), start: Timestamp(rawValue: starts[run]),
          end: Timestamp(rawValue: starts[run] + lengths[run]))
      }
      runs += recent.runs.isEmpty ? own : own.union(recent[place])
      offsets.append(runs.count)
    }
  }
}
