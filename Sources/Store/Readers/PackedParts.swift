import Glibc

/// Parts of one packed shard as they lie in the file, to be unpacked elsewhere; their room is used for shard after shard.
struct PackedParts {
  private var bytes = PackedBytes()
  private var places: [(part: Int64, range: Range<Int>)] = []
  /// nil of parts that were never stored.
  private(set) var source: Source?

  mutating func clear(for source: Source? = nil) {
    self.source = source
    places.removeAll(keepingCapacity: true)
    // A view may read them still.
    if isKnownUniquelyReferenced(&bytes) { bytes.removeAll() } else { bytes = PackedBytes() }
  }

  mutating func append(part: Int64, _ more: UnsafeRawBufferPointer) {
    append(part: part, count: more.count) { $0.copyMemory(from: more) }
  }

  /// - Parameter write: is given room for so many bytes, and fills all of it.
  mutating func append<Failure>(
    part: Int64, count: Int, _ write: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    if !isKnownUniquelyReferenced(&bytes) { bytes = PackedBytes(bytes[0..<bytes.count]) }
    let start = bytes.count
    try bytes.append(count: count, write)
    places.append((part, start..<bytes.count))
  }

  func has(_ part: Int64) -> Bool { places.contains { $0.part == part } }

  /// Calls back with the bytes of a part; with none where it is not stored.
  func read<T>(_ part: Int64, _ body: (UnsafeRawBufferPointer) -> T) -> T { body(bytes[range(part)]) }

  /// A column that is read where it lies; the parts are copied should they change before it goes.
  func view(_ part: Int64) -> PackedView { PackedView(bytes, range(part)) }

  private func range(_ part: Int64) -> Range<Int> { places.first { $0.part == part }?.range ?? 0..<0 }

  var isEmpty: Bool { places.isEmpty }

  /// Whether a part is stored with these bytes.
  func holds(_ part: Int64, _ bytes: [UInt8]) -> Bool {
    read(part) { known in
      guard known.count == bytes.count, let start = known.baseAddress else { return false }
      return memcmp(bytes, start, known.count) == 0
    }
  }

  func each(_ body: (Int64, UnsafeRawBufferPointer) -> Void) {
    for (part, range) in places { body(part, bytes[range]) }
  }
}

extension PackedParts.Source.Table {
  var name: StaticString {
    switch self {
    case .journey: "journey"
    case .device: "device"
    case .wake: "wake"
    case .trail: "trail"
    }
  }
}
