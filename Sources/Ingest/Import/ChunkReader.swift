import Glibc
import Lifecycle
public import Store

/// Reads a file of events chunk by chunk in constant memory: NDJSON or CSV, plain or gzip, or standard input.
///
/// Belongs to one thread at a time; `ReadAhead` lets it run ahead on a thread of its own.
public final class ChunkReader {
  public let path: String
  /// Bytes of the file, where it is one.
  public var size: Int? { source.size }

  private let source: ByteSource
  private let decoder: NativeDecoder
  private let options: ImportOptions
  private let resume: Place?
  private var csv: CSVRows?
  private var map: MapReader?
  private var header: [UInt8] = []
  private var isStarted = false
  private var isAtEnd = false
  private var isSkipping = false
  private var place = Place()
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 64)
  private var filled = 0
  private var problem: ImportProblem?

  private static let chunk = 1 << 20
  private static let capacity = chunk + NativeDecoder.eventLimit

  /// - Parameters:
  ///   - path: `-` is standard input.
  ///   - resume: the `end` of the last chunk that an earlier reader of the same file brought home.
  public init(
    path: String, keys: IdentityKeys, options: ImportOptions, resume: Place? = nil
  ) throws(ImportProblem) {
    self.path = path
    self.options = options
    self.resume = resume
    map = options.map.map(MapReader.init)
    source = try ByteSource(path: path)
    decoder = NativeDecoder(keys: keys, rejectionLimit: options.rejectionLimit)
  }

  deinit { buffer.deallocate() }

  /// The next chunk; nil at the end of the file.
  public func next() throws(ImportProblem) -> DecodedChunk? {
    try fill()
    if !isStarted { try begin() }
    while isSkipping {
      skipLine()
      try fill()
    }
    if let problem, !bytes(filled).contains(UInt8(ascii: "\n")) { throw problem }
    guard filled > 0 else { return nil }
    let before = place.offset
    let chunk = csv != nil || map?.isTable == true ? nextRows() : nextLines()
    if let problem, place.offset == before { throw problem }
    return chunk
  }
}

// MARK: bytes

extension ChunkReader {
  /// A problem waits until the whole lines before it are handed over.
  private func fill() throws(ImportProblem) {
    while filled < Self.chunk, !isAtEnd, problem == nil {
      do throws(ImportProblem) {
        let count = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
        isAtEnd = count == 0
        filled += count
      } catch {
        guard filled > 0, isStarted || bytes(filled).contains(UInt8(ascii: "\n")) else { throw error }
        problem = error
      }
    }
  }

  private func drop(_ count: Int) {
    place.offset += count
    filled -= count
    guard let start = buffer.baseAddress else { return }
    start.copyMemory(from: start + count, byteCount: filled)
  }

  private func bytes(_ count: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[..<count]) }

  private func begin() throws(ImportProblem) {
    isStarted = true
    if bytes(min(3, filled)).elementsEqual([0xEF, 0xBB, 0xBF]) { drop(3) }
    if map == nil { try beginCSV() } else { try beginMap() }
    guard let resume else { return }
    while place.offset < resume.offset {
      if filled == 0 { throw .resumesBehindEnd(path: path) }
      drop(min(filled, resume.offset - place.offset))
      try fill()
    }
    place = resume
  }

  private func beginCSV() throws(ImportProblem) {
    let (header, length) = CSVHeader.read(bytes(filled))
    if options.format == .csv || (options.format == nil && header.missing == nil) {
      if let missing = header.missing { throw .header(path: path, missing: missing) }
      csv = CSVRows(header)
      dropHeader(length)
      place.lines = 1
    }
  }

  private func beginMap() throws(ImportProblem) {
    guard filled > 0 else { return }
    if map?.hasHeader == true, let header = map?.readHeader(bytes(filled)) {
      dropHeader(header.length)
      place.lines = header.lines
    }
    guard let missing = map?.missingColumns else { return }
    throw .columns(path: path, field: missing.field, wanted: missing.wanted, found: map?.columns ?? [])
  }

  private func dropHeader(_ count: Int) {
    header = withoutLineEnd(bytes(count))
    drop(count)
  }

  /// Leaves the rest of a line that is too long.
  private func skipLine() {
    let newline = bytes(filled).firstIndex(of: UInt8(ascii: "\n"))
    isSkipping = newline == nil && !isAtEnd
    if newline != nil { place.lines += 1 }
    drop(newline.map { $0 + 1 } ?? filled)
  }
}

// MARK: chunks

extension ChunkReader {
  private var reception: Reception { .file(app: options.app, now: options.now) }

  private func nextLines() -> DecodedChunk {
    let newline = lastNewline
    guard isAtEnd || newline != nil else { return longLine() }
    let count = isAtEnd ? filled : newline.map { $0 + 1 } ?? filled
    let text = bytes(count)
    let decoded = decode(text)
    var end = place
    end.lines += newlines(text)
    end.index += decoded.batch.events.count + decoded.rejected.total
    return chunk(decoded, to: end, count)
  }

  private func decode(_ text: UnsafeRawBufferPointer) -> Decoded {
    if map != nil {
      var reading = decoder.reading(reception, place, bytes: text.count)
      map?.readLines(text, &reading)
      return reading.finish()
    }
    guard let dialect = options.format.flatMap({ LineDialect(rawValue: $0.rawValue) }) else {
      return decoder.decode(text, as: .ndjson, reception, place)
    }
    return decoder.decode(text, as: dialect, reception, place)
  }

  private var lastNewline: Int? {
    guard let start = buffer.baseAddress else { return nil }
    var place = filled - 1
    while place >= 0, start.load(fromByteOffset: place, as: UInt8.self) != 10 { place -= 1 }
    return place < 0 ? nil : place
  }

  private func newlines(_ text: UnsafeRawBufferPointer) -> Int {
    guard var place = text.baseAddress else { return 0 }
    let end = place + text.count
    var count = 0
    while place < end, let found = memchr(place, 10, end - place) {
      count += 1
      place = UnsafeRawPointer(found) + 1
    }
    return count
  }

  private func nextRows() -> DecodedChunk {
    var reading = decoder.reading(reception, place, bytes: filled)
    var end = place
    let (count, lines) =
      map?.readRows(bytes(filled), isLast: isAtEnd, &reading)
      ?? csv?.take(bytes(filled), isLast: isAtEnd, &reading) ?? (0, 0)
    guard count > 0 else { return longLine() }
    end.lines += lines
    end.index = reading.index
    var decoded = reading.finish()
    if map == nil, decoded.ignoredFields > 0, let header = csv?.header { decoded.ignoredNames = header.ignored }
    return chunk(decoded, to: end, count)
  }

  private func chunk(_ decoded: Decoded, to end: Place, _ count: Int) -> DecodedChunk {
    var chunk = DecodedChunk(decoded: decoded, start: place, end: end, bytesRead: source.bytesRead)
    if !decoded.rejections.isEmpty { (chunk.bytes, chunk.header) = (Array(bytes(count)), header) }
    drop(count)
    chunk.end.offset = place.offset
    place = chunk.end
    return chunk
  }

  /// A line that is longer than an event may be: refused once, its rest passed over.
  private func longLine() -> DecodedChunk {
    var reading = decoder.reading(reception, place, bytes: 0)
    reading.refuseLongLine()
    var end = place
    end.index += 1
    isSkipping = true
    return chunk(reading.finish(), to: end, filled)
  }
}
