import CZlib

public enum GzipEffort: Sendable { case usual, fast }

/// The bytes as a gzip file. The same bytes give the same file: no time and no name stand in it.
public func gzip(_ bytes: [UInt8], _ effort: GzipEffort = .usual) -> [UInt8] {
  var stream = z_stream()
  let size = Int32(MemoryLayout<z_stream>.size)
  let level = effort == .fast ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION
  let started = deflateInit2_(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
  precondition(started == Z_OK, "zlib has no memory for a stream")
  defer { deflateEnd(&stream) }
  var packed = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
  var input = bytes
  let count = input.withUnsafeMutableBufferPointer { input in
    packed.withUnsafeMutableBufferPointer { output in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      stream.next_out = output.baseAddress
      stream.avail_out = UInt32(output.count)
      let ended = deflate(&stream, Z_FINISH)
      precondition(ended == Z_STREAM_END, "deflateBound was too small")
      return Int(stream.total_out)
    }
  }
  packed.removeLast(packed.count - count)
  return packed
}
