import CZlib

/// The bytes as one gzip member, without a time or a name: the same bytes give the same member. Nil without memory.
public func gzipped(_ bytes: [UInt8]) -> [UInt8]? {
  var stream = z_stream()
  let size = Int32(MemoryLayout<z_stream>.size)
  guard deflateInit2_(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK else {
    return nil
  }
  defer { deflateEnd(&stream) }
  var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
  let isWhole = bytes.withUnsafeBufferPointer { input in
    output.withUnsafeMutableBufferPointer { output in
      stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.avail_in = UInt32(clamping: input.count)
      stream.next_out = output.baseAddress
      stream.avail_out = UInt32(clamping: output.count)
      return deflate(&stream, Z_FINISH) == Z_STREAM_END
    }
  }
  guard isWhole else { return nil }
  output.removeLast(Int(stream.avail_out))
  return output
}
