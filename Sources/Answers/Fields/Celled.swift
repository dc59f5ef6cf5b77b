internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

/// A value that usually has one form in a table.
protocol Celled: Sendable {
  var cell: Cell { get }
  /// Whether it has limits.
  static var hasInterval: Bool { get }
}

extension Celled {
  static var hasInterval: Bool { false }
}

extension Int: Celled { var cell: Cell { .count(self) } }
extension String: Celled { var cell: Cell { .text(self) } }
extension Timestamp: Celled { var cell: Cell { .instant(Instant(rawValue: rawValue)) } }
/// An age in seconds.
extension Int64: Celled { var cell: Cell { .age(seconds: self) } }
/// So many seconds.
extension Double: Celled { var cell: Cell { .duration(seconds: self) } }
extension Verdict.Decision: Celled { var cell: Cell { .term(rawValue, words: words) } }

extension Estimate: Celled {
  static var hasInterval: Bool { true }
  var cell: Cell { shareCell }
}

extension Rate: Celled {
  static var hasInterval: Bool { true }
  var cell: Cell {
    of == 0 && share.reason != .noReceipts ? .missing(because: "there were none") : share.shareCell(atMost: atMost)
  }
}
