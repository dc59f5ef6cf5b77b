import CBrotli

/// Inflates a whole body that was compressed with brotli, within limits that hold while it grows.
///
/// For clients of other systems alone: Sentry's SDKs use it wherever they find a library for it.
/// - Parameters:
///   - limit: the most bytes that may come out.
///   - ratio: as for gzip: how many times larger than the body the result may be once it has passed a megabyte.
///   - enough: as for gzip: of how many bytes nothing more is wanted.
public func inflateBrotli(
  _ body: RawSpan, limit: Int, ratio: Int = 200, enough: Int = .max
) throws(InflationProblem) -> [UInt8] {
  let bound = min(limit, max(1 << 20, body.byteCount.multipliedReportingOverflow(by: ratio).partialValue))
  guard let decoder = BrotliDecoderCreateInstance(nil, nil, nil) else { throw .corrupt }
  defer { BrotliDecoderDestroyInstance(decoder) }
  let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 * 1024)
  defer { piece.deallocate() }
  return try body.withUnsafeBytes { (input) throws(InflationProblem) in
    var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var left = input.count
    var plain: [UInt8] = []
    while true {
      var (room, output) = (piece.count, piece.baseAddress)
      let result = BrotliDecoderDecompressStream(decoder, &left, &next, &room, &output, nil)
      let written = piece.count - room
      guard plain.count + written <= bound else { throw .tooLarge(limit: bound) }
      plain.append(contentsOf: piece[..<written])
      if plain.count >= enough { return plain }
      switch result {
      case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: continue
      case BROTLI_DECODER_RESULT_SUCCESS:
        guard left == 0 else { throw .corrupt }
        return plain
      case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: throw .truncated
      default: throw .corrupt
      }
    }
  }
}
