/// A key that tells itself quickly from others like it, mostly.
protocol Mixed: Hashable {
  /// Differs for most keys that differ; equal for equal keys.
  var mix: Int { get }
}

/// Numbers for keys in order of their first coming.
///
/// Keys come again and again: a table that is looked up by their mix, at most half full, and no hashing.
struct Numbering<Key: Mixed> {
  private(set) var keys: [Key] = []
  /// A key's number, at the first free place from where its mix belongs.
  private var slots = [Int32](repeating: -1, count: 64)

  /// The key's number; `keys.count` grows by one where it is new.
  mutating func number(_ key: Key) -> Int {
    var slot = place(key)
    while case let number = Int(slots[slot]), number >= 0 {
      if keys[number] == key { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Int32(keys.count)
    keys.append(key)
    if keys.count * 2 > slots.count { grow() }
    return keys.count - 1
  }

  /// By the upper bits of a product, on which all bits of the mix have a bearing.
  private func place(_ key: Key) -> Int {
    Int((UInt64(truncatingIfNeeded: key.mix) &* 0x9e37_79b9_7f4a_7c15) >> UInt64(slots.count.leadingZeroBitCount + 1))
  }

  private mutating func grow() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for (number, key) in keys.enumerated() {
      var slot = place(key)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(number)
    }
  }
}
