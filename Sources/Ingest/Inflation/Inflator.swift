import CZlib

/// Why compressed bytes do not become plain ones.
public enum InflationProblem: Error, Equatable, Sendable {
  /// The plain bytes would be more than this limit, or far more than such bodies ever are for their compressed size.
  case tooLarge(limit: Int)
  /// The compressed bytes end too early.
  case truncated
  /// The compressed bytes are not what they say they are.
  case corrupt
  case outOfMemory
  /// The bytes are gzip, and nothing says so.
  case unannounced
}

extension InflationProblem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooLarge(let limit): "inflates to more than \(limit) bytes"
    case .truncated: "the compressed bytes end too early"
    case .corrupt: "the compressed bytes are damaged, or not compressed this way"
    case .outOfMemory: "there is no memory to inflate the bytes"
    case .unannounced: "this is gzip: send Content-Encoding: gzip"
    }
  }
}

/// One zlib stream, fed and drained piece by piece. Members of a gzip file that follow one another are one stream.
struct Inflator: ~Copyable {
  enum Framing { case gzip, zlib, raw }

  private let stream: UnsafeMutablePointer<z_stream>
  private let framing: Framing
  /// Between members, at the start included: the bytes may end here.
  private(set) var isBetweenMembers = true
  private var members = 0
  var isComplete: Bool { isBetweenMembers && members > 0 }

  init(_ framing: Framing) throws(InflationProblem) {
    self.framing = framing
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let bits: Int32 =
      switch framing {
      case .gzip: 15 + 16
      case .zlib: 15
      case .raw: -15
      }
    guard inflateInit2_(stream, bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .outOfMemory
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Moves on as far as input and room reach; says how much of either was used.
  mutating func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(InflationProblem) -> (read: Int, written: Int) {
    guard !input.isEmpty || !isBetweenMembers, !output.isEmpty else { return (0, 0) }
    if isBetweenMembers, members > 0 {
      // Tapes and some writers pad with zeros.
      if framing == .gzip, input.allSatisfy({ $0 == 0 }) { return (input.count, 0) }
      guard framing == .gzip, inflateReset(stream) == Z_OK else { throw .corrupt }
    }
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(clamping: input.count)
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(clamping: output.count)
    let (given, room) = (stream.pointee.avail_in, stream.pointee.avail_out)
    let result = inflate(stream, Z_NO_FLUSH)
    switch result {
    case Z_OK, Z_BUF_ERROR: isBetweenMembers = false
    case Z_STREAM_END:
      isBetweenMembers = true
      members += 1
    case Z_MEM_ERROR: throw .outOfMemory
    default: throw .corrupt
    }
    return (Int(given - stream.pointee.avail_in), Int(room - stream.pointee.avail_out))
  }
}
