private let digitBits: UInt64 = 11

/// Sorts ascending; for more than a few hundred keys by least significant digit, as many passes as the largest needs.
func radixSort(_ keys: inout [UInt64]) {
  guard keys.count > 512 else { return keys.sort() }
  let largest = keys.max() ?? 0
  var scratch = [UInt64](repeating: 0, count: keys.count)
  var shift: UInt64 = 0
  while shift < 64, largest >> shift > 0 {
    distribute(keys, into: &scratch, shift: shift)
    swap(&keys, &scratch)
    shift += digitBits
  }
}

private func distribute(_ keys: [UInt64], into target: inout [UInt64], shift: UInt64) {
  let mask: UInt64 = 1 << digitBits - 1
  var next = [Int](repeating: 0, count: 1 << Int(digitBits))
  for key in keys { next[Int(key >> shift & mask)] += 1 }
  var start = 0
  for digit in next.indices { (next[digit], start) = (start, start + next[digit]) }
  for key in keys {
    let digit = Int(key >> shift & mask)
    target[next[digit]] = key
    next[digit] += 1
  }
}
