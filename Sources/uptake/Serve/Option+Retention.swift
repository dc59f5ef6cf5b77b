internal import Answers
internal import Console
internal import Lifecycle
internal import Server

extension Option {
  static let retainRaw = Option(
    "retain-raw", .duration, key: "retain-raw",
    help: "Take out single events daily that were received longer ago than this"
  )
  static let retainShipped = Option(
    "retain-shipped", .duration, value: "AGE", key: "retain-shipped",
    help: "Take out single events hourly that the warehouse has and that were received longer ago than this")
  static let retainArchive = Option(
    "retain-archive", .path, value: "DIR", key: "retain-archive", completion: "directories",
    help: "Put what --retain-raw or --retain-shipped takes out into compressed archives in this folder")
  static let retainDrop = Option(
    "retain-drop", key: "retain-drop", help: "Drop what --retain-raw or --retain-shipped takes out")
}

extension Invocation {
  func retentionRule() throws(Failure) -> DailyRetention.Rule? {
    try checkRetention()
    let (raw, shipped) = (milliseconds(.retainRaw), milliseconds(.retainShipped))
    guard let keeps = raw ?? shipped else { return nil }
    return DailyRetention.Rule(
      keeps: keeps, archives: text(.retainArchive), every: raw == nil ? .seconds(3600) : .seconds(86_400))
  }

  /// Touches no folder.
  func checkRetention() throws(Failure) {
    let (raw, shipped) = (milliseconds(.retainRaw), milliseconds(.retainShipped))
    guard raw != nil || shipped != nil else { return }
    try checkRetainShipped()
    let place = raw == nil ? "--retain-shipped" : "--retain-raw"
    guard (text(.retainArchive) == nil) == flag(.retainDrop) else {
      throw Failure(
        "where_to", "say where old events go", place: place,
        hints: ["--retain-archive DIR keeps them, --retain-drop does not"], exit: .usage)
    }
    guard raw?.rawValue != 0 else {
      throw Failure(
        "too_small", "an age of 0 would take out every event once a day", place: place,
        hints: ["say how long single events are kept, such as 30d"], exit: .usage)
    }
  }

  /// What says where old events go while nothing says which are old.
  var idleRetention: Option? {
    guard duration(.retainRaw) == nil, duration(.retainShipped) == nil else { return nil }
    return flag(.retainDrop) ? .retainDrop : text(.retainArchive) == nil ? nil : .retainArchive
  }

  private func checkRetainShipped() throws(Failure) {
    guard duration(.retainShipped) != nil else { return }
    guard duration(.retainRaw) == nil else {
      throw Failure(
        "two_ages", "--retain-raw and --retain-shipped both say what is kept", place: "--retain-shipped",
        hints: ["leave one of them out: what the warehouse lacks never goes"], exit: .usage)
    }
    guard text(.ship) != nil else {
      throw Failure(
        "nothing_shipped", "no warehouse is named whose events could go", place: "--retain-shipped",
        hints: ["add --ship URL, or use --retain-raw"], exit: .usage)
    }
  }
}
