import Lifecycle
import Testing

@testable import Query
@testable import Store

/// Devices that went on from where they were are told by their last contact before a summary: nothing that they said before it is read. How
/// right that is `RestlessTests` tell; here, that it is done.
@Suite struct ResumedTests {
  @Test func readsNothingOfWhatWasSaidBeforeTheLastContact() throws {
    let (fleet, last) = try resumed()
    let since = Self.begin + .days(8) + .hours(1)
    #expect(try spans(fleet, last, since: nil) == StagedFleet.devices * 2)
    #expect(try spans(fleet, last, since: since) == StagedFleet.devices)
    // Somebody may have spoken only after it.
    #expect(try spans(fleet, last, since: Self.begin + .days(8) - .hours(1)) == StagedFleet.devices * 2)
  }

  /// Columns that are well packed, and hold what nobody can say.
  @Test(arguments: [(10, 1 << 40), (17, 1 << 40), (18, 1 << 60), (18, .min + 1)])
  func readsTheRestWhereAColumnIsDamaged(_ part: Int64, _ number: Int64) throws {
    let (fleet, last) = try resumed()
    try spoil(fleet.databases[0].path, part, number)
    #expect(try spans(fleet, last, since: Self.begin + .days(8) + .hours(1)) == StagedFleet.devices * 2)
  }

  private func spoil(_ path: String, _ part: Int64, _ number: Int64) throws {
    let connection = try Connection(path: path, mode: .write)
    let set = try connection.prepare("UPDATE device SET packed = ? WHERE rowid = ?")
    let columns = try connection.prepare("SELECT rowid, packed FROM device WHERE part = ?").rows(.integer(part)) {
      (row: $0.integer(0), bytes: $0.blob(1))
    }
    for column in columns {
      let count = column.bytes.withUnsafeBytes(PackedColumn.unpack).count
      try set.run(.blob(PackedColumn.pack(Array(repeating: number, count: count))), .integer(column.row))
    }
  }

  private static let begin = LivingFleet.epoch + .days(4)

  /// Devices that applied a release and say a day later that they run it, and the number of the last event before that.
  private func resumed() throws -> (fleet: StagedFleet, last: Int64) {
    let fleet = try StagedFleet()
    let path = fleet.databases[0].path
    try fleet.say(.check, 0, at: Self.begin)
    try fleet.say(.applied, 2, at: Self.begin + .days(8))
    try EventLog(path: path).settle()
    let last = try #require(try Snapshot(path: path).lastSorted(upTo: nil))
    try fleet.say(.check, 2, at: Self.begin + .days(9))
    return (fleet, last)
  }

  /// Spans of contacts that are shown of the devices as they were.
  private func spans(_ fleet: StagedFleet, _ last: Int64, since: Timestamp?) throws -> Int {
    let snapshot = try Snapshot(path: fleet.databases[0].path)
    var span = HeardSpan(last: last, cutOff: (LivingFleet.epoch + .days(14)).rawValue, unsettled: [])
    (span.looksAtAll, span.resumesSince) = (true, since?.rawValue)
    let need = Need(app: LivingFleet.app, .everybody, journeys: [:], devices: [.runs])
    return try snapshot.scan(need, span, start: 0) { $0 += $1.changes?.earlier.devices.spanStarts.count ?? 0 }
      .reduce(0, +)
  }
}
