internal import Console
internal import Simulate

/// Events as NDJSON in a file, which appears when all are written, or on standard output.
final class EventFile: RequestOutlet {
  private var file: AtomicFile?
  private let output: Sink
  private var buffer: [UInt8] = []
  let notes: [String] = []

  init(_ path: String, _ host: Host) throws {
    file = path == "-" ? nil : try AtomicFile(path)
    output = host.output
    buffer.reserveCapacity(Self.block + 1 << 16)
  }

  private static let block = 1 << 20

  func take(_ request: Simulate.Request) throws {
    buffer += request.body
    if buffer.count >= Self.block { try drain() }
  }

  func finish() throws {
    try drain()
    if let file = file.take() { try file.commit() }
  }

  private func drain() throws {
    if file == nil { try output.write(buffer) } else { try file?.write(buffer) }
    buffer.removeAll(keepingCapacity: true)
  }
}
