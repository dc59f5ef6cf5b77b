import CZstd
import Testing

@testable import Ingest

/// Bodies that were compressed with zstd, by the library's own compressor.
@Suite struct ZstdTests {
  private static func inflated(_ bytes: [UInt8], limit: Int = 1 << 24) -> Result<[UInt8], InflationProblem> {
    InflationTests.inflated(bytes, .zstd, limit: limit)
  }

  @Test(arguments: [-5, 1, 3, 19] as [Int32])
  func roundTrip(_ level: Int32) throws {
    let plain = try Self.inflated(compressed(zstd: InflationTests.text, level: level)).get()
    #expect(plain == InflationTests.text && plain.capacity - plain.count >= 64)
    #expect(Self.inflated(compressed(zstd: [], level: level)) == .success([]))
  }

  @Test func everyTruncationIsTold() {
    let whole = compressed(zstd: InflationTests.text.dropLast(40_000))
    for count in whole.indices { #expect(Self.inflated(Array(whole[..<count])) == .failure(.truncated), "\(count)") }
  }

  /// Every byte of a frame with a checksum changed: told, or (in what no checksum covers) without effect.
  @Test func damageIsTold() {
    let whole = Self.frame(InflationTests.text, ZSTD_c_checksumFlag, 1)
    for index in whole.indices {
      var damaged = whole
      damaged[index] ^= 0x55
      let result = Self.inflated(damaged)
      #expect((try? result.get()).map { $0 == InflationTests.text } ?? true, "\(index)")
    }
    #expect(Self.inflated(Array("plain text".utf8)) == .failure(.corrupt))
    #expect(Self.inflated(compressed(InflationTests.text)) == .failure(.corrupt))
  }

  @Test func framesFollowOneAnother() {
    let two = compressed(zstd: InflationTests.text) + compressed(zstd: Array("more".utf8))
    let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 7, 7]
    let plain = InflationTests.text + Array("more".utf8)
    #expect(Self.inflated(two) == .success(plain) && Self.inflated(skippable + two + skippable) == .success(plain))
    #expect(Self.inflated(two + Array("no frame at all".utf8)) == .failure(.corrupt))
    #expect(Self.inflated(two + [0x28]) == .failure(.truncated))
  }

  @Test func theLimitIsExact() throws {
    let (body, count) = (compressed(zstd: InflationTests.text), InflationTests.text.count)
    #expect(Self.inflated(body, limit: count) == .success(InflationTests.text))
    #expect(Self.inflated(body, limit: count - 1) == .failure(.tooLarge(limit: count - 1)))
    let enough = try inflate(body.span.bytes, .zstd, limit: count, enough: 10)
    #expect(enough.count >= 10 && enough == Array(InflationTests.text[..<enough.count]))
  }

  @Test func bombsAreRefusedByTheirRatio() {
    let bomb = compressed(zstd: [UInt8](repeating: 0, count: 200_000_000))
    #expect(bomb.count < 20_000 && Self.inflated(bomb, limit: 1 << 30) == .failure(.tooLarge(limit: bomb.count * 200)))
    let many = Array(repeatElement(bomb, count: 100).joined())
    #expect(Self.inflated(many, limit: 16 << 20) == .failure(.tooLarge(limit: 16 << 20)))
  }

  /// A frame of a few bytes may ask for a window of gigabytes; RFC 9659 permits 8 MiB.
  @Test func windowsAreBounded() {
    func frame(window log: UInt8) -> [UInt8] {
      [0x28, 0xB5, 0x2F, 0xFD, 0, (log - 10) << 3, 4 << 3 | 1, 0, 0] + Array("more".utf8)
    }
    #expect(Self.inflated(frame(window: 23)) == .success(Array("more".utf8)))
    for log: UInt8 in [24, 27, 31] { #expect(Self.inflated(frame(window: log)) == .failure(.corrupt), "\(log)") }
  }

  /// A frame that does not say how long its bytes are, made with one parameter set.
  private static func frame(_ plain: [UInt8], _ parameter: ZSTD_cParameter, _ value: Int32) -> [UInt8] {
    let stream = ZSTD_createCCtx()
    defer { ZSTD_freeCCtx(stream) }
    ZSTD_CCtx_setParameter(stream, parameter, value)
    ZSTD_CCtx_setParameter(stream, ZSTD_c_contentSizeFlag, 0)
    var result = [UInt8](repeating: 0, count: ZSTD_compressBound(plain.count))
    let count = ZSTD_compress2(stream, &result, result.count, plain, plain.count)
    return Array(result[..<count])
  }
}
