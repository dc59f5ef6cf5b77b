extension Parquet.Values {
  public var count: Int {
    switch self {
    case .text(let values): values.count
    case .integer(let values), .instant(let values): values.count
    case .number(let values): values.count
    case .flag(let values): values.count
    }
  }

  /// The pages of a column: a dictionary where there is one, then the data.
  var pages: [[UInt8]] {
    switch self {
    case .text(let values): dictionaryPages(values)
    case .integer(let values), .instant(let values): [words(values.map { $0.map(UInt64.init(bitPattern:)) })]
    case .number(let values): [words(values.map { $0?.bitPattern })]
    case .flag(let values):
      [dataPage(values.map { $0 != nil }, plain: packed(values.compactMap(\.self).map { $0 ? 1 : 0 }, width: 1))]
    }
  }
}

/// Eight bytes each.
private func words(_ values: [UInt64?]) -> [UInt8] {
  dataPage(values.map { $0 != nil }, plain: values.compactMap(\.self).flatMap(littleEndian))
}

/// Each text once, in the order of the first row that has it, and for each row its number.
private func dictionaryPages(_ values: [String?]) -> [[UInt8]] {
  var (numbers, texts, indices): ([String: Int], [UInt8], [Int]) = ([:], [], [])
  for case let text? in values {
    if numbers[text] == nil {
      numbers[text] = numbers.count
      texts += littleEndian(UInt32(text.utf8.count)) + text.utf8
    }
    indices.append(numbers[text] ?? 0)
  }
  let dictionary = Thrift.structure {
    $0.int32(1, 2)
    $0.int32(2, texts.count)
    $0.int32(3, texts.count)
    $0.structure(7) {
      $0.int32(1, numbers.count)
      $0.int32(2, 0)
    }
  }
  let width = max(1, Int.bitWidth - max(0, numbers.count - 1).leadingZeroBitCount)
  let body = [UInt8(width)] + (indices.isEmpty ? [] : run(indices, width: width))
  return [dictionary + texts, dataPage(values.map { $0 != nil }, body, encoding: 8)]
}

private func dataPage(_ present: [Bool], plain values: [UInt8]) -> [UInt8] { dataPage(present, values, encoding: 0) }

/// A page of version 1: which rows have a value, then the values of those.
private func dataPage(_ present: [Bool], _ values: [UInt8], encoding: Int) -> [UInt8] {
  let levels = run(present.map { $0 ? 1 : 0 }, width: 1)
  let body = littleEndian(UInt32(levels.count)) + levels + values
  let header = Thrift.structure {
    $0.int32(1, 0)
    $0.int32(2, body.count)
    $0.int32(3, body.count)
    $0.structure(5) {
      $0.int32(1, present.count)
      $0.int32(2, encoding)
      $0.int32(3, 3)
      $0.int32(4, 3)
    }
  }
  return header + body
}

/// One bit-packed run of the hybrid of run lengths and packed bits: groups of eight, the last one filled up.
private func run(_ values: [Int], width: Int) -> [UInt8] {
  let groups = (values.count + 7) / 8
  return Thrift.varint(UInt64(groups << 1 | 1))
    + packed(values + repeatElement(0, count: groups * 8 - values.count), width: width)
}

/// The lowest bits of each value, from the lowest bit of the first byte on.
private func packed(_ values: [Int], width: Int) -> [UInt8] {
  var (bytes, held, bits): ([UInt8], UInt64, Int) = ([], 0, 0)
  bytes.reserveCapacity((values.count * width + 7) / 8)
  for value in values {
    held |= UInt64(value) << UInt64(bits)
    bits += width
    while bits >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: held))
      (held, bits) = (held >> 8, bits - 8)
    }
  }
  return bits > 0 ? bytes + [UInt8(truncatingIfNeeded: held)] : bytes
}

func littleEndian<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
  (0..<(Number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: value >> Number(8 * $0)) }
}
