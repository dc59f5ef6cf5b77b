internal import Console
internal import Ingest

/// What the parts of a map must be to each other.
struct MapChecks {
  let map: EventMap
  let path: String
  let format: MapEntry?

  func check() throws(Failure) {
    guard let format else {
      throw mapFailure(
        "the map does not say how the export is written", place: path,
        hint: "add format = \"jsonl\", or csv, tsv, log")
    }
    try checkShape(format)
    for field in ["device", "stage"] where !map.fieldNames.contains(field) {
      throw mapFailure(
        "the map does not say where \"\(field)\" comes from, which every event needs", place: path,
        hint: "add it below [event]: \(field) = \"where.it.lies\"")
    }
    try checkNames(format)
  }

  private func checkShape(_ format: MapEntry) throws(Failure) {
    if map.format == .log, map.pattern?.names.isEmpty != false {
      throw format.failure(
        "a log needs a pattern that names its parts",
        hint: "add pattern = '…' as in the server's log_format: '$remote_addr - [$time_local] \"$request\" $status'")
    }
    if map.format != .log, map.pattern != nil {
      throw format.failure("a pattern at the top is for logs", hint: "write format = \"log\", or take the pattern out")
    }
    if map.format != .csv, map.format != .tsv, !map.columns.isEmpty {
      throw format.failure("columns are for csv and tsv", hint: "take columns out, or write format = \"csv\"")
    }
  }

  /// Names of a log's pattern, or of columns that the map itself lists, are known before a file is read.
  private func checkNames(_ format: MapEntry) throws(Failure) {
    let known = map.pattern?.names ?? map.columns
    guard !known.isEmpty else { return }
    for path in map.paths {
      guard let column = path.column, !known.contains(column), !known.contains(path.text) else { continue }
      throw format.failure(
        "the map reads \"\(column)\", which \(map.pattern == nil ? "is none of its columns" : "its pattern does not name")",
        suggestions: suggestions(for: column, among: known), hint: "named are: " + known.joined(separator: ", "))
    }
  }
}
