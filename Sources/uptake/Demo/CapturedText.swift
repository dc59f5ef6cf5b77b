internal import Console
internal import Synchronization

/// What a command printed that a program called.
final class CapturedText: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  var sink: Sink {
    Sink(isTerminal: false, columns: 80) { [self] piece in bytes.withLock { $0 += piece } }
  }
  var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}
