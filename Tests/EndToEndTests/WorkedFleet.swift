import Foundation
import Testing

/// A small simulated fleet whose databases are worked on: copied, thinned out, damaged.
struct WorkedFleet: Sendable {
  static let app = "com.example.shop"
  static let now = "2025-06-30T00:00:00Z"
  /// One a line, in the order of arrival.
  var events: [Substring]
  var publications: String

  static let shared = Result {
    let folder = try scratchFolder()
    let made = try Binary.run(
      "simulate", "--devices", "40", "--out", folder + "/events.ndjson", "--publications", folder + "/publications.json"
    )
    try #require(made.status == 0, "\(made.errors)")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return WorkedFleet(
      events: try String(contentsOfFile: folder + "/events.ndjson", encoding: .utf8).split(separator: "\n"),
      publications: try String(contentsOfFile: folder + "/publications.json", encoding: .utf8))
  }

  static func device(of event: Substring) -> String {
    guard let start = event.firstRange(of: "\"device\":\"")?.upperBound else { return "" }
    return String(event[start...].prefix { $0 != "\"" })
  }

  var devices: [String] {
    var seen: Set<String> = []
    return events.map(Self.device).filter { seen.insert($0).inserted }
  }

  /// - Parameter keys: of another database, in hexadecimal digits; else new ones.
  func database(in folder: String, _ name: String, without devices: Set<String> = [], keys: String? = nil) throws
    -> String
  {
    let path = folder + "/" + name
    if devices.isEmpty, keys == nil {
      try FileManager.default.copyItem(atPath: Self.whole.get(), toPath: path)
      return path
    }
    try publications.write(toFile: folder + "/publications.json", atomically: true, encoding: .utf8)
    try run("release", "publish", "--from", folder + "/publications.json", "--db", path)
    if let keys {
      try change(path, "INSERT OR REPLACE INTO meta VALUES ('identity_keys', x'\(keys)')")
    }
    try store(events.filter { !devices.contains(Self.device(of: $0)) }, in: path)
    return path
  }

  /// Of all events; made once, as every database of a test is.
  private static let whole = Result {
    let (fleet, folder) = (try shared.get(), try scratchFolder())
    let path = try fleet.database(in: folder, "whole.db", without: ["nobody"])
    let emptied = try Binary.start("/usr/bin/sqlite3", [path, "PRAGMA wal_checkpoint(TRUNCATE)"])
    try #require(emptied.status == 0, "\(emptied.errors)")
    return path
  }

  @discardableResult
  func store(_ events: some Sequence<Substring>, in path: String) throws -> Int {
    let stored = try Binary.start(
      Binary.path, ["import", "-", "--db", path, "--now", Self.now, "--format", "json"],
      input: events.joined(separator: "\n"))
    try #require(stored.status == 0, "\(stored.errors)")
    let counts = try JSONSerialization.jsonObject(with: Data(stored.output.utf8))
    return at(counts, "data", 0, "accepted") as? Int ?? -1
  }

  static let questions = [
    "releases", "adoption 4.5.0", "adoption 4.5.0 --by platform --by appVersion", "reach 4.5.0",
    "time-to-update 4.5.0", "compare 4.4.0 4.5.0 --at 24h", "mechanisms 4.5.0", "failures 4.5.0", "forecast 4.5.0",
    "funnel 4.5.0", "funnel 4.4.0 --by channel", "push", "wakeups",
  ]
  /// For tests that ask many times.
  static let few = ["releases", "mechanisms 4.5.0", "funnel 4.5.0", "push"]

  /// What questions say; not the trail of one device, which is told from single events.
  func answers(_ database: String, _ questions: [String] = questions) throws -> [String: String] {
    var answers: [String: String] = [:]
    for question in questions {
      let words = question.split(separator: " ").map(String.init)
      let result = try Binary.start(
        Binary.path, words + ["--app", Self.app, "--db", database, "--now", Self.now, "--format", "json"])
      try #require([0, 4].contains(result.status) && result.output.utf8.count > 100, "\(question): \(result.errors)")
      answers[question] = result.output
    }
    return answers
  }
}

/// Digests of everything that is folded. Answers rest on nothing else once all events are.
func shards(_ database: String) throws -> String {
  let digests = ["journey", "device", "wake", "sighting", "lag"].map {
    "SELECT '\($0)', hex(sha3_query('SELECT * FROM \($0) ORDER BY 1, 2, 3, 4'));"
  }
  return try sqlite(database, digests.joined())
}

/// Runs the program; it must succeed.
@discardableResult
func run(_ words: String...) throws -> Binary.Result {
  let result = try Binary.start(Binary.path, words)
  try #require(result.status == 0, "\(words): \(result.errors)")
  return result
}

/// Runs the program until it is killed at the given moment of a system call; false where it ended before.
func runKilled(at moment: Int, of call: String, _ words: [String]) throws -> Bool {
  let result = try Binary.start(
    "/usr/bin/strace",
    [
      "-f", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):signal=KILL:when=\(moment)", Binary.path,
    ] + words)
  return result.status != 0
}

/// Files of a folder by name.
func files(_ folder: String, _ suffix: String = "") throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(suffix) }.sorted()
}

/// A number of the only row of what a command printed as JSON.
func number(_ result: Binary.Result, _ field: String) throws -> Int {
  let document = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
  return try #require(at(document, "data", 0, field) as? Int, "\(result.output) \(result.errors)")
}
