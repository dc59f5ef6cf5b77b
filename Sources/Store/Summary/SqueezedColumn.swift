/// A dense packed column as its row has it: squeezed where that makes it much smaller, since what a summary is made of is written
/// again every few seconds while events come in, and most of it are sorted times.
///
/// ```text
/// form (1)   2; 0 and 1 are packed columns as they are
/// head       as the packed column has it: count (4)  base (8)  width (1)
/// blocks     of 128 values, the last of fewer: way (1)  start (width)  each value in so many bits, in whole bytes
/// zeros (8)
/// ```
///
/// A way below 64 says how many bits a value takes above the start, which is the least of the block; 64 and more, how many it takes
/// above the value before it, less 64. The numbers are those of the packed column: above its base, all ones where absent.
enum SqueezedColumn {
  static let form: UInt8 = 2
  static let (head, block, padding) = (14, 128, 8)
  /// Of a way: values are counted from the one before.
  static let steps: UInt8 = 64
  /// So many fit into eight bytes wherever they begin.
  static let mostBits = 57
  /// What is shorter lies in few pages either way.
  private static let fewest = 4096

  static func stored(_ packed: [UInt8]) -> [UInt8] {
    guard packed.count >= fewest, let plain = PlainColumn(packed) else { return packed }
    let squeezed = plain.squeezed(packed)
    return squeezed.isEmpty || squeezed.count * 4 > packed.count * 3 ? packed : squeezed
  }

  /// nil where it was squeezed and cannot be spread out.
  static func packed(_ stored: [UInt8]) -> [UInt8]? {
    guard stored.first == form else { return stored }
    return PlainColumn(stored).flatMap { $0.spread(stored) }
  }
}

/// What the head of a dense column says.
struct PlainColumn {
  let count: Int
  let width: Int

  var bytes: Int { SqueezedColumn.head + count * width }
  /// Of a value.
  var mask: UInt64 { width == 8 ? .max : 1 << UInt64(8 * width) - 1 }

  /// nil where the bytes are another form, or too few.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= SqueezedColumn.head, bytes[0] == 0 || bytes[0] == SqueezedColumn.form else { return nil }
    count = bytes[1...4].reversed().reduce(0) { $0 << 8 | Int($1) }
    width = Int(bytes[13])
    guard 1...8 ~= width, bytes[0] != 0 || bytes.count == self.bytes else { return nil }
  }
}
