/// How the columns of a summary lie in the table of that name.
///
/// A column may have several rows, of different versions: of those up to the version that is in force the highest is the column, all
/// others are none. So a summary is put in place of the one before by naming its version, however long its rows took to be written.
enum SummaryRows {
  /// What of a column tells it from others.
  struct Place: Hashable {
    var release: Int64
    var channel: String
    var platform: String
    var number: Int64
  }

  struct Row: Hashable {
    var id: Int64
    var part: Int64
    var bytes: Int

    var version: Int64 { part & 0xffff_ffff }
  }

  /// The version of the summary that is in force; nil where there is none.
  static func version(_ connection: borrowing Connection, _ app: Int64) throws(StoreError) -> Int64? {
    let ground = try connection.prepare("SELECT ground FROM summary_state WHERE app = ?").first(.integer(app)) {
      $0.text(0)
    }
    return ground.flatMap(VersionedGround.init(stored:))?.version
  }

  /// What `part` is of a version of a column.
  static func part(_ number: Int64, _ version: Int64) -> Int64 {
    precondition(0...highest ~= number && 0..<1 << 32 ~= version, "column \(number), version \(version)")
    return number << 32 | version
  }

  private static let highest: Int64 = (1 << 31) - 1

  /// All rows, those of one column one after another, the oldest first.
  static func all(_ connection: borrowing Connection, _ app: Int64) throws(StoreError) -> [(place: Place, row: Row)] {
    let select = try connection.prepare(
      "SELECT rowid, release, channel, platform, part, length(packed) FROM summary WHERE app = ? ORDER BY 2, 3, 4, 5")
    return try select.rows(.integer(app)) { row in
      let place = Place(
        release: row.integer(1), channel: row.text(2), platform: row.text(3), number: row.integer(4) >> 32)
      return (place, Row(id: row.integer(0), part: row.integer(4), bytes: Int(row.integer(5))))
    }
  }

  /// The columns about a release that are in force.
  static func parts(
    _ connection: borrowing Connection, _ app: Int64, release: Int64, _ numbers: Range<Int64>, upTo version: Int64
  ) throws(StoreError) -> [SummaryPart] {
    let select = try connection.prepare(
      """
      SELECT channel, platform, part, rowid FROM summary
      WHERE app = ?1 AND release = ?2 AND part >= ?3 AND part < ?4 AND part & 0xffffffff <= ?5 ORDER BY 1 DESC, 2 DESC, 3 DESC
      """)
    let found = try newest(select, app, release: release, numbers, upTo: version)
    let database = try connection.database(of: "summary")
    var parts: [SummaryPart] = []
    var blob: BlobReader?
    for (place, id) in found.reversed() {
      if try blob?.move(to: id) == nil { blob = try BlobReader(beside: select, database, table: "summary", row: id) }
      if let part = try part(place, try blob?.read() ?? [], app, connection.path) { parts.append(part) }
    }
    return parts
  }

  /// The newest row of each column, the last column first. Of what is older no byte is read.
  private static func newest(
    _ select: borrowing Statement, _ app: Int64, release: Int64, _ numbers: Range<Int64>, upTo version: Int64
  ) throws(StoreError) -> [(place: Place, id: Int64)] {
    var last: Place?
    return try select.rows(
      .integer(app), .integer(release), .integer(min(numbers.lowerBound, highest) << 32),
      .integer(min(numbers.upperBound, highest) << 32), .integer(version)
    ) { row -> (place: Place, id: Int64)? in
      let place = Place(release: release, channel: row.text(0), platform: row.text(1), number: row.integer(2) >> 32)
      if place == last { return nil }
      last = place
      return (place, row.integer(3))
    }.compactMap(\.self)
  }

  /// nil where the column is empty.
  private static func part(
    _ place: Place, _ stored: [UInt8], _ app: Int64, _ path: String
  ) throws(StoreError) -> SummaryPart? {
    guard let packed = SqueezedColumn.packed(stored) else {
      throw StoreError(
        .corrupt, path: path,
        reason: "table summary, app \(app), release \(place.release), column \(place.number): cannot be spread out")
    }
    if packed.isEmpty { return nil }
    return SummaryPart(place.release, place.channel, place.platform, place.number, packed: packed)
  }
}

extension SummaryRows.Place {
  init(_ part: SummaryPart) {
    self.init(release: part.release, channel: part.channel, platform: part.platform, number: part.number)
  }
}

/// What a summary was made from, with its version.
struct VersionedGround {
  let version: Int64
  let text: String

  init(version: Int64, text: String) { (self.version, self.text) = (version, text) }

  /// nil where it is of a program that knew no versions.
  init?(stored: String) {
    guard let end = stored.firstIndex(of: "\n"), stored.hasPrefix(Self.head),
      let version = Int64(stored[..<end].dropFirst(Self.head.count))
    else { return nil }
    self.init(version: version, text: String(stored[stored.index(after: end)...]))
  }

  var stored: String { "\(Self.head)\(version)\n\(text)" }

  private static let head = "version "
}
