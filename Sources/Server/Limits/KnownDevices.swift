internal import Lifecycle

/// Which devices were seen before, in bounded memory: Bloom filters, each larger than the one before. A new device passes for a
/// known one now and then; a known one for a new one only where it was not seen while most of that memory filled with others.
struct KnownDevices {
  private var filters: [BloomFilter]
  private let most: Int

  /// - Parameters:
  ///   - first: bits of the first filter, a power of two.
  ///   - most: bits of all together.
  init(first: Int = 1 << 20, most: Int = 1 << 29) {
    filters = [BloomFilter(bits: first)]
    self.most = most
  }

  var bits: Int { filters.reduce(0) { $0 + $1.bits } }

  func contains(_ device: DeviceHash) -> Bool { filters.reversed().contains { $0.contains(device.rawValue) } }

  /// Also one that is known: the filters that go first must not be the only ones that know a device which still comes.
  mutating func insert(_ device: DeviceHash) {
    let last = filters.count - 1
    guard !filters[last].contains(device.rawValue) else { return }
    if filters[last].isFull { grow() }
    filters[filters.count - 1].insert(device.rawValue)
  }

  private mutating func grow() {
    let next = BloomFilter(bits: min((filters.last?.bits ?? 1) * 4, most / 4))
    while filters.count > 1, bits + next.bits > most { filters.removeFirst() }
    filters.append(next)
  }
}

/// Of numbers that are hashes already, with a key that nobody outside knows: their own bits say where they stand.
private struct BloomFilter {
  private var words: [UInt64]
  private var count = 0

  init(bits: Int) { words = Array(repeating: 0, count: max(1, bits / 64)) }

  var bits: Int { words.count * 64 }
  /// With ten bits a number and four places each, one stranger in a hundred passes for known.
  var isFull: Bool { count >= bits / 10 }

  private func places(_ hash: UInt64) -> some Sequence<Int> {
    let (start, step) = (hash & 0xffff_ffff, hash >> 32 | 1)
    return (0..<4).lazy.map { [mask = UInt64(bits - 1)] in Int((start &+ step &* UInt64($0)) & mask) }
  }

  func contains(_ hash: UInt64) -> Bool { places(hash).allSatisfy { words[$0 >> 6] & 1 << UInt64($0 & 63) != 0 } }

  mutating func insert(_ hash: UInt64) {
    for place in places(hash) { words[place >> 6] |= 1 << UInt64(place & 63) }
    count += 1
  }
}
