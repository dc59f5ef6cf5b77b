import Glibc

/// Why a file cannot be read on.
public enum ImportProblem: Error, Equatable, Sendable {
  case cannotOpen(path: String, reason: String)
  case cannotRead(path: String, reason: String)
  case inflation(path: String, InflationProblem)
  /// No events, but a database of SQLite.
  case database(path: String)
  /// A CSV file whose first row does not name the columns that every event needs.
  case header(path: String, missing: String)
  /// A table without any of the columns from which its map takes a field that every event needs.
  case columns(path: String, field: String, wanted: [String], found: [String])
  /// The place to resume from lies behind the end of the file.
  case resumesBehindEnd(path: String)
}

extension ImportProblem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .cannotOpen(let path, let reason): "cannot open \(path): \(reason)"
    case .cannotRead(let path, let reason): "cannot read \(path): \(reason)"
    case .inflation(let path, let problem): "\(path): \(problem)"
    case .database(let path): "\(path == "-" ? "standard input" : path) is a database of SQLite, not a file of events"
    case .header(let path, let missing):
      "\(path):1: the header names no column \"\(missing)\"; its first row must name the fields"
    case .columns(let path, let field, let wanted, let found):
      """
      \(path):1: the map takes "\(field)" from \(wanted.joined(separator: ", ")), which is no column of this file; \
      its columns are: \(found.prefix(40).joined(separator: ", "))
      """
    case .resumesBehindEnd(let path): "\(path) is shorter than when its import began"
    }
  }
}

/// The plain bytes of a file or of standard input, inflated on the way where they begin like gzip.
final class ByteSource {
  let path: String
  /// Bytes of the file itself that were read, for progress; and how many it has, where it is a file.
  private(set) var bytesRead = 0
  let size: Int?

  private let descriptor: Int32
  private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
  private var pending = 0..<0
  private var isAtEnd = false
  private var inflator: Inflation = .undecided
  private enum Inflation { case undecided, plain, gzip(Box) }
  private final class Box {
    var inflator: Inflator
    init(_ inflator: consuming Inflator) { self.inflator = inflator }
  }

  /// - Parameter path: `-` is standard input.
  init(path: String) throws(ImportProblem) {
    self.path = path
    descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      size = nil
      throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = isFile ? Int(status.st_size) : nil
  }

  deinit {
    if descriptor > 0 { close(descriptor) }
    input.deallocate()
  }

  /// Fills the room as far as one piece reaches; 0 at the end.
  func read(into room: UnsafeMutableRawBufferPointer) throws(ImportProblem) -> Int {
    while true {
      // What is not inflated goes where it is wanted at once.
      if pending.isEmpty, case .plain = inflator { return try readFile(into: room) }
      if pending.isEmpty { try fill() }
      if case .undecided = inflator { try decide() }
      guard case .gzip(let box) = inflator else {
        let count = min(room.count, pending.count)
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[pending.prefix(count)]))
        pending.removeFirst(count)
        return count
      }
      if pending.isEmpty, isAtEnd, box.inflator.isBetweenMembers { return 0 }
      let step: (read: Int, written: Int)
      do throws(InflationProblem) {
        step = try box.inflator.step(UnsafeRawBufferPointer(rebasing: input[pending]), into: room)
      } catch {
        throw .inflation(path: path, error)
      }
      pending.removeFirst(step.read)
      if step.written > 0 { return step.written }
      if step.read == 0, isAtEnd { throw .inflation(path: path, .truncated) }
    }
  }

  private func fill() throws(ImportProblem) {
    if !isAtEnd { pending = 0..<(try readFile(into: input)) }
  }

  /// 0 at the end.
  private func readFile(into room: UnsafeMutableRawBufferPointer) throws(ImportProblem) -> Int {
    while !isAtEnd {
      let count = Glibc.read(descriptor, room.baseAddress, room.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .cannotRead(path: path, reason: String(cString: strerror(errno))) }
      isAtEnd = count == 0
      bytesRead += count
      return count
    }
    return 0
  }

  /// What every database of SQLite begins with.
  private static let sqlite = Array("SQLite format 3\0".utf8)

  /// Two bytes tell gzip, 16 a database; a pipe may hand over the first of them alone.
  private func decide() throws(ImportProblem) {
    while pending.count < Self.sqlite.count, pending.count < 2 || input[0] == Self.sqlite[0], !isAtEnd {
      let rest = UnsafeMutableRawBufferPointer(rebasing: input[pending.count...])
      pending = 0..<pending.count + (try readFile(into: rest))
    }
    if input[pending].starts(with: Self.sqlite) { throw .database(path: path) }
    guard pending.count >= 2, input[0] == 0x1F, input[1] == 0x8B else {
      inflator = .plain
      return
    }
    do throws(InflationProblem) {
      inflator = .gzip(Box(try Inflator(.gzip)))
    } catch {
      throw .inflation(path: path, error)
    }
  }
}

extension Range<Int> {
  fileprivate func prefix(_ count: Int) -> Range<Int> { lowerBound..<lowerBound + count }
  fileprivate mutating func removeFirst(_ count: Int) { self = lowerBound + count..<upperBound }
}
