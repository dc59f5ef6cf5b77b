internal import Console
internal import Lifecycle
internal import Query

extension Answer {
  /// The answer as the command line shows it: a table, plots where there are some, the JSON, and below the table its
  /// warnings, what stands behind the numbers, and how far the data go.
  func presentation(
    heading: @autoclosure @escaping @Sendable () -> [String] = [],
    table: @autoclosure @escaping @Sendable () -> Table,
    plots: @autoclosure @escaping @Sendable () -> [Plot] = [],
    notes: @autoclosure @escaping @Sendable () -> [String] = [], level: Double? = nil, next: ShellCommand? = nil
  ) -> Presentation {
    Presentation(
      heading: heading(), table: table(), plots: plots(), document: try JSON(encoding: self),
      notes: warnings.map { "warning: \($0.message)" } + notes() + [ground(level)], next: next)
  }

  /// How far the data go, and how sure the intervals are.
  private func ground(_ level: Double?) -> String {
    let reach = dataThrough.map { "data to \(Instant(rawValue: $0.rawValue).words)" } ?? "no data"
    let sureness = level.map { "\(decimal($0 * 100, $0 * 100 == ($0 * 100).rounded() ? 0 : 1))% intervals" }
    return [reach, sureness].compactMap(\.self).joined(separator: "; ")
  }
}
