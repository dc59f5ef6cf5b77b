internal import Glibc

/// Where text goes: a standard stream, or a buffer in tests.
public struct Sink: Sendable {
  public var isTerminal: Bool
  /// The width to draw for.
  public var columns: Int
  private let send: @Sendable ([UInt8]) throws(Failure) -> Void

  public init(isTerminal: Bool, columns: Int, send: @escaping @Sendable ([UInt8]) throws(Failure) -> Void) {
    (self.isTerminal, self.columns, self.send) = (isTerminal, columns, send)
  }

  public func write(_ text: String) throws(Failure) { try send(Array(text.utf8)) }

  public func write(_ bytes: [UInt8]) throws(Failure) { try send(bytes) }

  /// One of the process's own streams, by its number; the width is the terminal's, else `COLUMNS`, else 80.
  public static func standard(_ descriptor: CInt, environment: [String: String]) -> Sink {
    let name = descriptor == STDOUT_FILENO ? "standard output" : "standard error"
    let width = terminalWidth(descriptor) ?? environment["COLUMNS"].flatMap { Int($0) } ?? 80
    return Sink(isTerminal: isatty(descriptor) == 1, columns: min(max(width, 20), 1000)) { (bytes) throws(Failure) in
      try writeAll(bytes, to: descriptor, named: name)
    }
  }
}

private func terminalWidth(_ descriptor: CInt) -> Int? {
  var size = winsize()
  guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
  return Int(size.ws_col)
}
