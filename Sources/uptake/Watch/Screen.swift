internal import Console
internal import Glibc
internal import Synchronization

/// A signal that asks the program to end came while a screen was shown.
private let isAskedToEnd = Atomic(false)

struct ScreenSize: Equatable, Sendable {
  var columns: Int
  var rows: Int
}

/// The terminal as a screen: keys one by one, nothing echoed, the lines of before back at the end.
struct Screen: ~Copyable {
  private var usual = termios()
  private let hasKeys: Bool

  /// Whatever ends the program from now on must be caught, or the terminal stays as it is.
  init() {
    hasKeys = unsafe tcgetattr(STDIN_FILENO, &usual) == 0
    if hasKeys {
      var raw = usual
      raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
      raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
      unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
    }
    for number in [SIGTERM, SIGINT, SIGHUP] {
      signal(number) { _ in isAskedToEnd.store(true, ordering: .relaxed) }
    }
    // Only so that a wait ends with it.
    signal(SIGWINCH) { _ in }
    Self.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
  }

  deinit {
    Self.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    var usual = usual
    if hasKeys { unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &usual) }
  }

  var isOver: Bool { isAskedToEnd.load(ordering: .relaxed) }

  /// The screen's present width and height.
  var size: ScreenSize {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return ScreenSize(columns: 80, rows: 24)
    }
    return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Each line over the one of before, so that nothing flickers.
  func paint(_ lines: [String]) {
    Self.write("\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
  }

  enum Key: Equatable { case quit, channel(Int), release(Int) }

  /// Waits for a key, a signal or `bell`, at most so long. Whatever else is typed says nothing.
  func keys(milliseconds: Int32, bell: CInt) -> [Key] {
    var waiting = [
      pollfd(fd: hasKeys ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
    ]
    guard unsafe poll(&waiting, 2, milliseconds) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 64)
    if waiting[1].revents != 0 { _ = unsafe read(bell, &bytes, bytes.count) }
    guard waiting[0].revents != 0 else { return [] }
    let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
    // The terminal has gone.
    guard count > 0 else { return [.quit] }
    return Self.keys(String(decoding: bytes[..<count], as: UTF8.self))
  }

  static func keys(_ typed: String) -> [Key] {
    let arrows = ["A": "R", "B": "r", "C": "c", "D": "C"]
    let plain = arrows.reduce(typed) { $0.replacing("\u{1B}[\($1.key)", with: $1.value) }
    return plain.compactMap { character in
      switch character {
      case "q", "Q", "\u{3}": .quit
      case "c", "\t": .channel(1)
      case "C": .channel(-1)
      case "r": .release(1)
      case "R": .release(-1)
      default: nil
      }
    }
  }

  private static func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return }
      if count > 0 { bytes = bytes.dropFirst(count) }
    }
  }
}
