/// How a body was compressed on its way.
public enum ContentEncoding: String, CaseIterable, Sendable {
  case gzip, deflate, zstd
}

/// Inflates a whole body, within limits that hold while it grows.
///
/// `deflate` is taken with or without zlib's frame, since clients send both. The result has at least 64 bytes to spare.
/// - Parameters:
///   - limit: the most bytes that may come out.
///   - ratio: how many times larger than the compressed bytes the result may be once it has passed a megabyte. Bodies
///     of events shrink to a fifth or a twentieth; what is far denser is an attack.
///   - enough: of how many bytes nothing more is wanted: what is behind them is not even looked at.
public func inflate(
  _ body: RawSpan, _ encoding: ContentEncoding, limit: Int, ratio: Int = 200, enough: Int = .max
) throws(InflationProblem) -> [UInt8] {
  let bound = min(limit, max(1 << 20, body.byteCount.multipliedReportingOverflow(by: ratio).partialValue))
  switch encoding {
  case .gzip: return try inflate(body, .gzip, limit: bound, enough)
  case .zstd: return try inflateZstd(body, limit: bound, enough: enough)
  case .deflate:
    guard looksLikeZlib(body) else { return try inflate(body, .raw, limit: bound, enough) }
    do throws(InflationProblem) {
      return try inflate(body, .zlib, limit: bound, enough)
    } catch {
      guard error == .corrupt else { throw error }
      return try inflate(body, .raw, limit: bound, enough)
    }
  }
}

private func looksLikeZlib(_ body: RawSpan) -> Bool {
  guard body.byteCount >= 2 else { return false }
  let (first, second) = (body.unsafeLoad(as: UInt8.self), body.unsafeLoad(fromByteOffset: 1, as: UInt8.self))
  return first & 0x0F == 8 && (Int(first) << 8 | Int(second)) % 31 == 0
}

private func inflate(
  _ body: RawSpan, _ framing: Inflator.Framing, limit: Int, _ enough: Int
) throws(InflationProblem) -> [UInt8] {
  var inflator = try Inflator(framing)
  var plain: [UInt8] = []
  plain.reserveCapacity(min(limit, body.byteCount * 6) + 64)
  let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
  defer { piece.deallocate() }
  var read = 0
  while read < body.byteCount || !inflator.isBetweenMembers {
    let step = try body.extracting(read..<body.byteCount).withUnsafeBytes { (input) throws(InflationProblem) in
      try inflator.step(input, into: piece)
    }
    if step.read == 0, step.written == 0 { throw .truncated }
    guard plain.count + step.written <= limit else { throw .tooLarge(limit: limit) }
    plain.append(contentsOf: piece[..<step.written])
    if plain.count >= enough { return plain }
    read += step.read
  }
  guard inflator.isComplete else { throw .truncated }
  if plain.capacity - plain.count < 64 { plain.reserveCapacity(plain.count + 64) }
  return plain
}
