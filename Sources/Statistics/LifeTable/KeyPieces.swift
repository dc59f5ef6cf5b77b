/// Keys in pieces: to add one never moves many others, and lists join without being copied.
struct KeyPieces: Sendable {
  private static let length = 1 << 14
  private var full: [[UInt32]] = []
  private var open: [UInt32] = []

  var isEmpty: Bool { full.isEmpty && open.isEmpty }
  var pieces: [[UInt32]] { open.isEmpty ? full : full + [open] }

  mutating func append(_ key: UInt32) {
    if open.count == Self.length { close() }
    open.append(key)
  }

  private mutating func close() {
    full.append(open)
    open = []
    open.reserveCapacity(Self.length)
  }

  mutating func append(_ other: KeyPieces) { full += other.pieces }
}
