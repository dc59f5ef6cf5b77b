private let digitBits: UInt32 = 11

/// All keys of some lists in ascending order; more than a few hundred by least significant digit, as many passes as the
/// largest needs.
func radixSorted(_ pieces: [[UInt32]]) -> [UInt32] {
  let count = pieces.reduce(0) { $0 + $1.count }
  guard count > 512 else { return pieces.joined().sorted() }
  let largest = pieces.reduce(0) { max($0, $1.max() ?? 0) }
  var (keys, scratch) = ([UInt32](repeating: 0, count: count), [UInt32]())
  distribute(pieces, into: &keys, shift: 0)
  var shift = digitBits
  while shift < UInt32.bitWidth, largest >> shift > 0 {
    if scratch.isEmpty { scratch = [UInt32](repeating: 0, count: count) }
    distribute([keys], into: &scratch, shift: shift)
    swap(&keys, &scratch)
    shift += digitBits
  }
  return keys
}

private func distribute(_ pieces: [[UInt32]], into target: inout [UInt32], shift: UInt32) {
  let mask: UInt32 = 1 << digitBits - 1
  var next = [Int](repeating: 0, count: 1 << Int(digitBits))
  for piece in pieces {
    for key in piece { next[Int(key >> shift & mask)] += 1 }
  }
  var start = 0
  for digit in next.indices { (next[digit], start) = (start, start + next[digit]) }
  for piece in pieces {
    for key in piece {
      let digit = Int(key >> shift & mask)
      target[next[digit]] = key
      next[digit] += 1
    }
  }
}
