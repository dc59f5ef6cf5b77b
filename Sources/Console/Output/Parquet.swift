/// Columns to a Parquet file, row group by row group: https://github.com/apache/parquet-format (2.11), data pages of version 1.
///
/// Every column may be null. Texts are written through a dictionary, all else plainly, and nothing is compressed, so a reader needs
/// no library beside its own.
public struct Parquet {
  /// The values of a column, one for each row of the group.
  public enum Values {
    case text([String?])
    case integer([Int64?])
    case number([Double?])
    /// Milliseconds since 1970, UTC.
    case instant([Int64?])
    case flag([Bool?])
  }

  public enum Kind: Sendable { case text, integer, number, instant, flag }

  public struct Column: Sendable {
    public var name: String
    public var kind: Kind
    public init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }
  }

  private let columns: [Column]
  private let write: ([UInt8]) throws -> Void
  private var offset = 4
  private var rows = 0
  private var groups: [[UInt8]] = []
  private static let magic = Array("PAR1".utf8)

  public init(_ columns: [Column], write: @escaping ([UInt8]) throws -> Void) throws {
    (self.columns, self.write) = (columns, write)
    try write(Self.magic)
  }

  /// A row group; its columns in the order of the file, and of one length.
  public mutating func add(_ values: [Values]) throws {
    precondition(values.count == columns.count, "a row group has another number of columns than the file")
    let (count, start) = (values.first?.count ?? 0, offset)
    guard count > 0 else { return }
    var chunks: [[UInt8]] = []
    for (column, values) in zip(columns, values) {
      precondition(values.count == count, "the columns of a row group have different lengths")
      chunks.append(try add(column, values))
    }
    rows += count
    let bytes = offset - start
    groups.append(
      Thrift.structure {
        $0.structures(1, chunks)
        $0.int64(2, bytes)
        $0.int64(3, count)
      })
  }

  /// The metadata behind the last row group, without which it is no file.
  public func finish(by program: String) throws {
    let metadata = Thrift.structure {
      $0.int32(1, 2)
      $0.structures(2, [root] + columns.map(\.schema))
      $0.int64(3, rows)
      $0.structures(4, groups)
      $0.text(6, program)
    }
    try write(metadata + littleEndian(UInt32(metadata.count)) + Self.magic)
  }

  private var root: [UInt8] {
    Thrift.structure {
      $0.text(4, "rows")
      $0.int32(5, columns.count)
    }
  }

  /// Writes the pages of a column and says where they are.
  private mutating func add(_ column: Column, _ values: Values) throws -> [UInt8] {
    let (start, pages) = (offset, values.pages)
    for page in pages { try put(page) }
    let (dictionary, bytes) = (pages.count > 1 ? start : nil, offset - start)
    let data = start + (pages.count > 1 ? pages[0].count : 0)
    return Thrift.structure {
      $0.int64(2, start)
      $0.structure(3) {
        $0.int32(1, column.kind.physical)
        $0.int32s(2, dictionary == nil ? [0, 3] : [0, 3, 8])
        $0.texts(3, [column.name])
        $0.int32(4, 0)
        $0.int64(5, values.count)
        $0.int64(6, bytes)
        $0.int64(7, bytes)
        $0.int64(9, data)
        if let dictionary { $0.int64(11, dictionary) }
      }
    }
  }

  private mutating func put(_ bytes: [UInt8]) throws {
    try write(bytes)
    offset += bytes.count
  }
}

extension Parquet.Column {
  fileprivate var schema: [UInt8] {
    Thrift.structure {
      $0.int32(1, kind.physical)
      $0.int32(3, 1)
      $0.text(4, name)
      if let converted = kind.converted { $0.int32(6, converted) }
    }
  }
}

extension Parquet.Kind {
  /// BOOLEAN, INT64, DOUBLE, BYTE_ARRAY.
  fileprivate var physical: Int {
    switch self {
    case .flag: 0
    case .integer, .instant: 2
    case .number: 5
    case .text: 6
    }
  }

  /// UTF8, TIMESTAMP_MILLIS.
  fileprivate var converted: Int? {
    switch self {
    case .text: 0
    case .instant: 9
    case .flag, .integer, .number: nil
    }
  }
}
