import Glibc

/// Remembers the identities of the newest events, about `capacity` of them, in a fixed amount of memory.
///
/// A set of small rings: the top bits of an identity pick a ring of 21 places in 128 bytes, and its low 48 bits are kept
/// there; a full ring forgets its oldest. With 2²⁰ rings that is 128 MB at most, taken as it fills, and
/// both parts together tell 64-bit identities apart exactly.
struct DuplicateWindow: ~Copyable {
  private static let places = 21
  private static let ringBytes = 128
  private let memory: UnsafeMutableRawPointer
  private let ringBits: Int
  private var admitted = 0
  /// What `fetch` saw: nobody reads it, but what nobody keeps the compiler leaves out.
  private var fetched: UInt32 = 0

  /// Room for at least `capacity` identities on average, between 2¹⁶ and 2²⁴ rings' worth.
  init(capacity: Int) {
    var bits = 16
    while bits < 24, (1 << bits) * 16 < capacity { bits += 1 }
    ringBits = bits
    let bytes = Self.ringBytes << bits
    guard let mapped = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
      mapped != MAP_FAILED
    else { fatalError("no memory for the window of duplicates (\(bytes) bytes)") }
    memory = mapped
  }

  deinit { munmap(memory, Self.ringBytes << ringBits) }

  /// How many identities are fetched at once; what they bring into the cache is still there when the last is admitted.
  static let fetchedAtOnce = 64

  /// Brings the rings of identities that are about to be admitted into the cache: so many look-ups wait for memory at
  /// once, where `admit` waits for one after another.
  mutating func fetch(_ identities: some Sequence<UInt64>) {
    var seen: UInt32 = 0
    for identity in identities {
      let ring = Ring(memory + Int(identity >> UInt64(64 - ringBits)) * Self.ringBytes)
      seen &+= ring.low.pointee &+ UInt32(ring.head.pointee)
    }
    fetched &+= seen
  }

  /// False where the identity is already here; else it is remembered.
  mutating func admit(_ identity: UInt64) -> Bool {
    let ring = Ring(memory + Int(identity >> UInt64(64 - ringBits)) * Self.ringBytes)
    let (low, high) = tag(identity)
    if ring.place(of: low, high) != nil { return false }
    let head = Int(ring.head.pointee)
    ring.low[head] = low
    ring.high[head] = high
    ring.head.pointee = UInt16(head + 1 == Self.places ? 0 : head + 1)
    admitted += 1
    if admitted == Self.few { useLargePages() }
    return true
  }

  /// So many take less room in small pages, and no time to clear: identities lie scattered, so a few soon touch every large one.
  private static let few = 4096

  /// Without these each look-up also misses the processor's table of pages, and the first write to each page interrupts every
  /// other core. A kernel that cannot put what is there together at once does it as time goes by.
  private func useLargePages() {
    madvise(memory, Self.ringBytes << ringBits, MADV_HUGEPAGE)
    madvise(memory, Self.ringBytes << ringBits, Self.collapse)
  }
  /// MADV_COLLAPSE, since Linux 6.1.
  private static let collapse: Int32 = 25

  /// Takes back an `admit` whose event was not stored after all, so that its resend is not taken for a duplicate.
  mutating func forget(_ identity: UInt64) {
    let ring = Ring(memory + Int(identity >> UInt64(64 - ringBits)) * Self.ringBytes)
    let (low, high) = tag(identity)
    guard let place = ring.place(of: low, high) else { return }
    ring.low[place] = 0
    ring.high[place] = 0
  }

  /// Zero marks an empty place, so no identity may have it as its tag.
  private func tag(_ identity: UInt64) -> (UInt32, UInt16) {
    let low = UInt32(truncatingIfNeeded: identity)
    return (low == 0 ? 1 : low, UInt16(truncatingIfNeeded: identity >> 32))
  }

  private struct Ring {
    let low: UnsafeMutablePointer<UInt32>
    let high: UnsafeMutablePointer<UInt16>
    let head: UnsafeMutablePointer<UInt16>

    init(_ base: UnsafeMutableRawPointer) {
      low = base.assumingMemoryBound(to: UInt32.self)
      high = (base + places * 4).assumingMemoryBound(to: UInt16.self)
      head = (base + places * 6).assumingMemoryBound(to: UInt16.self)
    }

    func place(of lowTag: UInt32, _ highTag: UInt16) -> Int? {
      var seen: UInt32 = 0
      for index in 0..<places { seen |= low[index] == lowTag ? 1 : 0 }
      guard seen != 0 else { return nil }
      for index in 0..<places where low[index] == lowTag && high[index] == highTag { return index }
      return nil
    }
  }
}
