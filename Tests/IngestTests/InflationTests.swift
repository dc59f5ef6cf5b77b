import CZlib
import CZstd
import Glibc
import Testing

@testable import Ingest

/// What zlib makes of the bytes; `bits` as in its `deflateInit2`.
func compressed(_ plain: [UInt8], bits: Int32 = 31) -> [UInt8] {
  var stream = z_stream()
  _ = deflateInit2_(
    &stream, 6, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
  defer { deflateEnd(&stream) }
  var (input, output) = (plain, [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(plain.count))) + 64))
  return input.withUnsafeMutableBufferPointer { input in
    output.withUnsafeMutableBufferPointer { output in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      stream.next_out = output.baseAddress
      stream.avail_out = UInt32(output.count)
      _ = deflate(&stream, Z_FINISH)
      return Array(output[..<Int(stream.total_out)])
    }
  }
}

/// What zstd makes of the bytes, as one frame that says how long they are.
func compressed(zstd plain: [UInt8], level: Int32 = 3) -> [UInt8] {
  var output = [UInt8](repeating: 0, count: ZSTD_compressBound(plain.count))
  output.removeLast(output.count - ZSTD_compress(&output, output.count, plain, plain.count, level))
  return output
}

@Suite struct InflationTests {
  static let text = Array((0..<5000).map { "line \($0)\n" }.joined().utf8)

  static func inflated(
    _ bytes: [UInt8], _ encoding: ContentEncoding = .gzip, limit: Int = 1 << 24
  ) -> Result<[UInt8], InflationProblem> {
    do throws(InflationProblem) { return .success(try inflate(bytes.span.bytes, encoding, limit: limit)) } catch {
      return .failure(error)
    }
  }

  @Test(arguments: [(31, ContentEncoding.gzip), (15, .deflate), (-15, .deflate)] as [(Int32, ContentEncoding)])
  func roundTrip(_ bits: Int32, _ encoding: ContentEncoding) throws {
    let plain = try Self.inflated(compressed(Self.text, bits: bits), encoding).get()
    #expect(plain == Self.text && plain.capacity - plain.count >= 64)
    #expect(Self.inflated(compressed([], bits: bits), encoding) == .success([]))
  }

  @Test(arguments: [(31, ContentEncoding.gzip), (15, .deflate), (-15, .deflate)] as [(Int32, ContentEncoding)])
  func everyTruncationIsTold(_ bits: Int32, _ encoding: ContentEncoding) {
    let whole = compressed(Self.text.dropLast(40_000), bits: bits)
    for count in whole.indices { #expect(Self.inflated(Array(whole[..<count]), encoding) == .failure(.truncated)) }
  }

  @Test func membersAreOneStream() {
    let two = compressed(Self.text) + compressed(Array("more".utf8))
    #expect(Self.inflated(two) == .success(Self.text + Array("more".utf8)))
    #expect(Self.inflated(two + [0, 0, 0]) == .success(Self.text + Array("more".utf8)))
    #expect(Self.inflated(two + [7]) == .failure(.truncated))
    #expect(Self.inflated(two + Array("not gzip at all".utf8)) == .failure(.corrupt))
  }

  @Test func damageIsTold() {
    var damaged = compressed(Self.text)
    damaged[damaged.count / 2] ^= 0x55
    #expect(Self.inflated(damaged) == .failure(.corrupt))
    #expect(Self.inflated(Array("plain text".utf8)) == .failure(.corrupt))
  }

  @Test func theLimitIsExact() {
    let body = compressed(Self.text)
    #expect(Self.inflated(body, limit: Self.text.count) == .success(Self.text))
    #expect(Self.inflated(body, limit: Self.text.count - 1) == .failure(.tooLarge(limit: Self.text.count - 1)))
  }

  /// 2 GB of zeros in 2 MB, of which no more is held than is permitted. (Other tests run beside this one.)
  @Test func bombsAreRefusedInBoundedMemory() {
    let member = compressed([UInt8](repeating: 0, count: 20_000_000))
    let bomb = Array(repeatElement(member, count: 100).joined())
    let before = residentPeak()
    #expect(Self.inflated(bomb, limit: 16 << 20) == .failure(.tooLarge(limit: 16 << 20)))
    #expect(residentPeak() - before < 1_000_000_000)
  }

  /// Within the limit, but two hundred times larger than it came: no body of events is.
  @Test func bombsAreRefusedByTheirRatio() {
    let bomb = compressed([UInt8](repeating: 0, count: 20_000_000))
    #expect(Self.inflated(bomb, limit: 1 << 30) == .failure(.tooLarge(limit: bomb.count * 200)))
    #expect(
      Self.inflated(compressed([UInt8](repeating: 0, count: 1 << 20)), limit: 1 << 30)
        == .success(Array(repeating: 0, count: 1 << 20)))
  }

  /// The most bytes this process has ever held.
  private func residentPeak() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
  }
}
