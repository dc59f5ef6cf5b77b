import CZstd

/// Inflates frames of zstd that follow one another, within a limit that holds while they grow.
///
/// Frames that want a window of more than 8 MiB are refused, as RFC 9659 permits for bodies sent over HTTP: a frame of
/// a few bytes could ask for gigabytes otherwise.
func inflateZstd(_ body: RawSpan, limit: Int, enough: Int) throws(InflationProblem) -> [UInt8] {
  guard let stream = ZSTD_createDCtx() else { throw .outOfMemory }
  defer { ZSTD_freeDCtx(stream) }
  guard ZSTD_isError(ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, 23)) == 0 else { throw .outOfMemory }
  let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
  defer { piece.deallocate() }
  return try body.withUnsafeBytes { (bytes) throws(InflationProblem) in
    var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
    var plain: [UInt8] = []
    plain.reserveCapacity(min(limit, bytes.count * 6) + 64)
    var wanted = 1
    while wanted > 0 || input.pos < input.size {
      let (begin, before) = (input.pos, plain.count)
      var output = ZSTD_outBuffer(dst: piece.baseAddress, size: piece.count, pos: 0)
      wanted = ZSTD_decompressStream(stream, &output, &input)
      if ZSTD_isError(wanted) != 0 { throw InflationProblem(zstd: wanted) }
      guard plain.count + output.pos <= limit else { throw .tooLarge(limit: limit) }
      plain.append(contentsOf: piece[..<output.pos])
      if plain.count >= enough { return plain }
      if wanted > 0, input.pos == begin, plain.count == before { throw .truncated }
    }
    if plain.capacity - plain.count < 64 { plain.reserveCapacity(plain.count + 64) }
    return plain
  }
}

extension InflationProblem {
  fileprivate init(zstd result: Int) {
    self = ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation ? .outOfMemory : .corrupt
  }
}
