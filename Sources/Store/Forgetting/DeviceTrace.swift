import Glibc
import Lifecycle

/// Everything that single events, in the table and in archives, say of some devices.
struct DeviceTrace {
  struct Traced {
    var sequence: Int64
    var row: EventRow
    var isInTable: Bool
  }

  private(set) var events: [Traced] = []
  let devices: Set<UInt64>
  private let stretches: [(device: UInt64, numbers: ClosedRange<Int64>)]
  let watermark: Int64
  /// Archives that are written anew, by the number of the removal: which of their events stay.
  private var kept: [Int64: [Bool]] = [:]
  private var digests: [Int64: [UInt8]] = [:]
  /// Whether archives lack events of the devices already: a backup was restored, and they were forgotten after it was
  /// made. What these events added to counts and first sightings cannot be told from them any more.
  private(set) var isPartlyGone = false

  init(_ devices: Set<UInt64>, _ connection: borrowing Connection) throws(StoreError) {
    self.devices = devices
    watermark = try Watermark.read(connection)
    stretches = try Trails.stretches(devices, connection)
    let select = try connection.prepare(
      """
      SELECT seq, at, received, device, context, release, stage, trigger, outcome, reason, duration, id_hash, push, bytes,
        from_release, bucket FROM event WHERE seq BETWEEN ?1 AND ?2 AND device = ?3
      """)
    for (device, numbers) in stretches {
      let last = min(numbers.upperBound, watermark)
      events += try select.rows(
        .integer(numbers.lowerBound), .integer(last), .integer(Int64(bitPattern: device)), row: Traced.init)
    }
    guard !devices.isEmpty else { return }
    let tail = try connection.prepare(
      """
      SELECT seq, at, received, device, context, release, stage, trigger, outcome, reason, duration, id_hash, push, bytes,
        from_release, bucket FROM event WHERE seq > ?1
      """)
    tail.bind(1, watermark)
    while try tail.step() {
      guard devices.contains(UInt64(bitPattern: tail.integer(3))) else { continue }
      events.append(Traced(tail.row))
    }
  }

  /// Takes in what archives hold of the devices, and writes those archives anew beside themselves.
  mutating func readArchives(_ keys: IdentityKeys, _ connection: borrowing Connection) throws(StoreError) {
    var known = Set(events.map(\.sequence))
    for removed in try Removed.all(connection) {
      guard let path = removed.archive, mayHold(removed) else { continue }
      guard let archived = try archived(removed, path, keys) else { continue }
      if try wasWrittenAnew(removed, archived, keys, connection) {
        isPartlyGone = true
        digests[removed.id] = archived.origin?.digest
        kept[removed.id] = archived.rows.map { _ in true }
      }
      let rest = archived.without(devices)
      guard rest.rows.count < archived.rows.count else { continue }
      for (sequence, row) in zip(archived.sequences, archived.rows)
      where devices.contains(UInt64(bitPattern: row.device)) && known.insert(sequence).inserted {
        events.append(Traced(sequence: sequence, row: row, isInTable: false))
      }
      let bytes = try Archive.pack(rest, keys, before: removed.before)
      try Archive.save(bytes, at: ArchiveSwap.next(path), ownedLike: path)
      digests[removed.id] = Archive.digest(of: bytes)
      kept[removed.id] = archived.rows.map { !devices.contains(UInt64(bitPattern: $0.device)) }
    }
  }

  /// nil where a removal was only planned and wrote nothing there: whatever else has the name is none of ours.
  private func archived(
    _ removed: Removed, _ path: String, _ keys: IdentityKeys
  ) throws(StoreError) -> ArchivedEvents? {
    guard removed.state == .planned else { return try Archive.load(path, keys) }
    unlink(path + ".part")
    let found = Archive.readable(path, keys)
    return removed.left(found) ? found : nil
  }

  private func wasWrittenAnew(
    _ removed: Removed, _ archived: ArchivedEvents, _ keys: IdentityKeys, _ connection: borrowing Connection
  ) throws(StoreError) -> Bool {
    guard removed.state != .planned, removed.left(archived), archived.rows.count < removed.events else { return false }
    return try !removed.wrote(archived, keys, connection)
  }

  private func mayHold(_ removed: Removed) -> Bool {
    stretches.contains { $0.numbers.overlaps(removed.first...removed.last) }
  }

  func countArchives(_ connection: borrowing Connection) throws(StoreError) {
    let update = try connection.prepare("UPDATE removed SET events = ? WHERE id = ?")
    for (id, stays) in kept {
      try update.run(.integer(Int64(stays.count(where: \.self))), .integer(id))
      try Removed.setDigest(digests[id], of: id, connection)
      let identities = try Removed.identities(of: id, connection)
      guard identities.count == stays.count else { continue }
      try Removed.setIdentities(zip(identities, stays).filter(\.1).map(\.0), of: id, connection)
    }
  }

  /// Those that the fold has counted.
  var folded: [Traced] { events.filter { $0.sequence <= watermark } }
}

extension DeviceTrace.Traced {
  init(_ row: borrowing Row) { self.init(sequence: row.integer(0), row: EventRow(row, from: 1), isInTable: true) }
}
