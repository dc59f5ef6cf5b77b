import CSimdjson
import Lifecycle
public import Store

/// Reads the native dialect: JSON and NDJSON bodies in, valid events and reasons out.
///
/// A decoder keeps its memory from body to body. It belongs to one thread at a time; `DecoderPool` lends them out.
public final class NativeDecoder {
  private let parser: OpaquePointer
  private let hasher: IdentityHasher
  private let seed: UInt64
  private let rejectionLimit: Int
  private let rows: UnsafeMutablePointer<csj_row>
  private let cells: UnsafeMutablePointer<csj_cell>
  private static let rowsAtOnce = 64

  /// The most bytes that one event may have, its unknown fields included.
  public static let eventLimit = 1 << 20
  /// The most levels of nesting inside an event.
  public static let depthLimit = 64

  /// - Parameter rejectionLimit: how many refusals are kept with their words; all are counted.
  public init(keys: IdentityKeys, rejectionLimit: Int = 100) {
    let created = csj_parser_create(Vocabulary.shared.fields.table, Self.eventLimit, Self.depthLimit)
    guard let created else { fatalError("no memory for a parser") }
    parser = created
    hasher = IdentityHasher(keys)
    seed = keys.event.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    self.rejectionLimit = rejectionLimit
    rows = .allocate(capacity: Self.rowsAtOnce)
    cells = .allocate(capacity: Self.rowsAtOnce * Int(CSJ_SLOTS))
  }

  deinit {
    csj_parser_destroy(parser)
    hasher.deallocate()
    rows.deallocate()
    cells.deallocate()
  }

  /// Reads a whole body. The bytes need no spare room behind them.
  public func decode(_ body: RawSpan, as format: BodyFormat = .json, _ reception: Reception) -> Decoded {
    body.withUnsafeBytes { body in
      let decoded = decode(body, as: format, reception, Place())
      guard decoded.excess == nil, Swiftpatch.isMentioned(in: body, decoded),
        let rewritten = Swiftpatch.rewritten(Array(body), as: format, reception)
      else { return decoded }
      var mended = rewritten.withUnsafeBytes { decode($0, as: format, reception, Place()) }
      guard decoded.hasForeignShapes || mended.says(otherThan: decoded) else { return decoded }
      // They are read, in another place.
      mended.ignoredNames = []
      return mended
    }
  }

  /// Reads a part of a file that begins at `place`.
  func decode(
    _ body: UnsafeRawBufferPointer, as format: BodyFormat, _ reception: Reception, _ place: Place
  ) -> Decoded {
    let start = body.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? Fields.nothing.start
    csj_begin(parser, start, body.count, format == .ndjson ? csj_lines : csj_sniff)
    var reading = reading(reception, place, bytes: body.count)
    while !reading.isOver, case let count = csj_next(parser, rows, cells, Self.rowsAtOnce), count > 0 {
      for row in 0..<count { reading.take(rows[row], cells + row * Int(CSJ_SLOTS)) }
    }
    let (isEnvelope, sentAt) = reading.isOver ? (false, nil) : envelope()
    let isEmpty = reading.index == place.index && !isEnvelope && isBlank(body)
    var decoded = reading.finish(sentAt: sentAt)
    decoded.isEmpty = isEmpty
    decoded.ignoredNames = ignoredNames
    if decoded.rejected[.missingField] > 0 { decoded.lookBeside(body, place, isEnvelope) }
    return decoded
  }

  private var ignoredNames: [String] {
    var names: [String] = []
    while case let word = csj_ignored(parser, names.count), word.length > 0, let text = word.text {
      text.withMemoryRebound(to: UInt8.self, capacity: word.length) { text in
        names.append(String(decoding: UnsafeBufferPointer(start: text, count: word.length), as: UTF8.self))
      }
    }
    return names
  }

  /// Only finds the rows of a body: what decoding costs before the vocabulary comes in.
  public func countRows(_ body: RawSpan, as format: BodyFormat) -> Int {
    body.withUnsafeBytes { body in
      let start = body.baseAddress?.assumingMemoryBound(to: UInt8.self)
      csj_begin(parser, start, body.count, format == .ndjson ? csj_lines : csj_sniff)
      var total = 0
      while case let count = csj_next(parser, rows, cells, Self.rowsAtOnce), count > 0 { total += count }
      return total
    }
  }

  func reading(_ reception: Reception, _ place: Place, bytes: Int, rejectionLimit: Int? = nil) -> Reading {
    Reading(
      Assembly(reception, hasher, seed: seed, expecting: bytes / 160 + 1),
      rejectionLimit: rejectionLimit ?? self.rejectionLimit, place)
  }

  /// What an object around the events says; a `sentAt` that is no time says nothing.
  private func envelope() -> (isEnvelope: Bool, sentAt: Timestamp?) {
    guard csj_envelope(parser, rows, cells) else { return (false, nil) }
    let fields = Fields(present: rows[0].present, cells: cells, nothing: Fields.nothing)
    return (true, try? fields.time(.sentAt))
  }
}

private func isBlank(_ body: UnsafeRawBufferPointer) -> Bool {
  body.allSatisfy { $0 == UInt8(ascii: " ") || 9...13 ~= $0 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
}

/// Where a part of a body or file begins.
public struct Place: Equatable, Sendable {
  /// Bytes before it, after decompression.
  public var offset = 0
  /// Lines before it.
  public var lines = 0
  /// Events before it, refused ones included.
  public var index = 0

  public init(offset: Int = 0, lines: Int = 0, index: Int = 0) {
    self.offset = offset
    self.lines = lines
    self.index = index
  }
}

extension Decoded {
  /// Whether more of it is understood, or other fields are at fault, or for another reason.
  fileprivate func says(otherThan other: Decoded) -> Bool {
    rejected.total < other.rejected.total || rejections.map(\.field) != other.rejections.map(\.field)
      || rejections.map(\.code) != other.rejections.map(\.code)
  }
}
