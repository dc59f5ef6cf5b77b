import Lifecycle
import Testing

@testable import Store

/// Long columns of devices lie in rows of a page each: everything reads them as one, wherever they are cut.
@Suite struct ColumnPiecesTests {
  let scratch: Scratch
  let log: EventLog
  init() throws {
    scratch = try Scratch()
    log = try EventLog(path: scratch.database)
  }

  private static let runs = RunLists.Parts.settled

  /// Each column of devices, with its pieces one behind the other.
  private func columns() throws -> [(key: [Int64], bytes: [UInt8])] {
    let rows = try Connection(path: scratch.database, mode: .read).prepare(
      "SELECT app, shard, part, packed FROM device ORDER BY app, shard, part"
    ).rows { row in (key: [row.integer(0), row.integer(1), ColumnPieces.part(row.integer(2))], bytes: row.blob(3)) }
    var columns: [[Int64]: [UInt8]] = [:]
    for row in rows { columns[row.key, default: []] += row.bytes }
    return columns.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { (key: $0.key, bytes: $0.value) }
  }

  private func further() throws -> Int {
    Int(try count(scratch.database, "SELECT count(*) FROM device WHERE part >= 1 << 20"))
  }

  /// - Parameter length: of each piece but the last.
  private func cut(_ length: Int) throws {
    let connection = try Connection(path: scratch.database, mode: .write)
    let columns = try columns()
    let insert = try connection.prepare("INSERT INTO device VALUES (?, ?, ?, ?)")
    try connection.transaction { () throws(StoreError) in
      try connection.execute("DELETE FROM device")
      for (key, bytes) in columns {
        for row in ColumnPieces.rows(key[2], bytes, length: length) {
          try insert.run(key[0], key[1], row.part, bytes: row.bytes)
        }
      }
    }
  }

  // MARK: what is cut

  @Test(arguments: [14, 15, 20, 100]) func piecesAreOfOneLengthAndTheRest(_ length: Int) {
    for count in [0, 1, 2, 5, 6, 43, 86, 87] {
      let bytes = PackedColumn.pack((0..<Int64(count)).map { $0 * 300 })
      let rows = ColumnPieces.rows(Self.runs.starts, bytes, length: length)
      #expect(rows.flatMap(\.bytes) == bytes)
      #expect(rows.dropLast().allSatisfy { $0.bytes.count == length } && rows.allSatisfy { $0.bytes.count <= length })
      #expect(rows[0].part == Self.runs.starts && rows.allSatisfy { ColumnPieces.part($0.part) == Self.runs.starts })
      #expect(rows.map(\.part) == rows.indices.map { ColumnPieces.number($0, of: Self.runs.starts) })
    }
  }

  /// Columns that are read whole, and those that are mostly empty, stay in one row.
  @Test func othersAreNotCut() {
    let dense = PackedColumn.pack((0..<1000).map { $0 * 300 })
    let sparse = PackedColumn.pack((0..<1000).map { $0 % 3 == 0 ? $0 * 300 : PackedColumn.absent })
    #expect(ColumnPieces.rows(DeviceShard.Part.devices.rawValue, dense, length: 100).count == 1)
    #expect(ColumnPieces.rows(Self.runs.starts, sparse, length: 100).count == 1)
    #expect(ColumnPieces.rows(Self.runs.starts, dense, length: 100).count > 10)
  }

  // MARK: who reads them

  /// Whatever the length: answers, checks, a device that is forgotten, merges of both kinds.
  @Test(arguments: [14, 33, 150, 1_000_000]) func everythingReadsThemAsOne(_ length: Int) throws {
    let fleet = SmallFleet(600, seed: 21, shard: 5)
    _ = try log.append([fleet.part(0..<300)])
    try log.foldAll()
    try cut(length)
    #expect(try further() > 0 || length > 1000)
    try expectHolds(scratch.database, [fleet.part(0..<300)])
    expectSound(scratch.database)
    _ = try log.append([fleet.part(300..<400)])
    try log.sort()
    try log.merge(RecentLimit(leastSettled: 0, share: 0))
    try cut(length)
    try expectHolds(scratch.database, [fleet.part(0..<400)])
    _ = try log.append([fleet.part(400..<500)])
    try log.sort()
    try expectHolds(scratch.database, [fleet.part(0..<500)])
    let gone = fleet.devices[1]
    _ = try log.forget([gone], now: Timestamp(rawValue: fleet.end))
    try expectHolds(scratch.database, [fleet.part(0..<500) { $0.device != gone }])
    try cut(length)
    _ = try log.append([fleet.part(500..<600) { $0.device != gone }])
    try log.foldAll()
    try expectHolds(scratch.database, [fleet.part(0..<600) { $0.device != gone }])
    expectSound(scratch.database)
  }

  /// Any few numbers, across pieces or within one.
  @Test(arguments: [14, 17, 64]) func anyNumbersAreRead(_ length: Int) throws {
    _ = try log.append([SmallFleet(400, seed: 22, shard: 5).batch])
    try log.foldAll()
    let whole = try #require(try columns().first { $0.key[2] == Self.runs.starts })
    try cut(length)
    let numbers = whole.bytes.withUnsafeBytes { PackedColumn.unpack($0) }
    let connection = try Connection(path: scratch.database, mode: .read)
    let place = DevicePlace(shard: Int(whole.key[1]), app: whole.key[0])
    guard let column = try StoredColumn.open(DeviceRows(connection), place, Self.runs.starts) else {
      Issue.record("no column")
      return
    }
    let count = column.count
    #expect(count == numbers.count && numbers.count > 20)
    for start in numbers.indices {
      for end in start...numbers.count {
        let read = try column.numbers(start..<end)
        #expect(read == Array(numbers[start..<end]))
      }
    }
  }

  // MARK: who writes them

  /// A shard whose columns are longer than a page; and what is left once most of its devices are forgotten.
  @Test func longColumnsAreCutAndShrink() throws {
    let fleet = SmallFleet(20_000, seed: 23, shard: 5)
    _ = try log.append([fleet.batch])
    try log.foldAll()
    let longest = try count(scratch.database, "SELECT max(length(packed)) FROM device WHERE part IN (2, 4, 5)")
    #expect(try further() > 3 && longest == Int64(ColumnPieces.length))
    // A row of 20 bytes more, with its numbers, lies on one page of which 8 are a checksum and 35 SQLite's own.
    let page = try Connection(path: scratch.database, mode: .read).integer("PRAGMA page_size")
    #expect(Int64(ColumnPieces.length) + 20 <= page - 8 - 35)
    expectSound(scratch.database)
    let gone = Set(fleet.devices.dropFirst(1))
    _ = try log.forget(gone.sorted { $0.rawValue < $1.rawValue }, now: Timestamp(rawValue: fleet.end))
    try expectHolds(scratch.database, [fleet.part(0..<20_000) { !gone.contains($0.device) }])
    expectSound(scratch.database)
  }

  /// A fold takes the place of all rows, also where there were more.
  @Test func noPieceIsLeftBehind() throws {
    let fleet = SmallFleet(600, seed: 24, shard: 5)
    _ = try log.append([fleet.part(0..<500)])
    try log.foldAll()
    try cut(14)
    #expect(try further() > 10)
    _ = try log.append([fleet.part(500..<600)])
    try log.foldAll()
    // Of the columns that the fold wrote: those of starts and lengths.
    let left = try count(scratch.database, "SELECT count(*) FROM device WHERE part >> 20 IN (5, 6)")
    #expect(left == 0)
    expectSound(scratch.database)
  }

  // MARK: damage

  /// A row that is not there, one too many, one that is too short, and a number of numbers that is too great.
  @Test(
    arguments: [
      "DELETE FROM device WHERE part = 6 << 20 | 1", "DELETE FROM device WHERE part = 6 << 20 | 2",
      "INSERT INTO device SELECT app, shard, part + 90, packed FROM device WHERE part = 6 << 20 | 1",
      "UPDATE device SET packed = substr(packed, 2) WHERE part = 6 << 20 | 1",
      "UPDATE device SET packed = substr(packed, 1, 1) || x'ffffff' || substr(packed, 5) WHERE part = 5",
    ] as [StaticString]
  ) func damageIsTold(_ damage: StaticString) throws {
    let fleet = SmallFleet(400, seed: 25, shard: 5)
    _ = try log.append([fleet.batch])
    try log.foldAll()
    try cut(33)
    try Connection(path: scratch.database, mode: .write).execute(damage)
    #expect {
      try Snapshot(path: scratch.database).scan(Need(app: "a", .everybody), start: { 0 }) { _, page in
        _ = try page.runs()
      }
    } throws: { "\($0)".contains("table device, app 1, shard 5: part 5 ") }
  }

  /// Who reads a few numbers is told as well, and never the numbers of another piece: pieces have to be as long as the first.
  @Test(
    arguments: [
      "DELETE FROM device WHERE part = 5 << 20 | 1",
      "UPDATE device SET packed = packed || x'00' WHERE part = 5 << 20 | 1",
      "UPDATE device SET packed = substr(packed, 2) WHERE part = 5 << 20 | 1",
    ] as [StaticString]
  ) func damageOfAPieceIsToldToWhoReadsIt(_ damage: StaticString) throws {
    _ = try log.append([SmallFleet(400, seed: 26, shard: 5).batch])
    try log.foldAll()
    try cut(40)
    let connection = try Connection(path: scratch.database, mode: .write)
    try connection.execute(damage)
    let place = DevicePlace(shard: 5, app: 1)
    guard let column = try StoredColumn.open(DeviceRows(connection), place, Self.runs.starts) else {
      Issue.record("no column")
      return
    }
    _ = try column.numbers(0..<2)
    var told = 0
    for index in 0..<column.count {
      do { _ = try column.numbers(index..<index + 1) } catch { told += error.kind == .corrupt ? 1 : 0 }
    }
    #expect(told > 2 && told < column.count / 2)
  }
}
