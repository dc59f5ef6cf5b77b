/// A packed column of a shard of devices in the file, of which a few numbers are read.
struct StoredColumn: ~Copyable {
  static let head = 14
  private let rows: DeviceRows
  private let place: DevicePlace
  private let part: Int64
  /// The first row, which in files of before there were pieces holds all of it.
  private let first: BlobReader
  let count: Int
  private let base: Int64
  private let width: Int
  private let last = Piece()

  private init(
    _ rows: DeviceRows, _ place: DevicePlace, _ part: Int64, _ first: consuming BlobReader, _ bytes: [UInt8]
  ) {
    (self.rows, self.place, self.part) = (rows, place, part)
    (count, base, width) = bytes.withUnsafeBytes { bytes in
      (
        Int(PackedColumn.read(bytes, at: 1, width: 4)), Int64(bitPattern: PackedColumn.read(bytes, at: 5, width: 8)),
        Int(bytes[13])
      )
    }
    self.first = first
  }

  /// nil where it is not stored, or its numbers do not lie in it one after another.
  static func open(_ rows: DeviceRows, _ place: DevicePlace, _ part: Int64) throws(StoreError) -> StoredColumn? {
    guard let first = try rows.first(part, of: place), first.count >= head else { return nil }
    let bytes = try first.read(0..<head)
    guard let size = size(bytes[...]), first.count <= size else { return nil }
    return StoredColumn(rows, place, part, first, bytes)
  }

  /// How many bytes a column has, by its first ones; nil where its numbers do not lie in it one after another.
  static func size(_ bytes: ArraySlice<UInt8>) -> Int? { bytes.withUnsafeBytes { size($0) } }

  static func size(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.count >= head, bytes[0] == 0, 1...8 ~= Int(bytes[13]) else { return nil }
    return head + Int(PackedColumn.read(bytes, at: 1, width: 4)) * Int(bytes[13])
  }

  /// - Parameter range: within the count.
  func numbers(_ range: Range<Int>) throws(StoreError) -> [Int64] {
    guard !range.isEmpty else { return [] }
    let bytes = (Self.head + range.lowerBound * width)..<(Self.head + range.upperBound * width)
    return try read(bytes) { bytes in
      (0..<range.count).map { base &+ Int64(bitPattern: PackedColumn.read(bytes, at: $0 * width, width: width)) }
    }
  }

  private func read<T>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> T) throws(StoreError) -> T {
    let length = first.count
    if range.upperBound <= length { return try first.read(range).withUnsafeBytes(body) }
    let (begin, end) = (range.lowerBound / length, (range.upperBound - 1) / length)
    if begin == end {
      return try piece(begin, range.lowerBound - begin * length..<range.upperBound - begin * length, body)
    }
    var bytes: [UInt8] = []
    for index in begin...end {
      let own = max(range.lowerBound - index * length, 0)..<min(range.upperBound - index * length, length)
      if index == 0 { bytes += try first.read(own) } else { try piece(index, own) { bytes += $0 } }
    }
    return bytes.withUnsafeBytes(body)
  }

  /// Some bytes of a piece, which is kept: who asks for devices in order asks for the same one again.
  private func piece<T>(
    _ index: Int, _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> T
  ) throws(StoreError) -> T {
    if last.index != index {
      last.index = 0
      let end = min(first.count, Self.head + count * width - index * first.count)
      guard try rows.read(index, of: part, place, into: &last.bytes), last.bytes.count == end else {
        throw rows.lack(part, of: place)
      }
      last.index = index
    }
    return last.bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  /// The piece that was read last; 0 where none was.
  private final class Piece {
    var index = 0
    var bytes: [UInt8] = []
  }
}
