/// The characters beyond letters that output draws with; plain ASCII where the terminal has no better ones.
public enum Glyphs: Sendable {
  case unicode, ascii

  var missing: String { self == .unicode ? "—" : "-" }
  var minus: String { self == .unicode ? "−" : "-" }
  var range: String { self == .unicode ? "–" : "-" }
  var atLeast: String { self == .unicode ? "≥ " : ">= " }
  var atMost: String { self == .unicode ? "≤ " : "<= " }
  /// Eight rising bars.
  var bars: [Character] { Array(self == .unicode ? "▁▂▃▄▅▆▇█" : ".:-=+*#@") }
  /// A progress bar's full and empty cell.
  var progress: (full: String, empty: String) { self == .unicode ? ("█", "░") : ("#", ".") }

  /// Unicode where the locale is UTF-8: the first of `LC_ALL`, `LC_CTYPE`, `LANG` that is set decides.
  public init(environment: [String: String], ascii: Bool = false) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let name = locale.lowercased().filter { $0 != "-" }
    self = !ascii && name.contains("utf8") ? .unicode : .ascii
  }
}
