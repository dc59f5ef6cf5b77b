/// Events as the columns of an archive, and back.
///
/// Times as distances: a receipt from the one before, an event's own time from its receipt. Hashes as places in a sorted
/// list of those that occur.
enum ArchiveLayout {
  private static var plain: [WritableKeyPath<EventRow, Int64>] {
    [
      \.context, \.release, \.stage, \.trigger, \.outcome, \.reason, \.duration, \.bytes, \.from, \.bucket,
    ]
  }

  static func columns(_ events: ArchivedEvents) -> [[UInt64]] {
    let rows = events.rows
    let devices = Listed(rows.map { UInt64(bitPattern: $0.device) })
    let pushes = Listed(rows.compactMap { $0.push == EventRow.none ? nil : UInt64(bitPattern: $0.push) })
    let received = rows.map { $0.received == EventRow.none ? $0.at : $0.received }
    return [
      distances(events.sequences), distances(received),
      rows.map { $0.received == EventRow.none ? 0 : Folded64.zigzag($0.received &- $0.at) &+ 1 },
      devices.gaps, rows.map { devices.place(UInt64(bitPattern: $0.device)) },
      pushes.gaps, rows.map { $0.push == EventRow.none ? 0 : pushes.place(UInt64(bitPattern: $0.push)) + 1 },
    ] + plain.map { path in rows.map { Folded64.fold($0[keyPath: path]) } }
  }

  static func read(_ reader: inout ArchiveBytes, into events: inout ArchivedEvents) throws(DamagedArchive) {
    events.sequences = sums(try ArchiveColumn.read(&reader))
    let (received, lags) = (sums(try ArchiveColumn.read(&reader)), try ArchiveColumn.read(&reader))
    let devices = Listed(gaps: try ArchiveColumn.read(&reader))
    let deviceOf = try ArchiveColumn.read(&reader)
    let pushes = Listed(gaps: try ArchiveColumn.read(&reader))
    let pushOf = try ArchiveColumn.read(&reader)
    let count = events.sequences.count
    guard received.count == count, lags.count == count, deviceOf.count == count, pushOf.count == count else {
      throw DamagedArchive("its columns differ in length")
    }
    var row = EventRow.empty
    for index in 0..<count {
      let isReceived = lags[index] != 0
      row.received = isReceived ? received[index] : EventRow.none
      row.at = isReceived ? received[index] &- Folded64.signed(lags[index] &- 1) : received[index]
      row.device = Int64(bitPattern: try devices.hash(deviceOf[index]))
      row.push = pushOf[index] == 0 ? EventRow.none : Int64(bitPattern: try pushes.hash(pushOf[index] - 1))
      events.rows.append(row)
    }
    for path in plain {
      let column = try ArchiveColumn.read(&reader)
      guard column.count == count else { throw DamagedArchive("its columns differ in length") }
      for index in 0..<count { events.rows[index][keyPath: path] = Folded64.unfold(column[index]) }
    }
    for index in 0..<count { events.rows[index].identity = events.rows[index].standIn(events.sequences[index]) }
  }

  private static func distances(_ values: [Int64]) -> [UInt64] {
    var last: Int64 = 0
    return values.map { value in
      defer { last = value }
      return Folded64.zigzag(value &- last)
    }
  }

  private static func sums(_ distances: [UInt64]) -> [Int64] {
    var last: Int64 = 0
    return distances.map { distance in
      last = last &+ Folded64.signed(distance)
      return last
    }
  }

  /// Hashes that occur, ascending.
  private struct Listed {
    private let hashes: [UInt64]
    private let places: [UInt64: UInt64]

    init(_ all: [UInt64]) {
      hashes = Set(all).sorted()
      places = Dictionary(uniqueKeysWithValues: hashes.enumerated().map { ($1, UInt64($0)) })
    }

    init(gaps: [UInt64]) {
      var last: UInt64 = 0
      hashes = gaps.map { gap in
        last = last &+ gap
        return last
      }
      places = [:]
    }

    var gaps: [UInt64] {
      var last: UInt64 = 0
      return hashes.map { hash in
        defer { last = hash }
        return hash &- last
      }
    }

    func place(_ hash: UInt64) -> UInt64 { places[hash] ?? 0 }

    func hash(_ place: UInt64) throws(DamagedArchive) -> UInt64 {
      guard place < UInt64(hashes.count) else { throw DamagedArchive("a hash is missing") }
      return hashes[Int(place)]
    }
  }
}

extension EventRow {
  fileprivate static let empty = EventRow(
    at: 0, received: 0, device: 0, context: 0, release: none, stage: 0, trigger: 0, outcome: none, reason: none,
    duration: none, identity: 0, push: none, bytes: none, from: none, bucket: none)
}
