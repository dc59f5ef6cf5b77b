import CSimdjson
import Lifecycle

/// Memory that is given out in pieces that stay where they are, and freed all at once.
struct Arena: ~Copyable {
  private var blocks: [UnsafeMutablePointer<UInt8>] = []
  private var left = 0
  /// Enough for a request of one event. From 1,024 bytes on the allocator tidies up all that was freed since.
  private static let first = 512
  private static let next = 4096

  deinit { for block in blocks { block.deallocate() } }

  mutating func copy(_ text: Text) -> Text {
    if text.isEmpty { return text }
    if text.count > left {
      left = max(blocks.isEmpty ? Self.first : Self.next, text.count)
      blocks.append(.allocate(capacity: left))
    }
    left -= text.count
    let start = blocks[blocks.count - 1] + left
    start.update(from: text.start, count: text.count)
    return Text(start: start, count: text.count)
  }

  /// Empty where there is none.
  mutating func copy(_ text: String?) -> Text {
    guard let text else { return Fields.nothing }
    return withText(text) { copy($0) }
  }
}

/// Finds equal keys again by a seeded hash; the keys themselves are the owner's.
struct HashIndex {
  /// Empty for as long as so few keys are quicker to go through.
  private var slots: [UInt32] = []
  private var hashes: [UInt64] = []

  /// The place of the key with this hash for which `matches` holds.
  @inline(__always)
  func find(_ hash: UInt64, where matches: (Int) -> Bool) -> Int? {
    if slots.isEmpty { return hashes.indices.first { hashes[$0] == hash && matches($0) } }
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let place = Int(slots[slot]) - 1
      if hashes[place] == hash, matches(place) { return place }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Gives the next place to a key that was not found.
  mutating func append(_ hash: UInt64) {
    hashes.append(hash)
    if hashes.count < 8 { return }
    if hashes.count * 2 > slots.count {
      slots = Array(repeating: 0, count: max(32, slots.count * 2))
      for place in hashes.indices { occupy(place) }
    } else {
      occupy(hashes.count - 1)
    }
  }

  private mutating func occupy(_ place: Int) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hashes[place]) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = UInt32(place + 1)
  }
}
