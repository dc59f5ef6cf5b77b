/// Reads columns of devices that lie in several rows. A class, so that columns that are open share its statements. Only for who has the turn.
final class DeviceRows {
  private let row, further, piece: Statement
  private let database: StaticString

  init(_ connection: borrowing Connection) throws(StoreError) {
    let row = try connection.prepare("SELECT rowid FROM device WHERE app = ? AND shard = ? AND part = ?")
    let further = try connection.prepare(
      "SELECT packed FROM device WHERE app = ? AND shard = ? AND part BETWEEN ? AND ? ORDER BY part")
    let piece = try connection.prepare("SELECT packed FROM device WHERE app = ? AND shard = ? AND part = ?")
    database = try connection.database(of: "device")
    self.row = row
    self.further = further
    self.piece = piece
  }

  /// The first row of a column; nil where it is not stored.
  func first(_ part: Int64, of place: DevicePlace) throws(StoreError) -> BlobReader? {
    guard let number = try number(of: part, place) else { return nil }
    return try BlobReader(beside: row, database, table: "device", row: number)
  }

  /// Whether a piece is stored.
  func holds(_ index: Int, of part: Int64, _ place: DevicePlace) throws(StoreError) -> Bool {
    if index >= ColumnPieces.further { return false }
    return try number(of: ColumnPieces.number(index, of: part), place) != nil
  }

  private func number(of row: Int64, _ place: DevicePlace) throws(StoreError) -> Int64? {
    try self.row.first(.integer(place.app), .integer(Int64(place.shard)), .integer(row)) { $0.integer(0) }
  }

  /// What is told where a row of a column is not there, or not as long as it should be.
  func lack(_ part: Int64, of place: DevicePlace) -> StoreError {
    PackedParts.Source(path: row.path, table: .device, keys: [place.app, Int64(place.shard)], wanted: nil)
      .error("part \(part) lacks a row, or has one too many")
  }

  /// All that lies behind the first row; false where that does not fill the room.
  func readFurther(
    _ part: Int64, of place: DevicePlace, into room: UnsafeMutableRawBufferPointer
  ) throws(StoreError) -> Bool {
    defer { further.rewind() }
    let numbers = ColumnPieces.numbers(from: 1, of: part)
    let keys = [place.app, Int64(place.shard), numbers.lowerBound, numbers.upperBound]
    for (index, key) in keys.enumerated() { further.bind(Int32(index + 1), key) }
    var end = 0
    while try further.step() {
      let count = further.row.withBlob(0) { bytes in
        if end + bytes.count <= room.count {
          UnsafeMutableRawBufferPointer(rebasing: room[end...]).copyMemory(from: bytes)
        }
        return bytes.count
      }
      end += count
      if end > room.count { return false }
    }
    return end == room.count
  }

  /// A piece in place of what was in `bytes`; false where it is not stored.
  func read(
    _ index: Int, of part: Int64, _ place: DevicePlace, into bytes: inout [UInt8]
  ) throws(StoreError) -> Bool {
    defer { piece.rewind() }
    bytes.removeAll(keepingCapacity: true)
    if index >= ColumnPieces.further { return false }
    piece.bind(1, place.app)
    piece.bind(2, Int64(place.shard))
    piece.bind(3, ColumnPieces.number(index, of: part))
    guard try piece.step() else { return false }
    piece.row.withBlob(0) { bytes += $0 }
    return true
  }
}
