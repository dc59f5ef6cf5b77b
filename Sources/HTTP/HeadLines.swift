import CMicrohttpd

/// Whether all that stands in a head is among the headers that libmicrohttpd tells of.
///
/// Before 1.0 it glues a folded line to the *name* of the header above, so that the length of a body vanishes from a request in
/// which another program sees one; and of a value with a NUL it tells what stands before. It leaves lines where they came in,
/// with zeros in the place of their ends: between a value and the next name there are one or two of these, or something
/// that it does not tell of.
struct HeadLines {
  private typealias Place = UnsafePointer<CChar>
  private var end: Place?
  private(set) var areWhole = true

  /// The next header, in the order in which they came.
  mutating func add(name: UnsafePointer<CChar>, value: UnsafePointer<CChar>, count: Int) {
    if let end, !isLineEnd(from: end, to: name, atMost: 2) { areWhole = false }
    end = value + count
  }

  /// - Parameter headEnd: behind the empty line.
  mutating func finish(at headEnd: UnsafePointer<CChar>) {
    if let end, !isLineEnd(from: end, to: headEnd, atMost: 4) { areWhole = false }
    if mhd_is_lenient() == 0 { areWhole = true }
  }

  private func isLineEnd(from start: Place, to end: Place, atMost limit: Int) -> Bool {
    let count = end - start
    return (1...limit).contains(count) && (0..<count).allSatisfy { start[$0] == 0 }
  }
}
