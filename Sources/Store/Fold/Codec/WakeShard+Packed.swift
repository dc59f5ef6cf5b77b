import Lifecycle

/// The parts of a wake shard in the `wake` table, each a packed column.
///
/// Kinds and pushes are lists of what occurs; facts hold their places in them. Pushes and durations have an element only
/// for the facts that have one, which their kind tells.
extension WakeShard {
  enum Part: Int64, CaseIterable {
    case devices, counts, times, kinds, kindWhats, kindPlaces, pushes, pushHashes, durations
  }

  private struct Kind: Mixed, Comparable {
    var what: Int64
    var place: Int64
    var mix: Int { Int(truncatingIfNeeded: what ^ what >> 8 ^ what >> 17 &+ place ^ place >> 32 &* 31) }
    static func < (left: Self, right: Self) -> Bool { (left.what, left.place) < (right.what, right.place) }
  }

  var packed: [(part: Int64, bytes: [UInt8])] {
    let (kinds, kindPlaces) = listed(facts.map { Kind(what: $0.what, place: $0.place) })
    let (pushes, pushPlaces) = listed(facts.lazy.filter(\.hasPush).map { PushKey(hash: $0.push) })
    func packed(_ part: Part) -> [UInt8] {
      switch part {
      case .devices: PackedColumn.pack(devices, JourneyShard.ordered)
      case .counts: PackedColumn.pack(lengthsOf: offsets)
      case .times: PackedColumn.pack(facts) { $0.at.rawValue }
      case .kinds: PackedColumn.pack(kindPlaces)
      case .kindWhats: PackedColumn.pack(kinds) { $0.what }
      case .kindPlaces: PackedColumn.pack(kinds) { $0.place }
      case .pushes: PackedColumn.pack(pushPlaces)
      case .pushHashes: PackedColumn.pack(pushes) { JourneyShard.ordered($0.hash) }
      case .durations: PackedColumn.pack(facts.filter(\.hasDuration)) { Int64($0.milliseconds) }
      }
    }
    return Part.allCases.map { (part: $0.rawValue, bytes: packed($0)) }
  }

  private struct PushKey: Mixed, Comparable {
    var hash: UInt64
    var mix: Int { Int(truncatingIfNeeded: hash) }
    static func < (left: Self, right: Self) -> Bool { left.hash < right.hash }
  }

  /// What occurs, in order, and where each key lies in it.
  private func listed<Key: Mixed & Comparable>(_ keys: some Sequence<Key>) -> (keys: [Key], places: [Int64]) {
    var numbering = Numbering<Key>()
    let numbers = keys.map { numbering.number($0) }
    let order = numbering.keys.indices.sorted { numbering.keys[$0] < numbering.keys[$1] }
    var places = [Int64](repeating: 0, count: order.count)
    for (place, number) in order.enumerated() { places[number] = Int64(place) }
    return (order.map { numbering.keys[$0] }, numbers.map { places[$0] })
  }

  /// - Parameter read: calls back with the bytes of a part.
  init(packed read: (Int64, (UnsafeRawBufferPointer) -> Void) throws(StoreError) -> Void) throws(StoreError) {
    var columns = [[Int64]](repeating: [], count: Part.allCases.count)
    for part in Part.allCases {
      try read(part.rawValue) { columns[Int(part.rawValue)] = PackedColumn.unpack($0) }
    }
    func column(_ part: Part) -> [Int64] { columns[Int(part.rawValue)] }
    devices = column(.devices).map(JourneyShard.hash)
    for count in column(.counts) { offsets.append(offsets[offsets.count - 1] + Int(count)) }
    let (times, kinds) = (column(.times), column(.kinds))
    let (whats, places) = (column(.kindWhats), column(.kindPlaces))
    let (pushes, hashes, durations) = (column(.pushes), column(.pushHashes), column(.durations))
    var (push, duration) = (0, 0)
    facts.reserveCapacity(times.count)
    for index in times.indices {
      let kind = Int(kinds[index])
      var fact = WakeFact(
        at: Timestamp(rawValue: times[index]), what: whats[kind], place: places[kind], push: 0, milliseconds: -1)
      if fact.hasPush {
        fact.push = JourneyShard.hash(hashes[Int(pushes[push])])
        push += 1
      }
      if fact.hasDuration {
        fact.milliseconds = Int32(truncatingIfNeeded: durations[duration])
        duration += 1
      }
      facts.append(fact)
    }
  }
}
