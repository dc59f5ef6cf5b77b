/// A key that tells itself quickly from others like it, mostly.
protocol Mixed: Hashable {
  /// Spread over the low bits; equal for equal keys.
  var mix: Int { get }
}

/// Numbers for keys in order of their first coming. Keys come again and again, so most are found without hashing.
struct Numbering<Key: Mixed> {
  private static var slots: Int { 1024 }
  private(set) var keys: [Key] = []
  private var numbers: [Key: Int] = [:]
  private var recent = [Int32](repeating: -1, count: slots)

  /// The key's number; `keys.count` grows by one where it is new.
  mutating func number(_ key: Key) -> Int {
    let slot = key.mix & (Self.slots - 1)
    let guess = Int(recent[slot])
    if guess >= 0, keys[guess] == key { return guess }
    let number = numbers[key] ?? append(key)
    recent[slot] = Int32(number)
    return number
  }

  private mutating func append(_ key: Key) -> Int {
    numbers[key] = keys.count
    keys.append(key)
    return keys.count - 1
  }
}
