internal import Console
internal import Lifecycle
internal import Query

extension Answer {
  /// The answer as the command line shows it: a table, plots where there are some, the JSON, and below the table its
  /// warnings, what stands behind the numbers, and how far the data go.
  func presentation(
    heading: [String] = [], table: Table, plots: [Plot] = [], notes: [String] = [], level: Double? = nil,
    next: ShellCommand? = nil
  ) throws -> Presentation {
    let reach = dataThrough.map { "data to \(Instant(rawValue: $0.rawValue).words)" } ?? "no data"
    let sureness = level.map { "\(decimal($0 * 100, $0 * 100 == ($0 * 100).rounded() ? 0 : 1))% intervals" }
    let ground = [reach, sureness].compactMap(\.self).joined(separator: "; ")
    return Presentation(
      heading: heading, table: table, plots: plots, document: try JSON(encoding: self),
      notes: warnings.map { "warning: \($0.message)" } + notes + [ground], next: next)
  }
}
