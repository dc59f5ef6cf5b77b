internal import Answers
internal import Console
internal import Lifecycle
internal import Server

extension Option {
  static let retainRaw = Option(
    "retain-raw", .duration, key: "retain-raw", help: "Daily take out single events that were received before this time"
  )
  static let retainArchive = Option(
    "retain-archive", .path, value: "DIR", key: "retain-archive", completion: "directories",
    help: "Put them into compressed archives there")
  static let retainDrop = Option("retain-drop", key: "retain-drop", help: "Drop them")
}

extension Invocation {
  func retentionRule() throws(Failure) -> DailyRetention.Rule? {
    guard let keeps = milliseconds(.retainRaw) else { return nil }
    guard (text(.retainArchive) == nil) == flag(.retainDrop) else {
      throw Failure(
        "where_to", "say where old events go", place: "--retain-raw",
        hints: ["--retain-archive DIR keeps them, --retain-drop does not"], exit: .usage)
    }
    let directory: String? = if let path = text(.retainArchive) { try madeDirectory(path) } else { nil }
    return DailyRetention.Rule(keeps: keeps, archives: directory)
  }
}
