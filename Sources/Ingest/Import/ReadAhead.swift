import Dispatch
import Locks
import Synchronization

/// Decodes on a thread of its own, some chunks ahead of whoever stores them.
///
/// `@unchecked Sendable`: after `init` the reader is only used by that thread; what passes between the two lies behind
/// the mutex.
public final class ReadAhead: @unchecked Sendable {
  private typealias Piece = Result<DecodedChunk?, ImportProblem>

  private let reader: ChunkReader
  private let pieces = Lock<[Piece]>([])
  private let ready = DispatchSemaphore(value: 0)
  private let room: DispatchSemaphore
  private let isCancelled = Atomic(false)
  private var isAtEnd = false

  /// - Parameter depth: how many chunks may wait: about as many as go into one transaction, or decoding would stand still
  ///   while it is stored, and storing while the next one is decoded.
  public init(_ reader: consuming ChunkReader, depth: Int = 24) {
    self.reader = reader
    room = DispatchSemaphore(value: 0)
    for _ in 0..<depth { room.signal() }
    DispatchQueue(label: "uptake.import").async { [self] in run() }
  }

  /// The next chunk, as `ChunkReader.next()` gives it. Belongs to one thread.
  public func next() throws(ImportProblem) -> DecodedChunk? {
    if isAtEnd { return nil }
    ready.wait()
    let piece = pieces.withLock { $0.removeFirst() }
    room.signal()
    guard case .success(.some(let chunk)) = piece else {
      isAtEnd = true
      return try piece.get()
    }
    return chunk
  }

  /// Lets the thread end before the file does.
  public func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    room.signal()
  }

  private func run() {
    while !isCancelled.load(ordering: .relaxed) {
      room.wait()
      let piece: Piece
      do throws(ImportProblem) {
        piece = .success(try reader.next())
      } catch {
        piece = .failure(error)
      }
      pieces.withLock { $0.append(piece) }
      ready.signal()
      guard case .success(.some) = piece else { return }
    }
  }
}
